#include "discern/stats/column_moments.hpp"

#include <cmath>

namespace discern {

ColumnMoments::ColumnMoments(Index columns) : cells_(static_cast<std::size_t>(columns)) {}

void ColumnMoments::add(const Block& block) {
  std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
  for (Index i = 0; i < block.rows(); ++i) weight_ += block.weight(i);
}

// The block's own mean first, as the mean of the differences from its first row so that no digits are lost
// far from zero; then the squares about it; then a merge.
template <class T>
void ColumnMoments::add_rows(const DenseRows<T>& rows, const Block& block) {
  const auto row = [&](Index i) {
    return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(rows.row(i).values, rows.cols)
        .template cast<double>();
  };
  const Eigen::ArrayXd first = row(0);
  Eigen::ArrayXd mean = Eigen::ArrayXd::Zero(rows.cols), squares = mean, low = first, high = first;
  double weight = 0;
  for (Index i = 0; i < rows.rows; ++i) {
    mean += block.weight(i) * (row(i) - first);
    low = low.min(row(i));
    high = high.max(row(i));
    weight += block.weight(i);
  }
  if (weight <= 0) return;
  mean = first + mean / weight;
  for (Index i = 0; i < rows.rows; ++i) squares += block.weight(i) * (row(i) - mean).square();
  for (Index j = 0; j < rows.cols; ++j)
    cells_[static_cast<std::size_t>(j)].merge({weight, mean[j], squares[j], low[j], high[j]});
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
  ColumnSummary summary{weight_, Eigen::VectorXd(columns), Eigen::VectorXd(columns), Eigen::VectorXd(columns),
                        Eigen::VectorXd(columns)};
  for (Index j = 0; j < columns; ++j) {
    Cell cell = cells_[static_cast<std::size_t>(j)];
    // The zeros that sparse rows do not store.
    if (const double zeros = weight_ - cell.seen; zeros > 1e-9 * weight_) cell.merge({zeros, 0, 0, 0, 0});
    summary.mean[j] = cell.mean;
    summary.low[j] = cell.low;
    summary.high[j] = cell.high;
    summary.deviation[j] = std::sqrt(cell.squares / std::max(weight_, 1e-300));
    // Squares below the range of double would make a column look constant that is not.
    if (summary.deviation[j] == 0 && !summary.constant(j)) summary.deviation[j] = cell.high - cell.low;
  }
  return summary;
}

}  // namespace discern
