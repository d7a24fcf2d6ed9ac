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

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct ColumnSummary {
  double weight = 0;
  Eigen::VectorXd mean, deviation;  // standard deviation with divisor `weight`
  std::vector<bool> one_value;      // by column: all entries are equal
  bool constant(Index j) const { return one_value[static_cast<std::size_t>(j)]; }
};

// Of all rows of a source. Columns of sparse rows are mostly zeros, so that plain sums of entries and of
// their squares serve for them where
//
//   sum_i s_i x_ij^2 - sum_i s_i mean_j^2  >  1e-3 sum_i s_i x_ij^2,
//
// at the cost of three digits at most. They take 16 bytes a column, which for 50,000 columns stay in the
// cache where what ColumnMoments has of them does not: a quarter of its time. One column for which they do
// not serve sends all to ColumnMoments.
ColumnSummary column_summary(const Source& source, const Monitor& monitor = {});

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
