// Weight, mean, centred sum of squares, smallest and largest value of every column, in one fold.
//
//   mean_j = sum_i s_i x_ij / sum_i s_i,      M2_j = sum_i s_i (x_ij - mean_j)^2
//
// Kept centred (raw power sums would cancel) and merged by Chan, Golub and LeVeque's update. Of sparse rows
// only the stored entries are gone through; the zeros are added in result().
#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct ColumnSummary {
  double weight = 0;
  Eigen::VectorXd mean, deviation;  // standard deviation with divisor `weight`
  Eigen::VectorXd low, high;
  bool constant(Index j) const { return low[j] == high[j]; }
};

class ColumnMoments {
 public:
  explicit ColumnMoments(Index columns);
  void add(const Block& block);
  void merge(const ColumnMoments& other);
  double bytes() const { return 40.0 * static_cast<double>(cells_.size()); }
  ColumnSummary result() const;

  template <class Self, class Visitor>
  static void visit_state(Self& self, Visitor&& visit) {
    visit("weight", self.weight_);
    auto cells = self.cell_numbers();
    visit("columns", cells);
    self.set_cells(cells);
  }

 private:
  // What is known of a column, together in memory because sparse rows go from one column to the next.
  struct Cell {
    double seen = 0;  // weight of the entries gone through
    double mean = 0, squares = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void merge(const Cell& other);
  };
  template <class T>
  void add_rows(const DenseRows<T>& rows, const Block& block);
  template <class T>
  void add_columns(const DenseRows<T>& rows, const Block& block, Index begin, Index count);
  template <class T>
  void add_rows(const SparseRows<T>& rows, const Block& block);

  // The cells as rows of a matrix: seen, mean, squares, low, high.
  RowMajor cell_numbers() const;
  void set_cells(const RowMajor& numbers);
  void set_cells(const RowMajor&) const {}

  double weight_ = 0;  // of all rows
  std::vector<Cell> cells_;
};

}  // namespace discern
