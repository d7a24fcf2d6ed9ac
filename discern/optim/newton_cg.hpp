// Newton's method without a Hessian: each step minimises the quadratic model by preconditioned conjugate
// gradients, which need products with the Hessian alone.
//
//   min_d  grad E(u)'d + 1/2 d'H(u)d,   the residual down to min(0.1, sqrt(certificate)) of the gradient
//
// so that convergence is superlinear. Where the model promises more than twice the fall that comes, the
// minimum on the line is taken instead, and the next models are cautious (problem.hpp: the curvature of
// misclassified rows is raised) until the exact one would have foretold a step. Both are decided from the
// scores, which the inner iterations know, and cost no pass over the data. For smooth losses without l1;
// where the loss is not convex, the inner iterations end at a direction without curvature.
#pragma once

#include "discern/optim/function.hpp"
#include "discern/optim/minimum.hpp"

namespace discern {

Minimum newton_cg(LinearFunction& function, const Eigen::VectorXd& start, const SolverOptions& options);

}  // namespace discern
