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

// Writes row x less the pivot.
template <class T>
void write(DenseRow<T> x, const Eigen::VectorXd& pivot, double* z) {
  lanes::Double4 v, p;
  Index j = 0;
  for (; j + 4 <= x.size; j += 4) {
    lanes::load(x.values + j, v), lanes::load(pivot.data() + j, p);
    lanes::store(z + j, v - p);
  }
  for (; j < x.size; ++j) z[j] = static_cast<double>(x.values[j]) - pivot[j];
}

template <class T>
void write(SparseRow<T> x, const Eigen::VectorXd& pivot, double* z) {
  Eigen::Map<Eigen::VectorXd>(z, pivot.size()) = -pivot;
  for_each(x, [&](Index j, double v) { z[j] = v - pivot[j]; });
}

// The mean of some rows, as a mean of differences from the first: exact in a column that is constant.
template <class Rows>
void set_pivot(const Rows& rows, const Block& block, std::span<const Index> some, Eigen::VectorXd& pivot) {
  Eigen::VectorXd first = Eigen::VectorXd::Zero(rows.cols), sum = first, z = first;
  for_each(rows.row(some[0]), [&](Index j, double v) { first[j] = v; });
  double weight = 0;
  for (const Index i : some) {
    write(rows.row(i), first, z.data());
    sum += block.weight(i) * z;
    weight += block.weight(i);
  }
  pivot.head(rows.cols) = first + sum / weight;
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

// What add() works with; the arrays are as long as the rows of the panel.
struct ClassMoments::Gathering {
  explicit Gathering(const Eigen::VectorXd& shift_of_columns)
      : panel(shift_of_columns.size()), shift(Eigen::VectorXd::Zero(panel.stride())), pivot(shift) {
    shift.head(shift_of_columns.size()) = shift_of_columns;
    low.setConstant(panel.stride(), std::numeric_limits<double>::infinity());
    high = -low;
  }
  ScatterPanel panel;
  Eigen::VectorXd shift, pivot, low, high;
  ScatterPanel::Totals totals;
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
  for (std::size_t c = 0; c < groups.classes.size(); ++c) {
    const Index first = groups.starts[c], count = groups.starts[c + 1] - first;
    add_class(rows, block, groups.classes[c], order.subspan(static_cast<std::size_t>(first)), count, work);
  }
  if (pooled_) work.panel.add_to(scatter_[0]);
  low_ = low_.cwiseMin(work.low.head(low_.size()).transpose());
  high_ = high_.cwiseMax(work.high.head(high_.size()).transpose());
}

// About a pivot p, the mean of some of the rows, with z = x - p:
//
//   m_k = p + sum s_i z_i / n_k,      S_k = sum s_i z_i z_i' - n_k (m_k - p)(m_k - p)'
//
// A column that is constant in the class has a scatter of exactly zero, and rows far from the shift keep
// their digits. The subtraction costs few: the q rows that p is the mean of are on average no nearer to m_k
// than p is, so that S_k is at least q (m_k - p)^2, and what is taken away at most n_k / q times S_k. As rows
// may differ much in weight, p is the mean of all of them when they have weights.
template <class Rows>
void ClassMoments::add_class(const Rows& rows, const Block& block, Index k, std::span<const Index> order,
                             Index count, Gathering& work) {
  const Index few = block.weights.empty() ? std::min<Index>(count, 16) : count;
  set_pivot(rows, block, order.first(static_cast<std::size_t>(few)), work.pivot);
  const double weight = gather(rows, block, k, order, count, work);
  const Eigen::VectorXd base = work.pivot - work.shift, off = work.totals.sum / weight;
  work.low = work.low.cwiseMin(base + work.totals.low);
  work.high = work.high.cwiseMax(base + work.totals.high);
  if (few < count) target(k).selfadjointView<Eigen::Lower>().rankUpdate(off.head(means_.cols()), -weight);
  const bool before = weights_[k] > 0;
  const RowVectorXd difference = absorb(k, weight, (base + off).head(means_.cols()).transpose());
  if (before) work.panel.append(difference);
  if (!pooled_ || work.panel.room() == 0)
    multiply(rows, k, order.subspan(static_cast<std::size_t>(count)), work);
}

// A row that is alone has no scatter but that of the means.
template <class Rows>
double ClassMoments::gather(const Rows& rows, const Block& block, Index k, std::span<const Index> order,
                            Index count, Gathering& work) {
  work.totals.clear(work.panel.stride());
  if (count == 1) {
    work.totals.low = work.totals.high = work.totals.sum;
    return block.weight(order[0]);
  }
  double weight = 0;
  while (count > 0) {
    const Index part = std::min(count, work.panel.room()), first = work.panel.extend(part);
    work.weights.clear();
    for (Index r = 0; r < part; ++r) {
      const Index i = order[static_cast<std::size_t>(r)];
      write(rows.row(i), work.pivot, work.panel.row(first + r));
      weight += block.weight(i);
      if (!block.weights.empty()) work.weights.push_back(block.weight(i));
    }
    work.panel.total(part, work.weights, work.totals);
    order = order.subspan(static_cast<std::size_t>(part));
    count -= part;
    if (work.panel.room() == 0) multiply(rows, k, order, work);
  }
  return weight;
}

template <class Rows>
void ClassMoments::multiply(const Rows& rows, Index k, std::span<const Index> next, Gathering& work) {
  const std::size_t ahead = std::min(next.size(), static_cast<std::size_t>(ScatterPanel::capacity));
  work.panel.add_to(target(k), rows_ahead(rows, next.first(ahead)));
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
  ColumnSummary summary{weight, shift_ + mean.transpose(), (squares / weight).cwiseSqrt(),
                        std::vector<bool>(static_cast<std::size_t>(means_.cols()))};
  for (Index j = 0; j < means_.cols(); ++j)
    summary.one_value[static_cast<std::size_t>(j)] = low_[j] == high_[j];
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
