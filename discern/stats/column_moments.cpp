#include "discern/stats/column_moments.hpp"

#include <limits>

namespace discern {

ColumnMoments::ColumnMoments(Index columns)
    : seen_(Eigen::VectorXd::Zero(columns)),
      mean_(Eigen::VectorXd::Zero(columns)),
      squares_(Eigen::VectorXd::Zero(columns)),
      low_(Eigen::VectorXd::Constant(columns, std::numeric_limits<double>::infinity())),
      high_(Eigen::VectorXd::Constant(columns, -std::numeric_limits<double>::infinity())) {}

void ColumnMoments::add(const Block& block) {
  std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
  for (Index i = 0; i < block.rows(); ++i) weight_ += block.weight(i);
}

// The block's own mean first, as the mean of the differences from its first row so that no digits are lost
// far from zero; then the squares about it; then a merge.
template <class T>
void ColumnMoments::add_rows(const DenseRows<T>& rows, const Block& block) {
  ColumnMoments part(mean_.size());
  const auto row = [&](Index i) {
    return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(rows.row(i).values, rows.cols)
        .template cast<double>();
  };
  const Eigen::ArrayXd first = row(0);
  double weight = 0;
  for (Index i = 0; i < rows.rows; ++i) {
    part.mean_.array() += block.weight(i) * (row(i) - first);
    part.low_ = part.low_.array().min(row(i));
    part.high_ = part.high_.array().max(row(i));
    weight += block.weight(i);
  }
  if (weight <= 0) return;
  part.mean_ = first + part.mean_.array() / weight;
  part.seen_.setConstant(weight);
  for (Index i = 0; i < rows.rows; ++i)
    part.squares_.array() += block.weight(i) * (row(i) - part.mean_.array()).square();
  merge(part);
}

template <class T>
void ColumnMoments::add_rows(const SparseRows<T>& rows, const Block& block) {
  for (Index i = 0; i < rows.rows; ++i) {
    const double weight = block.weight(i);
    if (weight <= 0) continue;
    for_each(rows.row(i), [&](Index j, double v) {
      seen_[j] += weight;
      const double delta = v - mean_[j];
      mean_[j] += delta * weight / seen_[j];
      squares_[j] += weight * delta * (v - mean_[j]);
      low_[j] = std::min(low_[j], v);
      high_[j] = std::max(high_[j], v);
    });
  }
}

void ColumnMoments::merge(const ColumnMoments& other) {
  weight_ += other.weight_;
  for (Index j = 0; j < mean_.size(); ++j) {
    const double total = seen_[j] + other.seen_[j];
    if (other.seen_[j] <= 0) continue;
    const double delta = other.mean_[j] - mean_[j];
    squares_[j] += other.squares_[j] + delta * delta * seen_[j] * other.seen_[j] / total;
    mean_[j] += delta * other.seen_[j] / total;
    seen_[j] = total;
    low_[j] = std::min(low_[j], other.low_[j]);
    high_[j] = std::max(high_[j], other.high_[j]);
  }
}

ColumnSummary ColumnMoments::result() const {
  ColumnSummary summary{weight_, mean_, squares_, low_, high_};
  for (Index j = 0; j < mean_.size(); ++j) {
    const double zeros = weight_ - seen_[j];
    if (zeros > 1e-9 * weight_) {
      const double delta = mean_[j];
      summary.mean[j] = seen_[j] > 0 ? delta * seen_[j] / weight_ : 0.0;
      summary.deviation[j] += delta * delta * seen_[j] * zeros / weight_;
      summary.low[j] = std::min(low_[j], 0.0);
      summary.high[j] = std::max(high_[j], 0.0);
    }
  }
  summary.deviation = (summary.deviation / std::max(weight_, 1e-300)).cwiseSqrt();
  // Squares below the range of double would make a column look constant that is not.
  for (Index j = 0; j < mean_.size(); ++j)
    if (summary.deviation[j] == 0 && !summary.constant(j))
      summary.deviation[j] = summary.high[j] - summary.low[j];
  return summary;
}

}  // namespace discern
