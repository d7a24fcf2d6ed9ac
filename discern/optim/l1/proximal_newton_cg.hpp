// Newton's method with conjugate gradients (newton_cg.hpp) for objectives with l1: each step minimises
//
//   m(v) = grad E(u)'(v - u) + 1/2 (v - u)'H(u)(v - u) + sum_c l1_c |v_c|
//
// over one orthant face after the other. On a face every weight keeps its sign, a weight at zero stays
// there unless its slope exceeds l1 (then it may leave to the side that falls), and m is quadratic: conjugate
// gradients, preconditioned by the diagonal. Weights that would cross zero end at zero. All work is products
// with the Hessian, threaded passes over the rows, where coordinate descent would go column by column on one
// thread: the way for sparse rows with many features. For smooth convex losses of one score.
//
// Among nearly collinear features the faces change without end; after three models that could not be
// minimised it gives up, not converged, and leaves the rest to coordinate descent (cd.hpp).
#pragma once

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

Minimum proximal_newton_cg(LinearFunction& function, const SolverOptions& options);

}  // namespace discern
