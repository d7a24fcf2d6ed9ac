// A direction of the weights along which the losses of all rows fall for ever, or stay as they are: with the
// margins y_i g_i of two classes, g_y - g_k of several,
//
//   y_i [1 z_i].v >= 0 for all i,     > 0 for some.
//
// Where there is such a direction (of recession), the classes are separated, completely or except for rows on the
// plane, and a likelihood without a penalty has no maximum. A solver moves along it only approximately: its steps
// also change the margins of rows on the plane a little, up or down. So the direction is computed from such a step.
// Of all directions that leave the margins of rows on the plane exactly as they are, the one is taken that raises
// the other margins most nearly in proportion to the step. It is accepted if it lowers no margin of any row by more
// than the rounding of the numbers of this row. A row far beyond all others is not separated by itself: a direction
// that changes its margin also changes those of the other rows. (With too many rows and weights for this, a step of
// Newton's method, which adds about 1 to margins, is taken as it is if it lowers no margin by more than a millionth.)
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// The least margin that a point gives to a row that counts (of softmax: over any other class).
double least_margin(const Problem& problem, const Eigen::VectorXd& point, const Monitor& monitor);

// A direction of recession: computed from one of the directions `near`, or from the margins that the point gives.
// Nothing where neither leads to one.
std::optional<Eigen::VectorXd> recession(const Problem& problem, const Eigen::VectorXd& point,
                                         const std::vector<Eigen::VectorXd>& near, const Monitor& monitor);

}  // namespace discern
