// Newton's method without a Hessian: each step minimises the quadratic model by preconditioned conjugate
// gradients, which need products with the Hessian alone.
//
//   min_d  grad E(u)'d + 1/2 d'H(u)d,   the residual r down to a share of the gradient
//
// The share is a tenth at most, and no more than |grad E(u + d) - r| / |grad E(u)| of the step before: how
// far the model was from the gradient that came (the first choice of Eisenstat and Walker 1996). So a model
// is not solved better than it is true, and convergence is superlinear. Nor is it solved further than half of
// what the tolerance allows. Where the rows have a copy (hessian_products.hpp), zero and steps that others
// follow are judged from that; the point given back never is. Where the model promises more than twice the
// fall that comes, the minimum on the line is taken instead, and the next models are cautious (problem.hpp:
// the curvature of misclassified rows is raised) until the exact one would have foretold a step. For smooth
// losses without l1; where the loss is not convex, the inner iterations end at a direction without curvature.
#pragma once

#include <limits>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

// Ends without having converged after the step in which there have been more than `most_products`.
Minimum newton_cg(LinearFunction& function, const Eigen::VectorXd& start, const SolverOptions& options,
                  double most_products = std::numeric_limits<double>::infinity());

}  // namespace discern
