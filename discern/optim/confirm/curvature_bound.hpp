// Whether the curvature proves that a point with a small gradient is a minimum. As long as the curvature stays
// at least t in every direction,
//
//   E(u) - E(minimum) <= |grad E(u)|^2 / (2 t),     H - t I >= 0,
//
// with the least subgradient where there is l1. H is summed over some of the rows only: more rows can only add
// curvature, so the bound holds for all.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/candidate.hpp"

namespace discern {

// By which share of E a result may be above the minimum: 2 tol for a duality gap, 1e4 tol^2 for a gradient (its
// square, divided by a small curvature), and never less than 1e-10.
double tolerated_share(const Minimum& found, double tol);

// Whether the Hessian h proves that E - E(minimum) is at most this share of E, at a point with this value and a
// gradient of this length.
bool curvature_bounds(Eigen::MatrixXd h, double gradient, double value, double share);
// The same with the curvature of some of the candidate's rows. For a small Hessian (limits.hpp).
bool curvature_bounds(Candidate& candidate, double share);

}  // namespace discern
