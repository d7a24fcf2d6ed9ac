// Newton's method without a Hessian: each step minimises the quadratic model within a trust region by
// preconditioned conjugate gradients (Steihaug 1983), which needs products with the Hessian alone.
//
//   min_d  grad E(u)'d + 1/2 d'H(u)d,   |d|_M <= radius,   M ~ H(u) (preconditioner.hpp)
//
// The inner residual is asked to fall to min(0.1, sqrt(certificate)) of the gradient, so that convergence is
// superlinear. Whether a step is taken is decided from the scores, which the inner iterations know: trying
// costs no pass over the data. For smooth losses without l1.
#pragma once

#include "discern/optim/function.hpp"
#include "discern/optim/minimum.hpp"

namespace discern {

Minimum newton_cg(LinearFunction& function, const Eigen::VectorXd& start, const SolverOptions& options);

}  // namespace discern
