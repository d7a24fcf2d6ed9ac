// Nonlinear conjugate gradients, preconditioned with an approximation M of the Hessian (preconditioner.hpp):
//
//   d <- -M^-1 grad E + b d,     b = max(0, (g - g_before)' M^-1 g / (g_before' M^-1 g_before))
//
// (Polak and Ribiere's rule, restarted when negative), each step to the minimum on the line. For squared loss
// this is the linear method of Hestenes and Stiefel. For smooth losses without l1.
//
// Of a function that is not one of linear scores M is the identity, and a step is one that takes away nine
// tenths of the slope (Descent::move_along).
#pragma once

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/solver/descent.hpp"

namespace discern {

Minimum conjugate_gradients(LinearFunction& function, const Eigen::VectorXd& start,
                            const SolverOptions& options);
Minimum conjugate_gradients(SmoothFunction& function, const Start& start, const SolverOptions& options);

}  // namespace discern
