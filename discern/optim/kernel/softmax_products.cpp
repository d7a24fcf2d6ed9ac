#include "discern/optim/kernel/softmax_products.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/kernel/narrow_product.hpp"
#include "discern/optim/stochastic/binary_size.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// Fewer where their sums are large, as for the fold (stats/fold.hpp).
constexpr Index most_softmax_lanes = 8, least_blocks = 4;
Index softmax_lanes(const Problem& problem) {
  const double bytes = sizeof(float) * static_cast<double>(problem.size());
  return std::min(lane_count(problem.source->block_count(), bytes), most_softmax_lanes);
}
constexpr Index rows_together = 64;  // they and their scores stay in the second-level cache
constexpr Index rows_in_single = Index{1} << 15;
constexpr Index floats = narrow::lanes_of<float>;

// Calls work with the number of vectors as a constant.
template <class Work>
void with_vectors(int vectors, const Work& work) {
  switch (vectors) {
    case 1:
      return work(std::integral_constant<int, 1>{});
    case 2:
      return work(std::integral_constant<int, 2>{});
    case 3:
      return work(std::integral_constant<int, 3>{});
    default:
      return work(std::integral_constant<int, narrow::most_vectors>{});
  }
}

void ask(const Monitor& monitor, const char* stage) {
  if (!go_on(monitor, {.stage = stage})) throw Error(Code::interrupted, "interrupted");
}

}  // namespace

bool SoftmaxProducts::worthwhile(const Problem& problem) {
  constexpr double most_bytes = 2e9;
  const Source& source = *problem.source;
  if (!problem.softmax() || source.block_count() < least_blocks) return false;
  const auto rows = static_cast<double>(source.rows()), width = static_cast<double>(problem.width());
  const double entries = source.sparse() ? 2 * estimated_entries(source) : rows * width;
  const double sums = width * static_cast<double>(problem.scores + floats) * (most_softmax_lanes + 1);
  return sizeof(float) * (entries + sums) <= most_bytes;
}

SoftmaxProducts::SoftmaxProducts(const LinearFunction& function, const Monitor& monitor)
    : function_(&function),
      width_(function.problem().width()),
      lanes_(static_cast<std::size_t>(softmax_lanes(function.problem()))) {
  ask(monitor, "copying rows");
  const Problem& problem = function.problem();
  Index place = 0;
  for (Index first = 0; first < problem.scores;) {
    const Index count = std::min(problem.scores - first, narrow::most_vectors * floats);
    const auto vectors = static_cast<int>((count + floats - 1) / floats);
    slabs_.push_back({first, count, vectors, place});
    first += count;
    place += vectors * floats;
  }
  row_stride_ = place;
  point_ = Buffer<float>(width_ * row_stride_);
  std::fill_n(point_.data(), point_.size(), 0.0F);
  const std::vector<double>& weights = function.answers().weights;
  if (!weights.empty())
    largest_weight_ = binary_size(Eigen::Map<const VectorXd>(weights.data(), std::ssize(weights)));
  parallel_for(std::ssize(lanes_), [&](Index lane) {
    if (problem.source->sparse())
      copy_sparse(lane);
    else
      copy_dense(lane);
  });
}

void SoftmaxProducts::copy_dense(Index lane) {
  const Problem& problem = function_->problem();
  const Source& source = *problem.source;
  const Index per_block = source.rows_per_block();
  const auto row_of = [&](Index k) {
    return std::min(k * source.block_count() / std::ssize(lanes_) * per_block, source.rows());
  };
  Lane& to = lanes_[static_cast<std::size_t>(lane)];
  to.first = row_of(lane);
  to.rows = row_of(lane + 1) - to.first;
  to.values = Buffer<float>(to.rows * source.cols());
  Scratch scratch;
  RowMajor scaled;
  VectorXd means = VectorXd::Zero(source.cols());
  for (Index row = to.first; row < to.first + to.rows; row += per_block) {
    dense_rows(source.block(row / per_block, scratch).x, problem.scaling.center, problem.scaling.scale,
               scaled);
    std::transform(scaled.data(), scaled.data() + scaled.size(),
                   to.values.data() + (row - to.first) * source.cols(),
                   [](double z) { return static_cast<float>(z); });
    means += scaled.colwise().sum().transpose() / static_cast<double>(to.rows);
  }
  to.farthest = means.size() > 0 ? means.cwiseAbs().maxCoeff() : 0;
}

void SoftmaxProducts::copy_sparse(Index lane) {
  const Problem& problem = function_->problem();
  const Source& source = *problem.source;
  const VectorXd units = problem.scaling.scale.cwiseInverse();
  Lane& to = lanes_[static_cast<std::size_t>(lane)];
  const Index first = lane * source.block_count() / std::ssize(lanes_),
              last = (lane + 1) * source.block_count() / std::ssize(lanes_);
  to.first = first * source.rows_per_block();
  to.starts.assign(1, 0);
  Scratch scratch;
  Index entries = 0;
  for (Index k = first; k < last; ++k) entries += sparse_entries(source.block(k, scratch).x);
  to.values = Buffer<float>(entries);
  to.columns = Buffer<std::uint32_t>(entries + narrow::entries_ahead);
  std::fill_n(to.columns.data() + entries, narrow::entries_ahead, 0U);
  std::uint32_t at = 0;
  VectorXd sums = VectorXd::Zero(source.cols());
  for (Index k = first; k < last; ++k)
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i) {
            for_each(rows.row(i), [&](Index j, double x) {
              to.values[at] = static_cast<float>(x * units[j]);
              sums[j] += x * units[j];
              to.columns[at++] = static_cast<std::uint32_t>(j);
            });
            to.starts.push_back(at);
          }
        },
        source.block(k, scratch).x);
  to.rows = std::ssize(to.starts) - 1;
  if (to.rows > 0 && sums.size() > 0) to.farthest = sums.cwiseAbs().maxCoeff() / static_cast<double>(to.rows);
}

// A thousand deviations away a deviation still has five digits.
bool SoftmaxProducts::keeps_digits() const {
  constexpr double far = 1000;
  return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.farthest < far; });
}

void SoftmaxProducts::multiply(const Lane& lane, Index first, Index count, float* scores) const {
  const Index cols = width_ - 1;
  for (const Slab& slab : slabs_)
    with_vectors(slab.vectors, [&]<int V>(std::integral_constant<int, V>) {
      const float* const u = point_.data() + slab.place * width_;
      if (lane.starts.empty())
        return narrow::multiply<V>(lane.values.data() + first * cols, count, cols, u, scores + slab.place,
                                   row_stride_);
      for (Index i = 0; i < count; ++i) {
        const std::uint32_t* const at = lane.starts.data() + first + i;
        narrow::multiply<V>(lane.values.data() + at[0], lane.columns.data() + at[0], Index{at[1] - at[0]}, u,
                            scores + i * row_stride_ + slab.place);
      }
    });
}

void SoftmaxProducts::add_transposed(Lane& lane, Index first, Index count, const float* factors) const {
  const Index cols = width_ - 1;
  for (const Slab& slab : slabs_)
    with_vectors(slab.vectors, [&]<int V>(std::integral_constant<int, V>) {
      float* const sum = lane.sum.data() + slab.place * width_;
      if (lane.starts.empty())
        return narrow::add_transposed<V>(lane.values.data() + first * cols, count, cols, factors + slab.place,
                                         row_stride_, sum);
      for (Index i = 0; i < count; ++i) {
        const std::uint32_t* const at = lane.starts.data() + first + i;
        narrow::add_transposed<V>(lane.values.data() + at[0], lane.columns.data() + at[0],
                                  Index{at[1] - at[0]}, factors + i * row_stride_ + slab.place, sum);
      }
    });
}

// s (diag(p) - p p') t for the t of each row, in place; what pads the scores is zero and stays so.
void SoftmaxProducts::times_curvature(Index first, Index count, float* scores) const {
  const std::vector<double>& weights = function_->answers().weights;
  for (Index i = 0; i < count; ++i) {
    const double* const p = function_->curvature().row(first + i).data();
    const double weight =
        weights.empty() ? 1 : weights[static_cast<std::size_t>(first + i)] / largest_weight_;
    double mean = 0;
    for (const Slab& slab : slabs_) {
      const float* const t = scores + i * row_stride_ + slab.place;
      for (Index k = 0; k < slab.count; ++k) mean += p[slab.first + k] * static_cast<double>(t[k]);
    }
    for (const Slab& slab : slabs_) {
      float* const t = scores + i * row_stride_ + slab.place;
      for (Index k = 0; k < slab.count; ++k)
        t[k] = static_cast<float>(weight * p[slab.first + k] * (static_cast<double>(t[k]) - mean));
    }
  }
}

void SoftmaxProducts::sum_lane(Lane& lane) {
  if (lane.sum.size() == 0) lane.sum = Buffer<float>(point_.size());
  std::fill_n(lane.sum.data(), lane.sum.size(), 0.0F);
  lane.total.assign(lane.rows > rows_in_single ? static_cast<std::size_t>(lane.sum.size()) : 0, 0.0);
  std::vector<float> scores(static_cast<std::size_t>(rows_together * row_stride_));
  for (Index i = 0; i < lane.rows; i += rows_together) {
    if (i > 0 && i % rows_in_single == 0) {
      std::transform(lane.sum.begin(), lane.sum.end(), lane.total.begin(), lane.total.begin(),
                     [](float s, double t) { return static_cast<double>(s) + t; });
      std::fill_n(lane.sum.data(), lane.sum.size(), 0.0F);
    }
    const Index count = std::min(rows_together, lane.rows - i);
    multiply(lane, i, count, scores.data());
    times_curvature(lane.first + i, count, scores.data());
    add_transposed(lane, i, count, scores.data());
  }
}

VectorXd SoftmaxProducts::times(const VectorXd& v, const Monitor& monitor) {
  ask(monitor, "passing over the data");
  const Problem& problem = function_->problem();
  const double unit = binary_size(v), back = unit * largest_weight_;
  const auto each_slab = [&](Index j, const auto& work) {
    for (const Slab& slab : slabs_)
      work(slab.place * width_ + j * slab.vectors * floats, j * problem.scores + slab.first, slab.count);
  };
  for (Index j = 0; j < width_; ++j)
    each_slab(j, [&](Index at, Index from, Index count) {
      for (Index k = 0; k < count; ++k) point_[at + k] = static_cast<float>(v[from + k] / unit);
    });
  parallel_for(std::ssize(lanes_), [&](Index lane) { sum_lane(lanes_[static_cast<std::size_t>(lane)]); });
  VectorXd result(v.size());
  parallel_for(std::ssize(lanes_), [&](Index slice) {
    for (Index j = slice * width_ / std::ssize(lanes_); j < (slice + 1) * width_ / std::ssize(lanes_); ++j)
      each_slab(j, [&](Index at, Index to, Index count) {
        std::array<double, narrow::most_vectors * floats> sum{};
        for (const Lane& lane : lanes_) {
          for (Index k = 0; k < count; ++k)
            sum[static_cast<std::size_t>(k)] += static_cast<double>(lane.sum[at + k]);
          if (lane.total.empty()) continue;
          for (Index k = 0; k < count; ++k)
            sum[static_cast<std::size_t>(k)] += lane.total[static_cast<std::size_t>(at + k)];
        }
        for (Index k = 0; k < count; ++k)
          result[to + k] = back * sum[static_cast<std::size_t>(k)] + problem.l2[j] * v[to + k];
      });
  });
  if (!problem.bias) result.head(problem.scores).setZero();
  return result;
}

}  // namespace discern
