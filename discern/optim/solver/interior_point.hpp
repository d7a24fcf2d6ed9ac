// The hinge losses by a primal-dual interior-point method: Newton's method on their optimality conditions,
// with the products that must vanish held at a barrier m that falls to zero (Mehrotra 1992; Ferris and Munson
// 2002). For the hinge
//
//   min 1/2 sum_j l2_j u_j^2 + sum_i s_i x_i     y_i g_i + x_i - z_i = 1,   x, z >= 0
//   l2_j u_j = sum_i p_i y_i z_ij,     p_i z_i = m,     (s_i - p_i) x_i = m,     0 < p < s
//
// and for its square, where x_i is p_i / (2 s_i),
//
//   min 1/2 sum_j l2_j u_j^2 + sum_i s_i x_i^2   y_i g_i + x_i - z_i = 1,   z >= 0
//   l2_j u_j = sum_i p_i y_i z_ij,     p_i z_i = m,     0 < p
//
// A step is one weighted normal matrix [1 Z]'T[1 Z] + diag(l2), as in Newton's method for a smooth loss, so
// some twenty passes over the data reach full accuracy however degenerate the problem is. The result has the
// dual variables p, from which the dual (dual_cd.hpp) solves for the samples of the hinge that are strictly
// between their bounds. The certificate is the duality gap of the hinge, and the sum of the products for its
// square, which Newton's method then finishes. For l2 above zero, no l1, a bias penalised or not.
#pragma once

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

Minimum interior_point(const Problem& problem, const SolverOptions& options);

}  // namespace discern
