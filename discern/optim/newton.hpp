// Newton's method with a line search, for smooth convex functions of few enough variables that the Hessian
// can be factorised.
//
//   H(t) d = -grad E(t),     t <- t + a d,     a = 1, 1/2, 1/4, ... until E falls (Armijo)
//
// Stops when |grad E(t)| <= tol * scale, where scale is the size of the gradient at zero; then one more step
// is taken if it makes the gradient smaller still, since at that point a step squares the error. A Hessian
// that is singular up to rounding is inverted on the rest (minimum-norm step).
#pragma once

#include <Eigen/Core>
#include <functional>

#include "discern/base/progress.hpp"
#include "discern/data/row.hpp"

namespace discern {

// A function's value and derivatives at one point.
struct Expansion {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;  // lower triangle
  bool unbounded = false;   // this point proves that the infimum is not attained
};

// Long evaluations ask the monitor whether to go on and throw Code::interrupted if not; the point so far is
// then the result. The first evaluation is given none, since before it there is nothing to keep.
using SmoothFunction = std::function<Expansion(const Eigen::VectorXd& point, const Monitor& monitor)>;

struct NewtonOptions {
  double tol = 1e-8;
  Index max_iter = 100;
  double weight = 1;  // for gradient_scale
  Monitor monitor;
};

struct NewtonResult {
  Eigen::VectorXd point;
  Expansion at;            // of the point
  double certificate = 0;  // |grad E(point)| / scale
  Index iterations = 0;
  Index rank = 0;  // of the Hessian at the start
  bool converged = false;
  bool interrupted = false;
  bool unbounded = false;     // stopped because Expansion::unbounded
  Eigen::VectorXd next_step;  // the Newton step from the point; large although the gradient is small when
                              // the function only falls towards infinity
};

NewtonResult newton(const SmoothFunction& function, Eigen::VectorXd start, const NewtonOptions& options);

}  // namespace discern
