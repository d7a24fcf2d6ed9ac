#include "discern/optim/kernel/hessian_products.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/stochastic/binary_size.hpp"
#include "discern/optim/stochastic/prefetch.hpp"
#include "discern/optim/view/renumbered.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;
using Eigen::VectorXf;

constexpr Index product_lanes = 8;  // fixed, for the same bits on any number of threads
constexpr std::size_t most_narrow = std::size_t{1} << 16;
constexpr Index most_terms = Index{1} << 15;  // of a sum in single precision

// In four chains of additions, so that none waits for the one before.
template <class Row>
float dot(const Row& x, const float* w) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index k = 0;
  for (; k + 4 <= x.size; k += 4) {
    s0 += x.values[k] * w[x.columns[k]];
    s1 += x.values[k + 1] * w[x.columns[k + 1]];
    s2 += x.values[k + 2] * w[x.columns[k + 2]];
    s3 += x.values[k + 3] * w[x.columns[k + 3]];
  }
  for (; k < x.size; ++k) s0 += x.values[k] * w[x.columns[k]];
  return (s0 + s1) + (s2 + s3);
}

template <class Row>
void axpy(float a, const Row& x, float* sum) {
  for (Index k = 0; k < x.size; ++k) sum[x.columns[k]] += a * x.values[k];
}

// Entries of rows that follow: the processor's own guess ends with the row.
template <class Row>
[[gnu::always_inline]] inline void ask_ahead(const Row& row) {
  constexpr Index ahead = 512;
  prefetch(row.values + ahead, static_cast<std::size_t>(row.size) * sizeof(*row.values));
  prefetch(row.columns + ahead, static_cast<std::size_t>(row.size) * sizeof(*row.columns));
}

Index first_block(const Source& source, Index lane) { return lane * source.block_count() / product_lanes; }

std::vector<Index> all_coordinates(const LinearFunction& function) {
  std::vector<Index> all(static_cast<std::size_t>(function.size()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

bool HessianProducts::copies(const Problem& problem) {
  constexpr double most_bytes = 2e9;
  constexpr Index least_blocks = 4;  // fewer rows are multiplied as fast where they are
  return problem.source->sparse() && problem.scores == 1 && !problem.scaling.far &&
         problem.source->block_count() >= least_blocks &&
         8 * estimated_entries(*problem.source) <= most_bytes;
}

HessianProducts::HessianProducts(const LinearFunction& function, const Monitor& monitor)
    : HessianProducts(function, all_coordinates(function), monitor) {}

HessianProducts::HessianProducts(const LinearFunction& function, std::vector<Index> coordinates,
                                 const Monitor& monitor)
    : function_(&function), copied_(copies(function.problem())) {
  restrict_to(std::move(coordinates), monitor);
}

void HessianProducts::restrict_to(std::vector<Index> coordinates, const Monitor& monitor) {
  coordinates_ = std::move(coordinates);
  if (all() && !exact_ && !softmax_ && SoftmaxProducts::worthwhile(function_->problem())) {
    softmax_.emplace(*function_, monitor);
    if (!softmax_->keeps_digits()) make_exact();
  }
  if (!copied_) return;
  bias_ = function_->problem().bias && !coordinates_.empty() && coordinates_.front() == 0;
  number_by_frequency();
  copy_rows(monitor);
  sums_.assign(product_lanes, VectorXf(static_cast<Index>(order_.size())));
  totals_.resize(product_lanes);
}

bool HessianProducts::make_exact() {
  const bool rounds = copied_ || softmax_.has_value();
  exact_ = true;
  copied_ = false;
  softmax_.reset();
  return rounds;
}

void HessianProducts::number_by_frequency() {
  if (counts_.empty()) counts_ = feature_counts(*function_->problem().source);
  std::vector<std::uint32_t> counts;
  std::vector<Index> places;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    if (coordinates_[k] == 0) continue;
    places.push_back(static_cast<Index>(k));
    counts.push_back(counts_[static_cast<std::size_t>(coordinates_[k] - 1)]);
  }
  order_ = by_frequency(counts);
  for (Index& at : order_) at = places[static_cast<std::size_t>(at)];
}

void HessianProducts::copy_rows(const Monitor& monitor) {
  const Source& source = *function_->problem().source;
  Places places{std::vector<std::uint32_t>(static_cast<std::size_t>(source.cols())), {0}};
  for (const Index k : order_) {
    const Index feature = coordinates_[static_cast<std::size_t>(k)] - 1;
    places.of_feature[static_cast<std::size_t>(feature)] = static_cast<std::uint32_t>(places.units.size());
    places.units.push_back(1 / function_->problem().scaling.scale[feature]);
  }
  if (!go_on(monitor, {.stage = "copying rows"})) throw Error(Code::interrupted, "interrupted");
  make_room();
  std::visit(
      [&](auto& entries) {
        parallel_for(product_lanes, [&](Index k) {
          Scratch scratch;
          Lane& lane = lanes_[static_cast<std::size_t>(k)];
          lane.starts.assign(1, 0);
          for (Index b = first_block(source, k); b < first_block(source, k + 1); ++b)
            std::visit(
                [&](const auto& rows) {
                  if (order_.size() == places.of_feature.size())
                    append<true>(rows, places, lane, entries);
                  else
                    append<false>(rows, places, lane, entries);
                },
                source.block(b, scratch).x);
        });
      },
      entries_);
}

void HessianProducts::make_room() {
  const Source& source = *function_->problem().source;
  if (order_.size() > most_narrow && entries_.index() == 0) entries_.emplace<1>();
  std::visit(
      [&]<class Column>(Entries<Column>& to) {
        if (to.values.size() > 0) return;
        const std::vector<Index> before = entries_before_blocks(source);
        lanes_.clear();
        for (Index k = 0; k < product_lanes; ++k) {
          const Index block = first_block(source, k);
          lanes_.push_back({block * source.rows_per_block(), before[static_cast<std::size_t>(block)], {}});
        }
        to.columns = Buffer<Column>(before.back());
        to.values = Buffer<float>(before.back());
      },
      entries_);
}

template <bool all, class R, class Column>
void HessianProducts::append(const R& rows, const Places& places, Lane& lane, Entries<Column>& to) {
  lane.starts.reserve(lane.starts.size() + static_cast<std::size_t>(rows.rows));
  Column* const columns = to.columns.data() + lane.first_entry;
  float* const values = to.values.data() + lane.first_entry;
  const std::uint32_t* const of_feature = places.of_feature.data();
  const double* const units = places.units.data();
  std::size_t count = lane.starts.back();
  for (Index i = 0; i < rows.rows; ++i) {
    // What is left out is written, too, and then written over: whether it is cannot be foreseen.
    for_each(rows.row(i), [&](Index j, double x) {
      const std::uint32_t place = of_feature[j];
      columns[count] = static_cast<Column>(place - 1);
      values[count] = static_cast<float>(x * units[place]);
      count += all || place != 0 ? 1 : 0;
    });
    lane.starts.push_back(static_cast<std::uint32_t>(count));
  }
}

// What the rows of a lane sum up to: in single precision, emptied into a total after so many rows.
struct HessianProducts::LaneSum {
  VectorXf* sum;
  VectorXd* total;
  double bias = 0;

  void before(Index i) {
    if (i == 0 || i % most_terms != 0) return;
    *total += sum->cast<double>();
    sum->setZero();
  }
};

template <class SumLane>
VectorXd HessianProducts::sum_over_lanes(double unit, const Monitor& monitor, const SumLane& sum_lane) {
  if (!go_on(monitor, {.stage = "passing over the data"})) throw Error(Code::interrupted, "interrupted");
  const auto count = static_cast<Index>(order_.size());
  VectorXd bias_sums = VectorXd::Zero(product_lanes);
  std::visit(
      [&](const auto& entries) {
        parallel_for(product_lanes, [&](Index k) {
          const auto at = static_cast<std::size_t>(k);
          if (lanes_[at].rows() == 0) return;
          sums_[at].setZero();
          totals_[at].setZero(lanes_[at].rows() > most_terms ? count : 0);
          LaneSum to{&sums_[at], &totals_[at]};
          sum_lane(entries, lanes_[at], to);
          bias_sums[k] = to.bias;
        });
      },
      entries_);
  VectorXd result = VectorXd::Zero(static_cast<Index>(coordinates_.size()));
  if (bias_) result[0] = unit * bias_sums.sum();  // one that is not there has no entry in the copy
  parallel_for(product_lanes, [&](Index slice) {
    const Index first = slice * count / product_lanes, size = (slice + 1) * count / product_lanes - first;
    VectorXd sum = VectorXd::Zero(size);
    for (std::size_t lane = 0; lane < sums_.size(); ++lane) {
      if (lanes_[lane].rows() == 0) continue;
      sum += sums_[lane].segment(first, size).cast<double>();
      if (totals_[lane].size() > 0) sum += totals_[lane].segment(first, size);
    }
    for (Index k = 0; k < size; ++k) result[order_[static_cast<std::size_t>(first + k)]] = unit * sum[k];
  });
  return result;
}

// With the curvatures in units of the largest, which may be beyond the range of single precision.
template <class Add>
VectorXd HessianProducts::sum_over_rows(double unit, const Monitor& monitor, const Add& add) {
  const double largest = binary_size(function_->curvature());
  const auto sum_lane = [&, to_unit = 1 / largest](const auto& entries, const Lane& lane, LaneSum& to) {
    const double* curvature = function_->curvature().data() + lane.first_row;
    for (Index i = 0; i < lane.rows(); ++i) {
      to.before(i);
      // Beyond the margin of a hinge there is none.
      if (curvature[i] != 0) add(entries.row(lane, i), to_unit * curvature[i], to.sum->data(), to.bias);
    }
  };
  return sum_over_lanes(unit * largest, monitor, sum_lane);
}

VectorXd HessianProducts::penalised(const VectorXd& v) const {
  return function_->problem().l2(coordinates_).cwiseProduct(v);
}

VectorXd HessianProducts::diagonal(const Monitor& monitor) {
  if (!copied_) return function_->hessian_diagonal(monitor)(coordinates_);
  const auto add_squares = [](const auto& row, double curvature, float* sum, double& bias_sum) {
    bias_sum += curvature;
    const auto factor = static_cast<float>(curvature);
    for (Index k = 0; k < row.size; ++k) sum[row.columns[k]] += factor * row.values[k] * row.values[k];
  };
  return sum_over_rows(1, monitor, add_squares) + function_->problem().l2(coordinates_);
}

VectorXd HessianProducts::sums(const Monitor& monitor) {
  if (!copied_) return function_->transposed_times(function_->curvature(), monitor)(coordinates_);
  const auto add = [](const auto& row, double curvature, float* sum, double& bias_sum) {
    bias_sum += curvature;
    axpy(static_cast<float>(curvature), row, sum);
  };
  return sum_over_rows(1, monitor, add);
}

VectorXd HessianProducts::times(const VectorXd& v, const Monitor& monitor) {
  if (copied_) {
    const double unit = binary_size(v);
    const VectorXf ordered = (v(order_) / unit).cast<float>();
    const double bias = bias_ ? v[0] / unit : 0.0;
    const auto add_product = [&](const auto& row, double curvature, float* sum, double& bias_sum) {
      ask_ahead(row);
      const double factor = curvature * (bias + static_cast<double>(dot(row, ordered.data())));
      bias_sum += factor;
      axpy(static_cast<float>(factor), row, sum);
    };
    return sum_over_rows(unit, monitor, add_product) + penalised(v);
  }
  if (all() && softmax_) return softmax_->times(v, monitor);
  if (all()) return function_->hessian_times(v, nullptr, monitor);
  VectorXd whole = VectorXd::Zero(function_->size());
  whole(coordinates_) = v;
  return function_->hessian_times(whole, nullptr, monitor)(coordinates_);
}

Evaluation HessianProducts::evaluate_single(LinearFunction& function, const VectorXd& point,
                                            const Monitor& monitor) {
  constexpr Index group = 64;  // rows whose losses are computed together
  const double unit = binary_size(point);
  const VectorXf ordered = (point(order_) / unit).cast<float>();
  const double bias = bias_ ? point[0] : 0.0;
  const bool zero = ordered.isZero(0);  // all rows have one score
  const std::vector<double>& weights = function.answers().weights;
  const double heaviest =
      binary_size(Eigen::Map<const VectorXd>(weights.data(), static_cast<Index>(weights.size())));
  RowMajor scores(function.scores().rows(), 1), curvature(scores.rows(), 1);
  VectorXd values = VectorXd::Zero(product_lanes), sizes = values;
  const auto sum_lane = [&](const auto& entries, const Lane& lane, LaneSum& to) {
    RowMajor slopes, curvatures;
    double value = 0, size = 0;
    for (Index first = 0; first < lane.rows(); first += group) {
      const Index count = std::min(group, lane.rows() - first), row = lane.first_row + first;
      slopes.resize(count, 1);
      for (Index i = 0; i < count; ++i) {
        ask_ahead(entries.row(lane, first + i));
        slopes(i, 0) =
            zero ? bias
                 : bias + unit * static_cast<double>(dot(entries.row(lane, first + i), ordered.data()));
      }
      scores.middleRows(row, count) = slopes;
      value += row_losses(function.problem(), function.answers(row, count), slopes, &curvatures);
      curvature.middleRows(row, count) = curvatures;
      size += slopes.cwiseAbs().sum();
      for (Index i = 0; i < count; ++i) {
        to.before(first + i);
        const double slope = slopes(i, 0) / heaviest;
        to.bias += slope;
        if (slope != 0) axpy(static_cast<float>(slope), entries.row(lane, first + i), to.sum->data());
      }
    }
    values[&lane - lanes_.data()] = value;
    sizes[&lane - lanes_.data()] = size;
  };
  VectorXd gradient = sum_over_lanes(heaviest, monitor, sum_lane);
  const VectorXd penalty = penalised(point);
  function.set_rows(std::move(scores), std::move(curvature));
  return {values.sum() + 0.5 * penalty.dot(point), gradient + penalty, sizes.sum()};
}

}  // namespace discern
