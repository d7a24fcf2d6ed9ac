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
// One sample's p at a time, in an order shuffled every sweep; samples that sit at a bound and want to stay
// are left out until the end (shrinking). A penalised bias is one more feature and has no constraint. For the
// bias that is not penalised the constraint is approached by the method of multipliers: the bias is held near
// its last value by a weak penalty that moves along with it. When the samples strictly between their bounds
// are few enough, the equations that hold at the solution are solved for them, which ends a slow descent.
// Such solutions may take some seconds together, and as many operations more as the sweeps did.
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

// `start`: p to begin with, taken to be at a bound where it is within a millionth of it (of zero: a millionth
// of the largest, which weak penalties make small against s); empty for none.
Minimum dual_coordinate_descent(const Problem& problem, std::uint64_t seed, const SolverOptions& options,
                                const Eigen::VectorXd& start = {});

}  // namespace discern
