// The limited-memory BFGS method (Nocedal 1980): the inverse Hessian is modelled from the last ten
// differences of points and gradients. The step length satisfies the weak Wolfe conditions
//
//   E(u + t d) <= E(u) + 1e-4 t grad E(u)'d,     grad E(u + t d)'d >= 0.9 grad E(u)'d
//
// found by doubling and bisection; nearly always t = 1, so that an iteration is one pass. For smooth losses,
// convex or not, without l1.
#pragma once

#include "discern/optim/function.hpp"
#include "discern/optim/minimum.hpp"

namespace discern {

Minimum lbfgs(LinearFunction& function, const Eigen::VectorXd& start, const SolverOptions& options);

}  // namespace discern
