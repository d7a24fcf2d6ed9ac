// The coordinates in which distances are measured: some of the columns of a source, each centred and divided
// by a scale,
//
//   u_j = (x_j - center_j) / scale_j
//
// Distances do not depend on the centre; it keeps their digits where the values lie far from zero.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct Coordinates {
  std::vector<Index> columns;  // of the source, ascending
  Eigen::VectorXd center, scale;

  Index size() const { return static_cast<Index>(columns.size()); }
};

struct CoordinateOptions {
  bool standardize = true;                      // scale: the standard deviation (divisor n); otherwise 1
  std::function<bool(Index)> unscaled = {};     // columns that keep their unit all the same
  std::function<std::string(Index)> name = {};  // of a column, for messages
  Monitor monitor = {};
};

// Centres on the means. Constant columns have scale 1. Throws Code::data for a column whose spread is beyond
// 1e+-150 (check_spread).
Coordinates fit_coordinates(const Source& source, std::vector<Index> columns,
                            const CoordinateOptions& options);

// Throws Code::data naming a column whose spread is so large or small (beyond 1e+-150) that its square leaves
// the range of double.
void check_spread(const Eigen::VectorXd& deviation, const std::function<std::string(Index)>& name);
// What it says of such a spread.
std::string spread_message(double deviation);

// Writes rows in these coordinates, all of them dense.
class CoordinateRows {
 public:
  CoordinateRows(const Coordinates& coordinates, Index source_columns);
  // Rows first to first + count - 1, into the first rows of `out`; the rest of `out` becomes zero.
  void write(const Rows& rows, Index first, Index count, Eigen::Ref<RowMajor> out) const;

 private:
  template <class T>
  void write_row(DenseRow<T> x, double* u) const;
  template <class T>
  void write_row(SparseRow<T> x, double* u) const;

  const Coordinates* coordinates_;
  Eigen::VectorXd factor_, zero_;  // 1 / scale, and what a value of zero becomes
  std::vector<Index> place_;       // of each source column among the coordinates, -1 for those left out
};

}  // namespace discern
