// Newton's method (iteratively reweighted least squares) with a line search, for problems of few enough
// weights that the Hessian can be factorised; smooth losses without l1.
//
//   H(u) d = -grad E(u),     u <- u + a d,     a = 1, 1/2, 1/4, ... until E falls (Armijo)
//
// A Hessian that is singular up to rounding is inverted on the rest (minimum-norm step). When the tolerance
// has been reached one more step is taken if it makes the gradient smaller still, since at that point a step
// squares the error. On squared loss the first step is the closed form.
//
// A squared hinge under an l2 on which steps become short goes through interior points (interior_point.hpp)
// and is finished from there. Iterations that no longer lower E or its gradient end it.
//
// A logistic problem without a penalty ends when every sample is on its side of the plane, which proves that
// no minimum exists (model/separable/separation.hpp says so).
//
// With many rows the first steps are taken on a sample of them and the last share a Hessian.
//
// Softmax is solved in K - 1 coordinates a feature: the scores are Q times them, Q's orthonormal columns
// spanning the vectors that sum to zero, so the redundant direction is gone while |W|^2 stays the same.
#pragma once

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

struct NewtonMinimum : Minimum {
  Index rank = 0;          // of the features, from the Hessian at the start
  bool unbounded = false;  // ended because there is no minimum
  bool singular = false;   // the last Hessian was, up to rounding or nearly so
  bool held = false;       // it is known that the curvature holds the point (lower_point.hpp)
};

NewtonMinimum newton(const Problem& problem, const SolverOptions& options);
// From a point that is known to be near; every step has a Hessian of its own.
NewtonMinimum newton_from(const Problem& problem, const Eigen::VectorXd& start, const SolverOptions& options);
// The same for a function of the problem's points that adds something to it, given by its expansions.
NewtonMinimum newton(const Problem& problem, const SolverOptions& options, const ExpansionAt& expansion);

}  // namespace discern
