// Dual coordinate descent for losses of the margin with an l2 penalty (Hsieh et al. 2008; Yu, Huang and Lin
// 2011).
//
//   primal   min_v,b  1/2 |v|^2 + sum_i s_i L(y_i (a_i.v + b)),   a_ij = z_ij / sqrt(l2_j),  v_j = sqrt(l2_j) u_j
//   dual     max_p    sum_i D_i(p_i) - 1/2 |v|^2,   v = sum_i p_i y_i a_i,   sum_i p_i y_i = 0
//
//   hinge            D(p) = p                    0 <= p <= s
//   squared hinge    D(p) = p - p^2 / (4 s)      0 <= p
//   logistic         D(p) = s log s - p log p - (s - p) log(s - p)      0 <= p <= s
//
// One sample's p at a time, in an order shuffled every sweep. Samples at a bound whose slope keeps them there are
// left out, and looked at again every twenty sweeps and when the others have settled (shrinking). A penalised bias is
// one more feature and has no constraint. For a bias that is not penalised the constraint is approached by the method
// of multipliers: a weak penalty holds the bias near its value after the last sweep. When there are few enough
// samples strictly between their bounds, the equations that hold for them at the solution are solved directly, which
// ends a slow descent. These direct solutions may take 5e9 operations in all, plus as many as the sweeps have taken.
//
// The certificate is the relative duality gap (P - D) / |P|, with P at the best bias for v and D at p
// scaled so that the constraint holds; it bounds the distance of the objective from the minimum. Sequential
// by nature: more threads make it no faster. For hinge, squared hinge and logistic loss of one score, every
// weight with l2 above zero, no l1.
#pragma once

#include <cstdint>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// `start`: p to begin with; empty: none. A p within a millionth of its upper bound starts at the bound. A p below a
// millionth of s and of the largest p starts at zero (under weak penalties all p are small compared with s).
Minimum dual_coordinate_descent(const Problem& problem, std::uint64_t seed, const SolverOptions& options,
                                const Eigen::VectorXd& start = {});

}  // namespace discern
