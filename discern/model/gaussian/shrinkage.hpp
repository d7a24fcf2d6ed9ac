// Covariances blended with a multiple of the identity, for data with few rows or dependent features.
//
//   S(g) = (1 - g) S + g tr(S)/d I
//
//   none          S = sum_k A_k / (n - K), or / n by `divisor`; A_k: scatter of class k, not blended
//   a number g    S = sum_k A_k / n, blended with g
//   ledoit-wolf   sum_k n_k/n S_k(g_k), each class with a g_k of its own from its rows. The features of the
//                 class are standardised first and the blend is taken back to their units, so that units do not matter.
//                 With z the standardised rows, C their covariance (divisor n_k), m = tr(C)/d:
//                   g = min(b, a) / a,    a = (|C|^2 - d m^2) / d,    b = (sum_i |z_i|^4 / n_k - |C|^2) / (d n_k)
//                 (Ledoit and Wolf, 2004)
//   oas           the same with the features in their own units and
//                   g = min(1, (q + m^2) / ((n_k + 1) (q - m^2/d))),    q = |S_k|^2 / d^2
//                 (Chen, Wiesel, Eldar and Hero, 2010)
//
// These are the definitions of scikit-learn's LinearDiscriminantAnalysis: shrinkage=g, shrinkage="auto" and
// covariance_estimator=OAS(), with the divisors n and n_k whatever `divisor` says. Classes are weighed by their rows,
// whatever the priors. A row of weight s counts as s rows.
#pragma once

#include <Eigen/Core>
#include <string>

#include "discern/model/shape/training.hpp"
#include "discern/options/divisor.hpp"
#include "discern/stats/class_moments.hpp"

namespace discern {

struct Shrinkage {
  enum class Rule { none, fixed, ledoit_wolf, oas };
  Rule rule = Rule::none;
  double amount = 0;  // of fixed

  bool per_class() const { return rule == Rule::ledoit_wolf || rule == Rule::oas; }
};

// "none", a number from 0 to 1, "ledoit-wolf" or "oas"; otherwise throws Code::usage.
Shrinkage parse_shrinkage(const std::string& text);

// The g of one class, from the trace and the squared norm |.|^2 of C or S_k (d x d, of n rows by weight), and
// of Ledoit and Wolf's from sum_i s_i |z_i|^4.
double ledoit_wolf_amount(double trace, double square, double d, double n, double fourth);
double oas_amount(double trace, double square, double d, double n);

// (1 - g) S + g tr(S)/d I
Eigen::MatrixXd shrunk(const Eigen::MatrixXd& s, double g);

// The covariance within the classes, from moments with a scatter a class where the rule wants one. Ledoit and
// Wolf's takes another pass over the data.
Eigen::MatrixXd covariance_within(const Shrinkage& shrinkage, Divisor divisor, const ClassMoments& moments,
                                  const Training& training);

}  // namespace discern
