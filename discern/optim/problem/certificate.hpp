// The certificate of convergence of smooth convex losses, which all their solvers and the paths use. (Networks and
// the closed form of least squares leave out the last factor of the scale. The hinge and the dual have a duality
// gap instead, and streams have no proof.) A fit has converged when
//
//   |g(u)| / scale(u) <= tol
//
//   g(u)      the least subgradient of E at u, in scaled coordinates; without l1 the gradient
//   scale(u)  max(|grad L(0)|, 1e-6 sum_i s_i) min(1, max(10 S(u) / S(0), floor))
//   L         the sum of the losses, without penalties;   S(u) = sum_i |s_i L'(g_i, y_i)|
//
// The second term of the maximum is for data without a signal, whose gradient at zero is rounding. The last
// factor matters where the slopes of the rows have nearly vanished, as for separated classes under a weak
// penalty: the gradient is then a sum of small terms, so that it is small compared with the first factor whether
// or not u is near the minimum. (Without the last factor a fit of one digit against the others at l2 = 1e-6 ended
// 4 % above the minimum.) The error of E goes with the square of the gradient, so a floor of 1e-4 is small enough for
// most losses. The slopes of a penalised logistic loss keep their digits, so its floor is 1e-12. Without a penalty
// there is no minimum where all slopes vanish.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/optim/problem/smooth_function.hpp"

namespace discern {

// max(|grad L(0)|, 1e-6 sum_i s_i)
double certificate_scale(double norm_at_zero, double weight);

// The length of a gradient in units of the features' standard deviations, whatever the units of the problem
// (view/rescaled.hpp).
double norm_in_deviations(const Problem& problem, const Eigen::VectorXd& gradient);

// scale(u) as a function of S(u).
class CertificateScale {
 public:
  CertificateScale() = default;
  // The same at all points.
  explicit CertificateScale(double scale) : scale_(scale) {}
  CertificateScale(const Problem& problem, const Eigen::VectorXd& gradient_at_zero, double slopes_at_zero);

  double at(double slopes) const;

 private:
  double scale_ = 1;
  double slopes_at_zero_ = 0;
  double floor_ = 1e-4;
};

// The left side of the inequality. `at`: the smooth part of E at the point.
double certificate(const Problem& problem, const Eigen::VectorXd& point, const Evaluation& at,
                   const CertificateScale& scale);

// Sets the value and the certificate of a point, in one pass.
void certify(const Problem& problem, Minimum& minimum);

}  // namespace discern
