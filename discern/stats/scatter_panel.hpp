// Rows gathered for a symmetric product,
//
//   S += sum_r z_r z_r',      of which only the lower triangle is kept
//
// at most `capacity` at a time, so that they stay in the cache, one after the other and each filled up with
// zeros to whole cache lines. The product goes through all rows for one tile of S after the other, whose
// twelve vectors of partial sums (three of four neighbouring columns, by four columns) stay in registers.
// Columns that are left over after the last whole vector are taken the other way round, by vectors of the
// columns before them, so that little is multiplied in vain. Vectors of eight, with AVX-512, were 1 % faster
// on a processor that has them: not worth a second kernel.
#pragma once

#include <Eigen/Core>
#include <span>

#include "discern/base/buffer.hpp"
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
  static constexpr Index capacity = 96;  // 64 and 160 took 2 % longer for 50 columns

  explicit ScatterPanel(Index columns);
  Index rows() const { return rows_; }
  Index room() const { return capacity - rows_; }
  Index stride() const { return stride_; }  // numbers from row to row, a multiple of eight
  // Makes room for more rows and returns the number of the first.
  Index extend(Index count);
  void append(const Eigen::Ref<const Eigen::RowVectorXd>& row);
  double* row(Index r) { return values_.data() + r * stride_; }

  // Sum, smallest and largest value of every column of some rows.
  struct Totals {
    Eigen::VectorXd sum, low, high;
    void clear(Index columns);
  };
  // Adds the last `count` rows, which have these weights (empty: all are 1), to the totals, and multiplies
  // them by the roots of the weights.
  void total(Index count, std::span<const double> weights, Totals& totals);

  // Adds the product of the rows to s, and forgets them.
  void add_to(Eigen::MatrixXd& s, RowsAhead ahead = {});

 private:
  Index columns_, stride_, rows_ = 0;
  Buffer<double> values_;
};

}  // namespace discern
