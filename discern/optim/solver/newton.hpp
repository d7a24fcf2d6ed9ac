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
// Ends where five steps have been short. Separated classes under a weak penalty leave a squared hinge few rows
// that count, and every step is stopped by one that begins to (409 steps on 5,000 x 300): interior points get
// on there.
Minimum newton_until_steps_are_short(const Problem& problem, const Eigen::VectorXd& start,
                                     const SolverOptions& options);
// For a function of the problem's points that adds something to it, given by its expansions; from zero.
Minimum newton(const Problem& problem, const SolverOptions& options, const ExpansionAt& expansion);

// With many rows a sample gives the start. One Hessian of all rows there serves several steps, corrected by
// what their gradients show (L-BFGS on top of it), since a pass for the gradient alone costs a third. On
// 400,000 x 50 that is two passes with a Hessian and four without, instead of eight with.
bool has_many_rows(const Problem& problem);
Minimum newton_with_shared_hessian(const Problem& problem, const SolverOptions& options);

}  // namespace discern
