// Whether a point that a gradient says is a minimum really is one: a look for a lower point along the steps
// that Newton's method would take with all rows, and with those alone that are not flat (problem.hpp).
//
//   H = [1 Z]' diag(s L'') [1 Z] + diag(l2) of one score with up to 500 features, where its factor keeps
//       digits; otherwise the triangle of the rows themselves, which has twice as many (features that are
//       alike up to 1e-12 are told apart; stats/triangle.hpp)
//   the diagonal of H alone for more features, several scores, or with l1
//
// A direction that leads nowhere, as at the kink of a row that begins to count a little further, says that
// the point is as good as it seems.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/minimum.hpp"
#include "discern/optim/problem.hpp"

namespace discern {

// Whether the Hessian of a problem takes little enough time.
bool has_small_factor(const Problem& problem);

// A point where E is lower by more than this share; nothing where none was found.
std::optional<Eigen::VectorXd> lower_point(const Problem& problem, const Eigen::VectorXd& point,
                                           double share);
// The share that what a solver has found may be above the minimum: the duality gap, or about the square of
// what is left of the gradient, and what ten digits of E show.
double tolerated_share(const Minimum& found, double tol);

}  // namespace discern
