// Newton's method (iteratively reweighted least squares) with a line search, for problems of few enough
// weights that the Hessian can be factorised; smooth losses without l1.
//
//   H(u) d = -grad E(u),     u <- u + a d,     a = 1, 1/2, 1/4, ... until E falls (Armijo)
//
// A Hessian that is singular up to rounding is inverted on the rest (minimum-norm step). When the tolerance
// has been reached one more step is taken if it makes the gradient smaller still, since at that point a step
// squares the error. On squared loss the first step is the closed form. Iterations that no longer lower E or
// its gradient end it. Softmax is solved without its redundant direction (view/newton_coordinates.hpp).
//
// A logistic problem without a penalty ends when every sample is on its side of the plane, which proves that
// no minimum exists (confirm/separation.hpp).
#pragma once

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

// The rank of the result is that of the features, from the Hessian at the start.
Minimum newton(const Problem& problem, const Eigen::VectorXd& start, const SolverOptions& options);
// Ends after five steps with a length below 0.1. For a squared hinge with separated classes under a weak penalty
// only few rows are inside the margin, and nearly every step has to stop where another row enters it (409 steps on
// 5,000 x 300). The interior-point method does not have this difficulty.
Minimum newton_until_steps_are_short(const Problem& problem, const Eigen::VectorXd& start,
                                     const SolverOptions& options);
// For a function of the problem's points that adds something to it, given by its expansions; from zero.
Minimum newton(const Problem& problem, const SolverOptions& options, const ExpansionAt& expansion);

// With many rows the fit of a sample gives the start. The Hessian of all rows there serves for several steps, each
// corrected by L-BFGS from the gradients seen, because a pass without the Hessian takes a third of the time of one
// with it. On 400,000 x 50 this takes two passes with a Hessian and four without, instead of eight with one.
bool has_many_rows(const Problem& problem);
Minimum newton_with_shared_hessian(const Problem& problem, const SolverOptions& options);

}  // namespace discern
