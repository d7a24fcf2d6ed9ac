// Whether the curvature proves that a point with a small gradient is a minimum. As long as the curvature stays
// at least t in every direction,
//
//   E(u) - E(minimum) <= |grad E(u)|^2 / (2 t),     H - t I >= 0,
//
// with the least subgradient where there is l1. H of some of the rows may be enough, since that of all is
// hardly less.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/candidate.hpp"

namespace discern {

// The share of E that a result may be above the minimum: the duality gap, or what the square of a gradient
// within the tolerance comes to under little curvature, and in any case what ten digits of E show.
double tolerated_share(const Minimum& found, double tol);

// Whether h bounds E - E(minimum) by a share of E at a point with a gradient of this length.
bool curvature_bounds(Eigen::MatrixXd h, double gradient, double value, double share);
// The same with the curvature of some of the candidate's rows. For a small Hessian (limits.hpp).
bool curvature_bounds(Candidate& candidate, double share);

}  // namespace discern
