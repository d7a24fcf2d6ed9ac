// Coordinate descent for l1 (and l2) penalties on smooth convex losses, the softmax loss included.
//
//   repeat   find the features whose weights are not zero or whose slope the l1 penalty does not hold at zero
//            (the working set) from a pass over all data
//            minimise over those alone: Newton steps, each a quadratic problem with the l1 penalty, solved by
//            coordinate descent (quadratic_cd.hpp), with a line search on the scores
//
// until the least subgradient over all features is within the tolerance (Friedman, Hastie and Tibshirani
// 2010; Johnson and Guestrin 2015). The working set is at most doubled each time, so that the passes over all
// features are few and the quadratic problems small. On squared loss one Newton step is exact.
#pragma once

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

Minimum coordinate_descent(const Problem& problem, const Eigen::VectorXd& start,
                           const SolverOptions& options);

}  // namespace discern
