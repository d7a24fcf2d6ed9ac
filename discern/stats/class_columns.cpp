#include "discern/stats/class_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/threads.hpp"

namespace discern {

using Eigen::ArrayXd;

RowsByClass::RowsByClass(const Block& block, Index count) {
  const Index all = block.rows();
  std::vector<Index> slot(static_cast<std::size_t>(count), -1), size;
  for (Index i = 0; i < all; ++i) {
    if (block.weight(i) <= 0) continue;
    const auto k = block.labels[static_cast<std::size_t>(i)];
    Index& s = slot[static_cast<std::size_t>(k)];
    if (s < 0) {
      s = static_cast<Index>(classes.size());
      classes.push_back(k);
      size.push_back(0);
    }
    ++size[static_cast<std::size_t>(s)];
  }
  starts.push_back(0);
  for (const Index n : size) starts.push_back(starts.back() + n);
  std::vector<Index> next(starts.begin(), starts.end() - 1);
  rows.resize(static_cast<std::size_t>(starts.back()));
  for (Index i = 0; i < all; ++i) {
    if (block.weight(i) <= 0) continue;
    const Index s = slot[static_cast<std::size_t>(block.labels[static_cast<std::size_t>(i)])];
    rows[static_cast<std::size_t>(next[static_cast<std::size_t>(s)]++)] = i;
  }
}

Eigen::VectorXd ClassColumnSummary::deviation() const {
  const Eigen::VectorXd share = weights / weight();
  const Eigen::RowVectorXd grand = share.transpose() * mean;
  Eigen::RowVectorXd variance = squares.colwise().sum() / weight();
  for (Index k = 0; k < mean.rows(); ++k) variance += share[k] * (mean.row(k) - grand).cwiseAbs2();
  Eigen::VectorXd result = variance.transpose().cwiseSqrt();
  // Squares below the range of double would make a column look constant that is not.
  for (Index j = 0; j < result.size(); ++j)
    if (result[j] == 0 && low[j] != high[j]) result[j] = high[j] - low[j];
  return result;
}

ClassColumns::ClassColumns(Index classes, Index columns)
    : weights_(Eigen::VectorXd::Zero(classes)),
      seen_(RowMajor::Zero(classes, columns)),
      mean_(RowMajor::Zero(classes, columns)),
      squares_(RowMajor::Zero(classes, columns)),
      low_(ArrayXd::Constant(columns, std::numeric_limits<double>::infinity())),
      high_(-low_),
      odd_(ArrayXd::Zero(columns)) {}

void ClassColumns::add(const Block& block) {
  std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
}

void ClassColumns::absorb(Index k, double weight, const ArrayXd& mean, const ArrayXd& squares) {
  auto seen = seen_.row(k).transpose().array();
  auto own = mean_.row(k).transpose().array();
  const ArrayXd share = weight / (seen + weight), delta = mean - own;
  squares_.row(k).transpose().array() += squares + delta.square() * seen * share;
  own += delta * share;
  seen += weight;
}

// The block's own means first, as means of the differences from a row of the class so that no digits are lost
// far from zero; then the squares about them; then a merge. The block stays in the cache in between.
template <class T>
void ClassColumns::add_rows(const DenseRows<T>& rows, const Block& block) {
  const RowsByClass groups(block, weights_.size());
  const auto row = [&](Index i) {
    return Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(rows.row(i).values, rows.cols)
        .template cast<double>();
  };
  ArrayXd first, mean, squares;
  for (std::size_t c = 0; c < groups.classes.size(); ++c) {
    const auto from = static_cast<std::size_t>(groups.starts[c]),
               to = static_cast<std::size_t>(groups.starts[c + 1]);
    double weight = 0;
    first = row(groups.rows[from]);
    mean.setZero(rows.cols);
    squares.setZero(rows.cols);
    for (std::size_t r = from; r < to; ++r) {
      const auto x = row(groups.rows[r]);
      const double w = block.weight(groups.rows[r]);
      mean += w * (x - first);
      low_ = low_.min(x);
      high_ = high_.max(x);
      weight += w;
    }
    // Most columns leave [0, 1] at once; only for the others it matters what lies between.
    if ((low_ >= 0 && high_ <= 1).any())
      for (std::size_t r = from; r < to; ++r) {
        const auto x = row(groups.rows[r]);
        odd_ = odd_.max((x * x - x).abs());
      }
    mean = first + mean / weight;
    for (std::size_t r = from; r < to; ++r)
      squares += block.weight(groups.rows[r]) * (row(groups.rows[r]) - mean).square();
    weights_[groups.classes[c]] += weight;
    absorb(groups.classes[c], weight, mean, squares);
  }
}

template <class T>
void ClassColumns::add_rows(const SparseRows<T>& rows, const Block& block) {
  for (Index i = 0; i < rows.rows; ++i) {
    const double weight = block.weight(i);
    if (weight <= 0) continue;
    const Index k = block.labels[static_cast<std::size_t>(i)];
    weights_[k] += weight;
    for_each(rows.row(i), [&](Index j, double v) {
      seen_(k, j) += weight;
      const double delta = v - mean_(k, j);
      mean_(k, j) += delta * weight / seen_(k, j);
      squares_(k, j) += weight * delta * (v - mean_(k, j));
      low_[j] = std::min(low_[j], v);
      high_[j] = std::max(high_[j], v);
      odd_[j] = std::max(odd_[j], std::fabs(v * v - v));
      broken_ = std::max(broken_, std::fabs(v - std::nearbyint(v)));
    });
  }
}

void ClassColumns::merge(const ClassColumns& other) {
  weights_ += other.weights_;
  parallel_for(mean_.rows(), [&](Index k) {
    for (Index j = 0; j < mean_.cols(); ++j) {
      const double total = seen_(k, j) + other.seen_(k, j);
      if (!(total > 0)) continue;
      const double share = other.seen_(k, j) / total, delta = other.mean_(k, j) - mean_(k, j);
      squares_(k, j) += other.squares_(k, j) + delta * delta * seen_(k, j) * share;
      mean_(k, j) += delta * share;
      seen_(k, j) = total;
    }
  });
  low_ = low_.min(other.low_);
  high_ = high_.max(other.high_);
  odd_ = odd_.max(other.odd_);
  broken_ = std::max(broken_, other.broken_);
}

ClassColumnSummary ClassColumns::result() const {
  ClassColumnSummary summary{weights_, mean_, squares_, low_, high_, {}, broken_ == 0};
  for (Index k = 0; k < mean_.rows(); ++k)
    for (Index j = 0; j < mean_.cols(); ++j) {
      // The zeros that sparse rows do not store.
      const double zeros = weights_[k] - seen_(k, j);
      if (!(zeros > 1e-9 * weights_[k])) continue;
      const double m = mean_(k, j);
      summary.squares(k, j) += m * m * seen_(k, j) * (zeros / weights_[k]);
      summary.mean(k, j) = m * (seen_(k, j) / weights_[k]);
      summary.low[j] = std::min(summary.low[j], 0.0);
      summary.high[j] = std::max(summary.high[j], 0.0);
    }
  for (Index j = 0; j < mean_.cols(); ++j)
    summary.binary.push_back(odd_[j] == 0 && summary.low[j] >= 0 && summary.high[j] <= 1);
  return summary;
}

}  // namespace discern
