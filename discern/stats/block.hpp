// Blocks as Eigen sees them.
#pragma once

#include <Eigen/Core>

#include "discern/data/source.hpp"

namespace discern {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The rows as a dense double matrix in `out`, minus the center (empty: zero) and divided by the
// scale (empty: one), after `ones` columns of ones.
void dense_rows(const Rows& rows, const Eigen::VectorXd& center, const Eigen::VectorXd& scale, RowMajor& out,
                Index ones = 0);

}  // namespace discern
