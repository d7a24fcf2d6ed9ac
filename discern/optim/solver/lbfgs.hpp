// The limited-memory BFGS method (Nocedal 1980): the inverse Hessian is modelled from the last ten
// differences of points and gradients, on top of an approximation M^-1 that the caller knows or else of the
// identity, times s'y / y'M^-1 y, s and y the last differences. The step length satisfies the weak Wolfe
// conditions (Descent::move_along, with 0.9); nearly always it is 1, so that an iteration is one pass. For
// smooth functions, convex or not.
#pragma once

#include <functional>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/solver/descent.hpp"

namespace discern {

// A symmetric positive definite approximation of the inverse Hessian, times a vector. Empty: none is known.
using InverseHessian = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

Minimum lbfgs(SmoothFunction& function, const Start& start, const InverseHessian& inverse,
              const SolverOptions& options);

// With preconditioner.hpp's approximation.
Minimum preconditioned_lbfgs(LinearFunction& function, const Eigen::VectorXd& from,
                             const SolverOptions& options);

}  // namespace discern
