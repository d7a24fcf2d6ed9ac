// A problem in coordinates that fit what its rows still see of the features at a point.
//
// A feature is scaled by its standard deviation. Where a few rows make that (a 1e9 that stands for a missing
// value) and the point has them far on their side of the plane, nothing is left of it: the loss is flat for
// these rows, and for all others the feature hardly varies in units of its deviation. Its slope is then next
// to nothing whatever its weight, and proves nothing: the squared hinge ended half above its minimum. What
// tells is the diagonal of the Hessian,
//
//   left_j = H_jj / sum_i s_i L''(g_i),     about 1 in units of the deviation,
//
// and where less than 1e-4 is left the unit of the feature becomes sqrt(left_j) of what it was. (The error of
// E goes with the square of a slope over its curvature, so that more than 1e-4 cost no digits that matter.)
// Rows that are flat (problem.hpp) do not count. What gradients are compared with stays in the units of the
// deviations (gradient_scale.hpp).
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// The unit of each feature that fits a point, as a share of the deviation: 1 where enough is left. From the
// Hessian's diagonal that a solver has found, or where it has none in two passes.
Eigen::VectorXd fitting_units(const Problem& problem, const Minimum& found);

class NarrowedProblem {
 public:
  // What `whole` refers to must outlive it.
  NarrowedProblem(const Problem& whole, const Eigen::VectorXd& units);

  const Problem& problem() const { return narrowed_; }
  // A point of the whole here, and one from here there.
  Eigen::VectorXd point_of(const Eigen::VectorXd& whole_point) const;
  Minimum original(Minimum found) const;
  SolverOptions watched(const SolverOptions& options) const;  // traces show points of the whole

 private:
  Problem narrowed_;
  Eigen::VectorXd units_;  // of every coordinate
};

}  // namespace discern
