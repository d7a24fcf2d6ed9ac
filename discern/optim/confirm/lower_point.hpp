// Whether a point that a gradient says is a minimum really is one.
//
// As long as the curvature stays at least t in every direction,
//
//   E(u) - E(minimum) <= |grad E(u)|^2 / (2 t),     H - t I >= 0,
//
// with the least subgradient where there is l1, and H of some of the rows, which is hardly more than that of
// all, may be enough to see it. Otherwise a look for a lower point, along the steps that Newton's method
// would take with all rows and with those alone that are not flat (problem.hpp): with H where that takes
// little enough time (newton_step.hpp), with its diagonal otherwise. A direction that leads nowhere, as at
// the kink of a row that begins to count a little further, says that the point is as good as it seems.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// Whether the Hessian of a problem takes little enough time.
bool has_small_factor(const Problem& problem);

// Whether h holds a point with a gradient of this length to within a share of E.
bool curvature_holds(Eigen::MatrixXd h, double gradient, double value, double share);
// The same with the curvature of some of the rows, of those that are not flat. Of a problem with a small
// factor.
bool held_by_curvature(const Problem& problem, const Eigen::VectorXd& point, double share,
                       const Monitor& monitor);

// A point where E is lower by more than this share and the rounding of the scores; nothing where none was
// found.
std::optional<Eigen::VectorXd> lower_point(const Problem& problem, const Eigen::VectorXd& point, double share,
                                           const Monitor& monitor);
// The share that what a solver has found may be above the minimum: the duality gap, or what the square of a
// gradient within the tolerance comes to under little curvature, and what ten digits of E show.
double tolerated_share(const Minimum& found, double tol);

}  // namespace discern
