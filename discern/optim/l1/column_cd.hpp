// Coordinate descent on the quadratic model of a loss of one score, over the columns of sparse features:
//
//   min_v  g'(v - u) + 1/2 sum_i h_i t_i^2 + sum_c (l2_c/2 (v_c - u_c)^2 + l1_c |v_c|),     t = Z (v - u)
//
// The changes t of the scores are kept up to date, so a step costs the entries of its column and no matrix
// is formed: the way for many coordinates (quadratic_cd.hpp is that for few). Coordinates that a sweep leaves
// at zero, well inside their threshold, are left out until the others have settled.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "discern/data/features.hpp"

namespace discern {

struct SparseColumns {
  explicit SparseColumns(const SparseMatrix<double>& rows);
  Index rows, cols;
  std::vector<std::int64_t> starts;  // cols + 1
  std::vector<std::uint32_t> row;
  std::vector<double> value;
  SparseRow<double> column(Index j) const {
    return {value.data() + starts[static_cast<std::size_t>(j)],
            row.data() + starts[static_cast<std::size_t>(j)],
            starts[static_cast<std::size_t>(j) + 1] - starts[static_cast<std::size_t>(j)]};
  }
};

struct ColumnModel {
  const SparseColumns* z = nullptr;
  bool bias = true;              // coordinate 0 is a column of ones; otherwise it does not move
  Eigen::VectorXd h;             // a row each
  Eigen::VectorXd g, u, l1, l2;  // a coordinate each: the bias, then the columns
};

struct ColumnMinimum {
  Eigen::VectorXd v;
  double residual = 0;  // the length of the least subgradient as the last sweep met it
};

// Until the residual is at most `accuracy`, or for a number of sweeps.
ColumnMinimum column_cd(const ColumnModel& model, double accuracy, Index sweeps);

}  // namespace discern
