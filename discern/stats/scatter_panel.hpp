// Rows gathered for a symmetric product,
//
//   S += sum_r z_r z_r',      of which only the lower triangle is kept
//
// at most `capacity` at a time, so that they stay in the cache (96 took 23 ms for all of qda where 128 and 64
// took 25). They lie in strips of four columns, one row of a strip after the other: the product then reads
// each strip from one end to the other, and twelve vectors of partial sums (three strips by four columns)
// stay in registers. For 400,000 rows of 50 columns it takes 13.8 ms on two cores with AVX2 (73 of their 112
// GFLOP/s), where Eigen's rankUpdate takes 16.4.
#pragma once

#include <Eigen/Core>
#include <span>

#include "discern/data/row.hpp"

namespace discern {

// Rows in memory that will be gathered next, fetched into the cache bit by bit while the processor is busy
// with a product: rows of one class lie scattered, and the processor cannot know which will be asked for.
struct RowsAhead {
  const char* first = nullptr;  // row 0
  Index width = 0;              // bytes from row to row
  std::span<const Index> rows = {};

  Index lines() const { return static_cast<Index>(rows.size()) * (width / line + 1); }
  // Inlined by force: GCC takes functions that only prefetch for ones without effect and drops their calls.
  [[gnu::always_inline]] void fetch(Index count) {
    for (; count > 0 && !rows.empty(); --count) {
      __builtin_prefetch(first + rows.front() * width + offset, 0, 2);
      offset += line;
      if (offset < width) continue;
      offset = 0;
      rows = rows.subspan(1);
    }
  }

  static constexpr Index line = 64;
  Index offset = 0;
};

class ScatterPanel {
 public:
  static constexpr Index capacity = 96, strip_width = 4;

  explicit ScatterPanel(Index columns);
  Index rows() const { return rows_; }
  Index room() const { return capacity - rows_; }
  Index strips() const { return strips_; }
  // Makes room for more rows and returns the number of the first.
  Index extend(Index count);
  void append(const Eigen::Ref<const Eigen::RowVectorXd>& row);
  double* strip(Index s, Index row) { return values_.data() + s * stride + strip_width * row; }
  double& at(Index row, Index column) { return strip(column / strip_width, row)[column % strip_width]; }

  // Centres the last `count` rows on their mean and multiplies them by the roots of their weights (empty: all
  // are 1). Mean, smallest and largest value of each column go to arrays of 4 strips() numbers.
  void centre(Index count, std::span<const double> weights, double* mean, double* low, double* high);

  // Adds the product of the rows to s, and forgets them.
  void add_to(Eigen::MatrixXd& s, RowsAhead ahead = {});

 private:
  // Not a power of two: strips would fall on each other in the cache.
  static constexpr Index stride = strip_width * capacity + 8;

  template <bool weighted>
  void centre_strip(double* z, Index count, double total, double* mean, double* low, double* high) const;
  template <int width>
  void tile(Index i, Index j, Eigen::MatrixXd& s);

  Index columns_, strips_, rows_ = 0;
  Eigen::VectorXd values_;
  Eigen::VectorXd weights_, roots_;  // of the rows that are being centred
};

}  // namespace discern
