// Newton's method without a Hessian: each step minimises the quadratic model by preconditioned conjugate
// gradients, which need products with the Hessian alone.
//
//   min_d  grad E(u)'d + 1/2 d'H(u)d,   the residual r down to a share of the gradient
//
// The share is a tenth at most, and no more than |grad E(u + d) - r| / |grad E(u)| of the step before: the error
// with which that model predicted the new gradient (the first choice of Eisenstat and Walker 1996). So a model is
// not solved more accurately than it describes E, and convergence is superlinear. The inner iterations end in any
// case when the residual is half of the gradient that the tolerance allows. Where the rows have a copy in single
// precision (hessian_products.hpp), it gives value and gradient at zero and after steps that are not the last;
// those at the point returned never come from it. Where E falls by less than half of what the model predicts, the
// minimum on the line is taken instead, and the next models are cautious (problem.hpp: the curvature of
// misclassified rows is raised). That ends with the first step whose fall the exact model would have predicted. For
// smooth losses without l1; where the loss is not convex, the inner iterations end at a direction without curvature.
#pragma once

#include <limits>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

// Ends without having converged after the step in which there have been more than `most_products`.
Minimum newton_cg(LinearFunction& function, const Eigen::VectorXd& start, const SolverOptions& options,
                  double most_products = std::numeric_limits<double>::infinity());

}  // namespace discern
