// The hinge loss by a primal-dual interior-point method: Newton's method on its optimality conditions, with
// the products that must vanish held at a barrier m that falls to zero (Mehrotra 1992; Ferris and Munson
// 2002).
//
//   min 1/2 sum_j l2_j u_j^2 + sum_i s_i x_i     y_i g_i + x_i - z_i = 1,   x, z >= 0
//   l2_j u_j = sum_i p_i y_i z_ij,     p_i z_i = m,     (s_i - p_i) x_i = m,     0 < p < s
//
// A step is one weighted normal matrix [1 Z]'T[1 Z] + diag(l2), as in Newton's method for a smooth loss, so
// some twenty passes over the data reach full accuracy however degenerate the problem is. The point is then
// handed to dual_cd.hpp, which finds the samples strictly between the bounds and solves for them exactly.
// The certificate is that of dual_cd.hpp. For l2 above zero, no l1, a bias penalised or not.
#pragma once

#include <cstdint>

#include "discern/optim/minimum.hpp"
#include "discern/optim/problem.hpp"

namespace discern {

Minimum hinge_by_interior_point(const Problem& problem, std::uint64_t seed, const SolverOptions& options);

}  // namespace discern
