// Orthogonal least squares (Chen, Cowan and Grant 1991): forward selection of the columns that explain
// targets best, one after the other. With w_j what is left of column j once the chosen ones are projected out
// of it,
//
//   error reduction ratio of column j = sum_t (w_j . y_t)^2 / (w_j . w_j) / sum_t |y_t|^2
//
// is by how much the squared error of least squares falls, as a share of all, when j is added; the largest is
// taken. The ratios of the chosen columns add up to the share of |y|^2 that least squares on them explains.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/row.hpp"

namespace discern {

struct ForwardSelection {
  std::vector<Index> columns;  // in the order in which they were chosen
  std::vector<double> ratios;
  bool interrupted = false;  // the monitor stopped it: these are the first of them
};

// Chooses up to `count` of the columns p, fewer when the rest adds nothing. Both p and y have as many rows,
// centred and multiplied by the square roots of the sample weights. Destroys p.
ForwardSelection select_forward(Eigen::MatrixXd& p, Eigen::MatrixXd y, Index count,
                                const Monitor& monitor = {});

}  // namespace discern
