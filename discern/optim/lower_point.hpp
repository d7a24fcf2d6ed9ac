// Whether a point that a gradient says is a minimum really is one.
//
// Where the curvature is at least t in every direction,
//
//   E(u) - E(minimum) <= |grad E(u)|^2 / (2 t)     if H - t I >= 0,
//
// and H of some of the rows, which is never more than that of all, may be enough to prove it. Otherwise a
// look for a lower point, along the steps that Newton's method would take with all rows and with those alone
// that are not flat (problem.hpp): with H where that takes little enough time (newton_step.hpp), with its
// diagonal for more weights or with l1. A direction that leads nowhere, as at the kink of a row that begins
// to count a little further, says that the point is as good as it seems.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/minimum.hpp"
#include "discern/optim/problem.hpp"

namespace discern {

// Whether the Hessian of a problem takes little enough time.
bool has_small_factor(const Problem& problem);

// Whether the curvature of some rows that are not flat proves that no point has an E lower by more than this
// share. Of a problem with a small factor; the gradient is that at the point.
bool held_by_curvature(const Problem& problem, const Eigen::VectorXd& point, double share);

// A point where E is lower by more than this share; nothing where none was found.
std::optional<Eigen::VectorXd> lower_point(const Problem& problem, const Eigen::VectorXd& point,
                                           double share);
// The share that what a solver has found may be above the minimum: the duality gap, or about the square of
// what is left of the gradient, and what ten digits of E show.
double tolerated_share(const Minimum& found, double tol);

}  // namespace discern
