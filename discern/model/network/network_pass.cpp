#include "discern/model/network/network_pass.hpp"

#include <algorithm>

#include "discern/model/shape/network.hpp"

namespace discern {

Eigen::VectorXd NetworkTask::penalty() const {
  Eigen::VectorXd result = Eigen::VectorXd::Constant(layout.size(), l2);
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    Eigen::Map<RowMajor> layer(result.data() + layout.start(l), 1 + layout.inputs(l), layout.outputs(l));
    layer.row(0).setZero();
    if (l == 0) layer.bottomRows(layout.inputs(0)).array().colwise() *= scaling.penalty.array();
  }
  return result;
}

template <class T>
void NetworkPass<T>::take(const RowSet& set, std::span<const std::uint32_t> which) {
  set_ = set;
  which_ = which;
  rows_ = static_cast<Index>(which.size());
  const NetworkLayout& layout = task_->layout;
  if (given_.empty() || given_[0].rows() < rows_) {
    if (!task_->sparse) inputs_.resize(rows_, layout.inputs(0));
    given_.resize(layout.layers());
    slopes_.resize(layout.layers());
    for (std::size_t l = 0; l < layout.layers(); ++l) {
      given_[l].resize(rows_, layout.outputs(l));
      slopes_[l].resize(rows_, layout.outputs(l));
    }
  }
  labels_.clear(), targets_.clear(), weights_.clear();
  for (const std::uint32_t n : which) {
    const Block& block = set.block_of(n);
    const auto i = static_cast<std::size_t>(set.row_of(n));
    if (block.targets.empty())
      labels_.push_back(block.labels[i]);
    else
      targets_.push_back((block.targets[i] - task_->scaling.target_center) / task_->scaling.target_scale);
    weights_.push_back(block.weight(set.row_of(n)));
  }
  if (!task_->sparse) return;
  starts_.assign(1, 0);
  std::visit(
      [&]<class RowsOf>(const RowsOf&) {
        for (const std::uint32_t n : which)
          starts_.push_back(starts_.back() + std::get<RowsOf>(set.block_of(n).x).row(set.row_of(n)).size);
      },
      set.blocks.front().x);
  values_.resize(static_cast<std::size_t>(starts_.back()));
  columns_.resize(values_.size());
}

template <class T>
void NetworkPass<T>::prepare(const T* point) {
  if (!task_->sparse) return;
  const auto first = layer(point, 0);
  const Vector shift = -task_->scaling.center.cwiseProduct(factor_);
  common_ = first.row(0);
  common_.noalias() += shift.cast<T>().transpose() * first.bottomRows(task_->layout.inputs(0));
}

template <class T>
void NetworkPass<T>::load(Index first, Index count) {
  const double *center = task_->scaling.center.data(), *factor = factor_.data();
  std::visit(
      [&]<class RowsOf>(const RowsOf&) {
        for (Index i = first; i < first + count; ++i) {
          const std::uint32_t n = which_[static_cast<std::size_t>(i)];
          const auto row = std::get<RowsOf>(set_.block_of(n).x).row(set_.row_of(n));
          if constexpr (requires { row.columns; }) {
            const auto at = static_cast<std::size_t>(starts_[static_cast<std::size_t>(i)]);
            for (Index k = 0; k < row.size; ++k) {
              values_[at + static_cast<std::size_t>(k)] =
                  static_cast<T>(static_cast<double>(row.values[k]) * factor[row.columns[k]]);
              columns_[at + static_cast<std::size_t>(k)] = row.columns[k];
            }
          } else {
            T* to = inputs_.row(i).data();
            for (Index j = 0; j < row.size; ++j)
              to[j] = static_cast<T>((static_cast<double>(row.values[j]) - center[j]) * factor[j]);
          }
        }
      },
      set_.blocks.front().x);
}

template <class T>
void NetworkPass<T>::add_noise(Index first, Index count, double deviation, Random& random) {
  T* values = inputs_.row(first).data();
  for (Index k = 0; k < count * inputs_.cols(); ++k) values[k] += static_cast<T>(deviation * random.normal());
}

template <class T>
void NetworkPass<T>::forward(const T* point, Index first, Index count) {
  const NetworkLayout& layout = task_->layout;
  for (std::size_t l = 0; l < layout.layers(); ++l) {
    const auto weights = layer(point, l);
    auto out = given_[l].middleRows(first, count);
    if (through_entries(l)) {
      for (Index i = first; i < first + count; ++i) {
        given_[l].row(i) = common_;
        for (Index k = starts_[static_cast<std::size_t>(i)]; k < starts_[static_cast<std::size_t>(i) + 1];
             ++k)
          given_[l].row(i) +=
              values_[static_cast<std::size_t>(k)] * weights.row(1 + columns_[static_cast<std::size_t>(k)]);
      }
    } else {
      out.noalias() = inputs_of(l).middleRows(first, count) * weights.bottomRows(layout.inputs(l));
      out.rowwise() += weights.row(0);
    }
    activate(layout.units[l], layout.slope, given_[l].row(first).data(), count * layout.outputs(l));
  }
}

// Puts the scores into slopes of the losses of the rows that are (or are not) held out, zero for the others.
template <class T>
double NetworkPass<T>::losses_of(Index first, Index count, bool held, RowMajor& scores) const {
  const auto at = static_cast<std::size_t>(first), size = static_cast<std::size_t>(count);
  std::vector<double> weights(weights_.begin() + first, weights_.begin() + first + count);
  if (!task_->held.empty())
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t n = which_[at + i];
      const Index row = set_.block_of(n).first + set_.row_of(n);
      if (task_->held[static_cast<std::size_t>(row)] != held) weights[i] = 0;
    }
  Block rows;
  if (!labels_.empty()) rows.labels = std::span(labels_).subspan(at, size);
  if (!targets_.empty()) rows.targets = std::span(targets_).subspan(at, size);
  rows.weights = weights;
  scores = given_.back().middleRows(first, count).template cast<double>();
  if (!task_->softmax_unit) return row_losses(task_->loss, rows, scores, nullptr);
  double value = 0;
  for (Index i = 0; i < count; ++i) {
    value += rows.weight(i) * softmax_unit_in_place(scores.row(i).data(), scores.cols(),
                                                    rows.labels[static_cast<std::size_t>(i)]);
    scores.row(i) *= rows.weight(i);
  }
  return value;
}

template <class T>
double NetworkPass<T>::held_losses(Index first, Index count) const {
  RowMajor scores;
  return losses_of(first, count, true, scores);
}

template <class T>
double NetworkPass<T>::losses(Index first, Index count) {
  RowMajor scores;
  const double value = losses_of(first, count, false, scores);
  slopes_.back().middleRows(first, count) = scores.template cast<T>();
  return value;
}

template <class T>
void NetworkPass<T>::backward(const T* point, Index first, Index count) {
  const NetworkLayout& layout = task_->layout;
  for (std::size_t l = layout.layers() - 1; l > 0; --l) {
    auto out = slopes_[l - 1].middleRows(first, count);
    out.noalias() =
        slopes_[l].middleRows(first, count) * layer(point, l).bottomRows(layout.inputs(l)).transpose();
    times_slope(layout.units[l - 1], layout.slope, given_[l - 1].row(first).data(),
                slopes_[l - 1].row(first).data(), count * layout.outputs(l - 1));
  }
}

template <class T>
std::vector<typename NetworkPass<T>::Part> NetworkPass<T>::parts() const {
  // Parts of some hundred inputs: each copies the slopes into the form that products are made in, which
  // for fewer inputs would take a share of the time.
  constexpr Index inputs_a_part = 256, units_a_part = 64;
  std::vector<Part> list;
  for (std::size_t l = 0; l < task_->layout.layers(); ++l) {
    const Index length = through_entries(l) ? task_->layout.outputs(l) : task_->layout.inputs(l);
    const Index most = through_entries(l) ? units_a_part : inputs_a_part, count = (length + most - 1) / most;
    for (Index k = 0; k < count; ++k)
      list.push_back({l, k * length / count, (k + 1) * length / count - k * length / count});
  }
  return list;
}

template <class T>
void NetworkPass<T>::gradient(const Part& part, bool add, T* gradient) const {
  if (through_entries(part.layer)) return entries_gradient(part, add, gradient);
  const NetworkLayout& layout = task_->layout;
  Eigen::Map<Rectangle> whole(gradient + layout.start(part.layer), 1 + layout.inputs(part.layer),
                              layout.outputs(part.layer));
  const auto slopes = slopes_[part.layer].topRows(rows_);
  const auto inputs = inputs_of(part.layer).topRows(rows_).middleCols(part.first, part.count).transpose();
  auto out = whole.middleRows(1 + part.first, part.count);
  if (add)
    out.noalias() += inputs * slopes;
  else
    out.noalias() = inputs * slopes;
  if (part.first > 0) return;
  if (!add) whole.row(0).setZero();
  for (Index i = 0; i < rows_; ++i) whole.row(0) += slopes.row(i);
}

template <class T>
void NetworkPass<T>::entries_gradient(const Part& part, bool add, T* gradient) const {
  const Index inputs = task_->layout.inputs(0);
  Eigen::Map<Rectangle> whole(gradient, 1 + inputs, task_->layout.outputs(0));
  const Vector& center = task_->scaling.center;
  Eigen::Matrix<T, 1, Eigen::Dynamic> sum = Eigen::Matrix<T, 1, Eigen::Dynamic>::Zero(part.count);
  for (Index i = 0; i < rows_; ++i) sum += slopes_[0].row(i).segment(part.first, part.count);
  if (!add) whole.middleCols(part.first, part.count).setZero();
  whole.row(0).segment(part.first, part.count) += sum;
  for (Index j = 0; j < inputs; ++j)
    whole.row(1 + j).segment(part.first, part.count) += static_cast<T>(-center[j] * factor_[j]) * sum;
  for (Index i = 0; i < rows_; ++i)
    for (Index k = starts_[static_cast<std::size_t>(i)]; k < starts_[static_cast<std::size_t>(i) + 1]; ++k)
      whole.row(1 + columns_[static_cast<std::size_t>(k)]).segment(part.first, part.count) +=
          values_[static_cast<std::size_t>(k)] * slopes_[0].row(i).segment(part.first, part.count);
}

template class NetworkPass<float>;
template class NetworkPass<double>;

}  // namespace discern
