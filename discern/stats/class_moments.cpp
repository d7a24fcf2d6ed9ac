#include "discern/stats/class_moments.hpp"

#include <cmath>
#include <limits>

#include "discern/stats/class_columns.hpp"
#include "discern/stats/fold.hpp"

namespace discern {

using Eigen::RowVectorXd;

ClassMoments::ClassMoments(Index classes, Index features, Scatter scatter, Eigen::VectorXd shift)
    : pooled_(scatter == Scatter::pooled),
      weights_(Eigen::VectorXd::Zero(classes)),
      shift_(std::move(shift)),
      means_(RowMajor::Zero(classes, features)),
      low_(RowVectorXd::Constant(features, std::numeric_limits<double>::infinity())),
      high_(-low_),
      scatter_(static_cast<std::size_t>(pooled_ ? 1 : classes), Eigen::MatrixXd::Zero(features, features)) {
  if (shift_.size() == 0) shift_.setZero(features);
}

double ClassMoments::bytes() const {
  const auto d = static_cast<double>(means_.cols());
  return 8 * d * (d * static_cast<double>(scatter_.size()) + static_cast<double>(means_.rows()));
}

RowVectorXd ClassMoments::absorb(Index k, double weight, const Eigen::Ref<const RowVectorXd>& mean) {
  const double total = weights_[k] + weight;
  const RowVectorXd delta = mean - means_.row(k);
  const double spread = std::sqrt(weights_[k] * weight / total);
  means_.row(k) += delta * (weight / total);
  weights_[k] = total;
  return delta * spread;
}

// Dense rows are read where they are, sparse ones are spread out first.
void ClassMoments::add(const Block& block) {
  const RowVectorXd shift = shift_.transpose();
  std::visit(
      [&]<class Rows>(const Rows& rows) {
        if constexpr (requires { rows.columns; }) {
          RowMajor x;
          dense_rows(block.x, shift_, {}, x);
          add_rows(block, [&](Index i) { return x.row(i); });
        } else {
          using Value = std::remove_const_t<std::remove_pointer_t<decltype(rows.values)>>;
          using Map = Eigen::Map<const Eigen::Matrix<Value, 1, Eigen::Dynamic>>;
          add_rows(block, [&](Index i) {
            return Map(rows.row(i).values, rows.cols).template cast<double>() - shift;
          });
        }
      },
      block.x);
}

template <class Row>
void ClassMoments::add_rows(const Block& block, const Row& row) {
  const RowsByClass groups(block, weights_.size());
  RowMajor rows(static_cast<Index>(groups.rows.size() + groups.classes.size()), means_.cols());
  Index filled = 0;
  const auto flush = [&](Index k) {
    target(k).selfadjointView<Eigen::Lower>().rankUpdate(rows.topRows(filled).transpose());
    filled = 0;
  };
  RowVectorXd first, mean;
  for (std::size_t c = 0; c < groups.classes.size(); ++c) {
    const auto from = static_cast<std::size_t>(groups.starts[c]),
               to = static_cast<std::size_t>(groups.starts[c + 1]);
    double weight = 0;
    // About a row of the class, so that a column that is constant in it has a scatter of exactly zero.
    first = row(groups.rows[from]);
    mean.setZero(means_.cols());
    for (std::size_t r = from; r < to; ++r) {
      const double w = block.weight(groups.rows[r]);
      const auto x = row(groups.rows[r]);
      mean += w * (x - first);
      low_ = low_.cwiseMin(x);
      high_ = high_.cwiseMax(x);
      weight += w;
    }
    mean = first + mean / weight;
    for (std::size_t r = from; r < to; ++r)
      rows.row(filled++) = std::sqrt(block.weight(groups.rows[r])) * (row(groups.rows[r]) - mean);
    rows.row(filled++) = absorb(groups.classes[c], weight, mean);
    if (!pooled_) flush(groups.classes[c]);
  }
  if (pooled_ && filled > 0) flush(0);
}

void ClassMoments::merge(const ClassMoments& other) {
  for (std::size_t s = 0; s < scatter_.size(); ++s) scatter_[s] += other.scatter_[s];
  for (Index k = 0; k < weights_.size(); ++k) {
    if (other.weights_[k] <= 0) continue;
    const RowVectorXd row = absorb(k, other.weights_[k], other.means_.row(k));
    target(k).selfadjointView<Eigen::Lower>().rankUpdate(row.transpose());
  }
  low_ = low_.cwiseMin(other.low_);
  high_ = high_.cwiseMax(other.high_);
}

ColumnSummary ClassMoments::columns() const {
  const double weight = weights_.sum();
  const RowVectorXd mean = (weights_ / weight).transpose() * means_;
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(means_.cols());
  for (const auto& s : scatter_) squares += s.diagonal();
  for (Index k = 0; k < weights_.size(); ++k)
    squares += weights_[k] * (means_.row(k) - mean).cwiseAbs2().transpose();
  ColumnSummary summary{weight, shift_ + mean.transpose(), (squares / weight).cwiseSqrt(), low_.transpose(),
                        high_.transpose()};
  // Squares below the range of double would make a column look constant that is not.
  for (Index j = 0; j < means_.cols(); ++j)
    if (summary.deviation[j] == 0 && !summary.constant(j)) summary.deviation[j] = high_[j] - low_[j];
  return summary;
}

ClassMoments class_moments(const Source& source, Index classes, ClassMoments::Scatter scatter,
                           const Monitor& monitor, const Statistics* before) {
  if (before != nullptr) {
    ClassMoments moments(classes, source.cols(), scatter, {});
    restore(*before, moments);
    moments.merge(fold(source, ClassMoments(classes, source.cols(), scatter, moments.shift()), monitor));
    return moments;
  }
  ColumnMoments first(source.cols());
  Scratch scratch;
  first.add(source.block(0, scratch));
  return fold(source, ClassMoments(classes, source.cols(), scatter, first.result().mean), monitor);
}

}  // namespace discern
