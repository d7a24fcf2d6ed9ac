// The limited-memory BFGS method (Nocedal 1980): the inverse Hessian is modelled from the last ten
// differences of points and gradients, on top of an approximation that the caller knows. The step length
// satisfies the weak Wolfe conditions
//
//   E(u + t d) <= E(u) + 1e-4 t grad E(u)'d,     grad E(u + t d)'d >= 0.9 grad E(u)'d
//
// found by doubling and bisection; nearly always t = 1, so that an iteration is one pass. For smooth losses,
// convex or not, without l1.
#pragma once

#include <functional>

#include "discern/optim/descent.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/minimum.hpp"

namespace discern {

// A symmetric positive definite approximation of the inverse Hessian, times a vector.
using InverseHessian = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Minimum lbfgs(LinearFunction& function, const Start& start, const InverseHessian& inverse,
              const SolverOptions& options);

// From zero, with preconditioner.hpp's approximation there.
Minimum preconditioned_lbfgs(LinearFunction& function, const SolverOptions& options);

}  // namespace discern
