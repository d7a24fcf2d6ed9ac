#include "discern/stats/column_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// sum_i s_i x_ij and sum_i s_i x_ij^2 of the columns of sparse rows.
class SparseSums {
 public:
  explicit SparseSums(Index columns) : sums_(static_cast<std::size_t>(columns)) {}
  void add(const Block& block) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            const double weight = block.weight(i);
            if (weight <= 0) continue;
            weight_ += weight;
            for_each(rows.row(i), [&, to = sums_.data()](Index j, double v) {
              to[j] += Pair{weight * v, std::max(weight * v * v, some)};
            });
          }
        },
        block.x);
  }
  void merge(const SparseSums& other) {
    weight_ += other.weight_;
    for (std::size_t j = 0; j < sums_.size(); ++j) sums_[j] += other.sums_[j];
  }
  double bytes() const { return static_cast<double>(sizeof(Pair) * sums_.size()); }

  // Nothing where digits have been lost, or there is too little to tell a column that is constant.
  std::optional<ColumnSummary> result() const {
    constexpr double least_kept = 1e-3, least_squares = 1e-250;
    const auto columns = static_cast<Index>(sums_.size());
    ColumnSummary summary{weight_, Eigen::VectorXd::Zero(columns), Eigen::VectorXd::Zero(columns),
                          std::vector<bool>(sums_.size())};
    for (Index j = 0; j < columns; ++j) {
      const Pair& sum = sums_[static_cast<std::size_t>(j)];
      if (sum[1] == 0) {  // no entries: a column of zeros
        summary.one_value[static_cast<std::size_t>(j)] = true;
        continue;
      }
      const double mean = sum[0] / weight_, square = sum[1] / weight_, variance = square - mean * mean;
      if (!(sum[1] > least_squares && variance > least_kept * square && std::isfinite(variance))) return {};
      summary.mean[j] = mean;
      summary.deviation[j] = std::sqrt(variance);
    }
    return summary;
  }

 private:
  using Pair = double __attribute__((vector_size(16)));
  // Squares below the range of double and stored zeros are entries, too.
  static constexpr double some = std::numeric_limits<double>::denorm_min();

  double weight_ = 0;
  std::vector<Pair> sums_;
};

}  // namespace

ColumnSummary column_summary(const Source& source, const Monitor& monitor) {
  if (source.sparse())
    if (auto summary = fold(source, SparseSums(source.cols()), monitor).result()) return *std::move(summary);
  return fold(source, ColumnMoments(source.cols()), monitor).result();
}

ColumnMoments::ColumnMoments(Index columns) : cells_(static_cast<std::size_t>(columns)) {}

void ColumnMoments::add(const Block& block) {
  std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
  for (Index i = 0; i < block.rows(); ++i) weight_ += block.weight(i);
}

// Wide rows tile by tile: what is known of its columns stays in the first-level cache, its part of the block
// in the second.
template <class T>
void ColumnMoments::add_rows(const DenseRows<T>& rows, const Block& block) {
  constexpr Index tile = 256;
  for (Index first = 0; first < rows.cols; first += tile)
    add_columns(rows, block, first, std::min(tile, rows.cols - first));
}

// The block's own mean first, as the mean of the differences from its first row so that no digits are lost
// far from zero; then the squares about it; then a merge.
template <class T>
void ColumnMoments::add_columns(const DenseRows<T>& rows, const Block& block, Index begin, Index count) {
  const auto row = [&](Index i) {
    return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(rows.row(i).values + begin, count)
        .template cast<double>();
  };
  const Eigen::ArrayXd first = row(0);
  Eigen::ArrayXd mean = Eigen::ArrayXd::Zero(count), squares = mean, low = first, high = first;
  double weight = 0;
  const auto w = [&](Index i) { return block.weight(i); };
  // Four rows at a time where there are as many, which fetches and stores the sums a quarter as often.
  Index i = 0;
  for (; i + 4 <= rows.rows; i += 4) {
    // A tile's part of a row is too short for the processor to see where the next one is.
    for (Index ahead = i + 8; ahead < std::min(i + 12, rows.rows); ++ahead)
      for (Index j = 0; j < count; j += 64 / static_cast<Index>(sizeof(T)))
        __builtin_prefetch(rows.row(ahead).values + begin + j);
    mean += (w(i) * (row(i) - first) + w(i + 1) * (row(i + 1) - first)) +
            (w(i + 2) * (row(i + 2) - first) + w(i + 3) * (row(i + 3) - first));
    low = low.min(row(i).min(row(i + 1)).min(row(i + 2).min(row(i + 3))));
    high = high.max(row(i).max(row(i + 1)).max(row(i + 2).max(row(i + 3))));
    weight += (w(i) + w(i + 1)) + (w(i + 2) + w(i + 3));
  }
  for (; i < rows.rows; ++i) {
    mean += w(i) * (row(i) - first);
    low = low.min(row(i));
    high = high.max(row(i));
    weight += w(i);
  }
  if (weight <= 0) return;
  mean = first + mean / weight;
  for (i = 0; i + 4 <= rows.rows; i += 4)
    squares += (w(i) * (row(i) - mean).square() + w(i + 1) * (row(i + 1) - mean).square()) +
               (w(i + 2) * (row(i + 2) - mean).square() + w(i + 3) * (row(i + 3) - mean).square());
  for (; i < rows.rows; ++i) squares += w(i) * (row(i) - mean).square();
  for (Index j = 0; j < count; ++j)
    cells_[static_cast<std::size_t>(begin + j)].merge({weight, mean[j], squares[j], low[j], high[j]});
}

template <class T>
void ColumnMoments::add_rows(const SparseRows<T>& rows, const Block& block) {
  for (Index i = 0; i < rows.rows; ++i) {
    const double weight = block.weight(i);
    if (weight <= 0) continue;
    for_each(rows.row(i), [&](Index j, double v) {
      Cell& cell = cells_[static_cast<std::size_t>(j)];
      cell.seen += weight;
      const double delta = v - cell.mean;
      cell.mean += delta * weight / cell.seen;
      cell.squares += weight * delta * (v - cell.mean);
      cell.low = std::min(cell.low, v);
      cell.high = std::max(cell.high, v);
    });
  }
}

void ColumnMoments::Cell::merge(const Cell& other) {
  if (other.seen <= 0) return;
  const double total = seen + other.seen, delta = other.mean - mean;
  squares += other.squares + delta * delta * seen * other.seen / total;
  mean += delta * other.seen / total;
  seen = total;
  low = std::min(low, other.low);
  high = std::max(high, other.high);
}

void ColumnMoments::merge(const ColumnMoments& other) {
  weight_ += other.weight_;
  for (std::size_t j = 0; j < cells_.size(); ++j) cells_[j].merge(other.cells_[j]);
}

RowMajor ColumnMoments::cell_numbers() const {
  RowMajor numbers(static_cast<Index>(cells_.size()), 5);
  for (std::size_t j = 0; j < cells_.size(); ++j)
    numbers.row(static_cast<Index>(j)) << cells_[j].seen, cells_[j].mean, cells_[j].squares, cells_[j].low,
        cells_[j].high;
  return numbers;
}

void ColumnMoments::set_cells(const RowMajor& numbers) {
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    const auto n = numbers.row(static_cast<Index>(j));
    cells_[j] = {n[0], n[1], n[2], n[3], n[4]};
  }
}

ColumnSummary ColumnMoments::result() const {
  const auto columns = static_cast<Index>(cells_.size());
  ColumnSummary summary{weight_, Eigen::VectorXd(columns), Eigen::VectorXd(columns),
                        std::vector<bool>(cells_.size())};
  for (Index j = 0; j < columns; ++j) {
    Cell cell = cells_[static_cast<std::size_t>(j)];
    // The zeros that sparse rows do not store.
    if (const double zeros = weight_ - cell.seen; zeros > 1e-9 * weight_) cell.merge({zeros, 0, 0, 0, 0});
    summary.mean[j] = cell.mean;
    summary.one_value[static_cast<std::size_t>(j)] = cell.low == cell.high;
    summary.deviation[j] = std::sqrt(cell.squares / std::max(weight_, 1e-300));
    // Squares below the range of double would make a column look constant that is not.
    if (summary.deviation[j] == 0 && !summary.constant(j)) summary.deviation[j] = cell.high - cell.low;
  }
  return summary;
}

}  // namespace discern
