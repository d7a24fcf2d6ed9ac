#include "discern/stats/class_moments.hpp"

#include <cmath>
#include <limits>

#include "discern/stats/class_columns.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/scatter_panel.hpp"

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

namespace {

// Writes row x less the row `first` into row r of the panel.
template <class T>
void write(DenseRow<T> x, const double* first, ScatterPanel& panel, Index r) {
  constexpr Index width = ScatterPanel::strip_width;
  lanes::Double4 v, f;
  Index j = 0;
  for (; j + width <= x.size; j += width) {
    lanes::load(x.values + j, v), lanes::load(first + j, f);
    lanes::store(panel.strip(j / width, r), v - f);
  }
  for (; j < x.size; ++j) panel.at(r, j) = static_cast<double>(x.values[j]) - first[j];
}

template <class T>
void write(SparseRow<T> x, const double* first, ScatterPanel& panel, Index r) {
  constexpr Index width = ScatterPanel::strip_width;
  for (Index s = 0; s < panel.strips(); ++s)
    for (Index l = 0; l < width; ++l) panel.strip(s, r)[l] = -first[width * s + l];
  for_each(x, [&](Index j, double v) { panel.at(r, j) = v - first[j]; });
}

template <class T>
RowsAhead rows_ahead(const DenseRows<T>& rows, std::span<const Index> next) {
  return {reinterpret_cast<const char*>(rows.values), rows.cols * static_cast<Index>(sizeof(T)), next};
}
template <class T>
RowsAhead rows_ahead(const SparseRows<T>&, std::span<const Index>) {
  return {};
}

}  // namespace

// What add() works with; the arrays are filled up to whole strips.
struct ClassMoments::Gathering {
  explicit Gathering(const Eigen::VectorXd& shift_of_columns)
      : panel(shift_of_columns.size()),
        shift(Eigen::VectorXd::Zero(ScatterPanel::strip_width * panel.strips())) {
    shift.head(shift_of_columns.size()) = shift_of_columns;
    first = base = mean = part_low = part_high = shift;
    low.setConstant(shift.size(), std::numeric_limits<double>::infinity());
    high = -low;
  }
  ScatterPanel panel;
  Eigen::VectorXd shift, first, base, mean, part_low, part_high, low, high;
  std::vector<double> weights;
};

void ClassMoments::add(const Block& block) {
  std::visit([&](const auto& rows) { add_rows(rows, block); }, block.x);
}

template <class Rows>
void ClassMoments::add_rows(const Rows& rows, const Block& block) {
  const RowsByClass groups(block, weights_.size());
  const std::span<const Index> order = groups.rows;
  Gathering work(shift_);
  constexpr Index most = ScatterPanel::capacity - 1;  // and a row for what the means differ by
  for (std::size_t c = 0; c < groups.classes.size(); ++c) {
    const Index k = groups.classes[c], first = groups.starts[c], count = groups.starts[c + 1] - first;
    const Index parts = (count + most - 1) / most;
    for (Index p = 0; p < parts; ++p) {
      const auto from = static_cast<std::size_t>(first + p * count / parts),
                 to = static_cast<std::size_t>(first + (p + 1) * count / parts);
      const auto flush = [&](std::size_t next) {
        const std::size_t ahead = std::min(order.size() - next, static_cast<std::size_t>(most));
        work.panel.add_to(target(k), rows_ahead(rows, order.subspan(next, ahead)));
      };
      if (work.panel.room() < static_cast<Index>(to - from) + 1) flush(from);
      add_part(rows, block, k, order.subspan(from, to - from), work);
      if (!pooled_ && p + 1 == parts) flush(to);
    }
  }
  if (pooled_) work.panel.add_to(scatter_[0]);
  low_ = low_.cwiseMin(work.low.head(low_.size()).transpose());
  high_ = high_.cwiseMax(work.high.head(high_.size()).transpose());
}

// About the first of the rows, so that a column that is constant in the class has a scatter of exactly zero
// and rows far from the shift keep their digits. A row that is alone has no scatter but that of the means.
template <class Rows>
void ClassMoments::add_part(const Rows& rows, const Block& block, Index k, std::span<const Index> part,
                            Gathering& work) {
  const auto count = static_cast<Index>(part.size());
  work.first.setZero();
  for_each(rows.row(part[0]), [&](Index j, double v) { work.first[j] = v; });
  work.base = work.first - work.shift;
  if (count > 1) {
    const Index first = work.panel.extend(count);
    for (Index r = 0; r < count; ++r)
      write(rows.row(part[static_cast<std::size_t>(r)]), work.first.data(), work.panel, first + r);
    work.weights.clear();
    if (!block.weights.empty())
      for (const Index i : part) work.weights.push_back(block.weight(i));
    work.panel.centre(count, work.weights, work.mean.data(), work.part_low.data(), work.part_high.data());
    work.low = work.low.cwiseMin(work.base + work.part_low);
    work.high = work.high.cwiseMax(work.base + work.part_high);
    work.base += work.mean;
  } else {
    work.low = work.low.cwiseMin(work.base);
    work.high = work.high.cwiseMax(work.base);
  }
  double weight = 0;
  for (const Index i : part) weight += block.weight(i);
  const bool before = weights_[k] > 0;
  const RowVectorXd difference = absorb(k, weight, work.base.head(means_.cols()).transpose());
  if (before) work.panel.append(difference);
}

void ClassMoments::merge(const ClassMoments& other) {
  for (std::size_t s = 0; s < scatter_.size(); ++s) scatter_[s] += other.scatter_[s];
  ScatterPanel panel(means_.cols());
  for (Index k = 0; k < weights_.size(); ++k) {
    if (other.weights_[k] <= 0) continue;
    panel.append(absorb(k, other.weights_[k], other.means_.row(k)));
    if (!pooled_ || panel.room() == 0) panel.add_to(target(k));
  }
  if (pooled_) panel.add_to(scatter_[0]);
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
