// The Bayes classifier of a known density, and its error: what no classifier can do better than.
//
//   f_k(x) = sum_m a_km N(x; m_km, S_km)         the density of class k, sum_m a_km = 1
//   q_k(x) = P_k f_k(x) / sum_j P_j f_j(x)       the posterior, P_k: priors
//   P(k | x) = (1 - n) q_k + n/(K - 1) sum_{j != k} q_j      n: the share of labels that were exchanged
//
// or, for two classes on either side of a plane, q_1 = [w.x + b >= 0]. The Bayes error is E min_k (1 - P(k |
// x)). It is known where the classes are two Gaussians of one covariance: with D their Mahalanobis distance
// and l = log(P_0 / P_1),
//
//   e = P_0 Phi(-D/2 - l/D) + P_1 Phi(-D/2 + l/D),     with exchanged labels n + (1 - 2 n) e for n <= 1/2
//
// and where a plane parts the classes (e = 0). Elsewhere it is the mean over rows that are drawn from the
// density, with its standard error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/data/generate.hpp"
#include "discern/model/shape/decision.hpp"
#include "discern/model/shape/predictor.hpp"

namespace discern {

struct GaussianPart {
  double share = 1;  // a
  Vector mean;
  Matrix covariance;
};
struct Plane {
  Vector weights;
  double bias = 0;
};

// What a generator knows of its data.
struct Truth {
  std::string shape;                  // that generated them, for people
  std::vector<std::string> features;  // their names
  std::vector<std::string> classes;
  Vector priors;
  double label_noise = 0;                          // n
  std::vector<std::vector<GaussianPart>> mixture;  // a class each; or
  std::optional<Plane> plane;                      // of two classes
};

// Of the shapes gaussians, xor, outliers and linear. Throws Code::usage for the others, whose densities have
// no simple form, and for those without noise, which have none.
Truth truth_of(const GenerateOptions& options);

// The same with the classes in this order. Throws Code::data unless they are the same classes.
Truth with_classes(const Truth& truth, const std::vector<std::string>& classes);

class BayesClassifier {
 public:
  // Throws Code::data when a covariance is not positive definite.
  explicit BayesClassifier(const Truth& truth);
  Index classes() const { return priors_.size(); }
  Index features() const { return features_; }
  // P(k | x) of the classes, in the order of the truth.
  void posterior(const double* x, double* proba) const;
  // A row of class k, before labels are exchanged.
  void draw(Random& random, Index k, double* x) const;

 private:
  struct Part {
    double log_share, log_scale;  // of the density at its mean
    Vector mean;
    Eigen::MatrixXd root;  // L of S = L L'
  };
  double log_density(const std::vector<Part>& parts, const Vector& x) const;

  Index features_ = 0;
  Vector priors_;
  double label_noise_ = 0;
  std::vector<std::vector<Part>> parts_;
  std::optional<Plane> plane_;
};

struct BayesError {
  double value = 0;
  std::optional<double> standard_error;  // empty: exact
  Index draws = 0;
};
// The same for a seed whatever the number of threads.
BayesError bayes_error(const Truth& truth, std::uint64_t seed);

// A model beside the Bayes classifier on some rows with labels. The risk of a decision is its expected cost
// under the true posterior, sum_k C(k, decided) P(k | x), with the costs of the model's decision rule or 1
// for an error; the Bayes classifier decides for the least risk, so that the excess is never below zero.
struct BesideBayes {
  double error = 0, bayes_error = 0;    // on the labels: shares of the weight
  double risk = 0, bayes_risk = 0;      // means over the rows
  double excess = 0, excess_error = 0;  // risk - bayes_risk, and its standard error
};
// `x`: a row each with the features of the truth. Labels and decisions are classes of the truth (decisions
// may be undecided).
BesideBayes beside_bayes(const BayesClassifier& bayes, const std::optional<Decision>& rule, Index positive,
                         const Matrix& x, const std::vector<std::int32_t>& labels,
                         const std::vector<std::int32_t>& decided, const std::vector<double>& weights);

}  // namespace discern
