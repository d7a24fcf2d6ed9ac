// A direction of the weights along which the losses of all rows fall for ever, or stay as they are: with the
// margins y_i g_i of two classes, g_y - g_k of several,
//
//   y_i [1 z_i].v >= 0 for all i,     > 0 for some.
//
// Where there is one, the classes are separated, completely or but for rows on the plane, and a likelihood
// without a penalty has no maximum. Solvers run along it without meeting it: rows on the plane change by as
// much as the tolerance leaves. So what they show is put right: of the directions that leave rows on the
// plane exactly where they are the one is taken that raises the others most alike, and that has to hold for
// every row up to the rounding of its own numbers. A row far beyond all others is none that a plane
// separates: the others hold what would move it. (Where there are too many rows and weights for that, a step
// of Newton's method, which adds about 1 to margins, is taken as it is if it lowers none by a millionth.)
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// The least margin that a point gives to a row that counts (of softmax: over any other class).
double least_margin(const Problem& problem, const Eigen::VectorXd& point, const Monitor& monitor);

// One that is to be seen from a point, or near some directions, that is, with much of what those add to
// margins; nothing where there is none.
std::optional<Eigen::VectorXd> recession(const Problem& problem, const Eigen::VectorXd& point,
                                         const std::vector<Eigen::VectorXd>& near, const Monitor& monitor);

}  // namespace discern
