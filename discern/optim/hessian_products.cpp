#include "discern/optim/hessian_products.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/binary_size.hpp"
#include "discern/optim/prefetch.hpp"
#include "discern/optim/renumbered.hpp"

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

std::vector<Index> all_coordinates(const LinearFunction& function) {
  std::vector<Index> all(static_cast<std::size_t>(function.size()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

bool HessianProducts::copies(const Problem& problem) {
  constexpr double most_bytes = 2e9;
  return problem.source->sparse() && problem.scores == 1 && problem.source->block_count() >= product_lanes &&
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
  const double entries_a_block = estimated_entries(source) / static_cast<double>(source.block_count());
  if (!go_on(monitor, {.stage = "copying rows"})) throw Error(Code::interrupted, "interrupted");
  if (order_.size() > most_narrow && parts_.index() == 0) parts_.emplace<1>();
  std::visit(
      [&](auto& parts) {
        parts.resize(product_lanes);
        parallel_for(product_lanes, [&](Index lane) {
          Scratch scratch;
          auto& part = parts[static_cast<std::size_t>(lane)];
          part.starts.assign(1, 0);
          const Index first = lane * source.block_count() / product_lanes,
                      last = (lane + 1) * source.block_count() / product_lanes;
          part.reserve(static_cast<Index>(1.05 * entries_a_block * static_cast<double>(last - first)));
          for (Index k = first; k < last; ++k) {
            const Block block = source.block(k, scratch);
            if (part.rows() == 0) part.first = block.first;
            std::visit([&](const auto& rows) { append(rows, places, part); }, block.x);
          }
        });
      },
      parts_);
}

template <class Column>
void HessianProducts::Part<Column>::reserve(Index entries) {
  if (entries <= values.size()) return;
  const Index room = std::max(entries, values.size() + values.size() / 2);
  Buffer<Column> more_columns(room);
  Buffer<float> more_values(room);
  std::copy_n(columns.data(), starts.back(), more_columns.data());
  std::copy_n(values.data(), starts.back(), more_values.data());
  columns = std::move(more_columns);
  values = std::move(more_values);
}

template <class R, class Column>
void HessianProducts::append(const R& rows, const Places& places, Part<Column>& part) {
  part.reserve(part.starts.back() + sparse_entries(rows));
  part.starts.reserve(part.starts.size() + static_cast<std::size_t>(rows.rows));
  Column* const columns = part.columns.data();
  float* const values = part.values.data();
  const std::uint32_t* const of_feature = places.of_feature.data();
  const double* const units = places.units.data();
  std::size_t count = part.starts.back();
  for (Index i = 0; i < rows.rows; ++i) {
    // What is left out is written, too, and then written over: whether it is cannot be foreseen.
    for_each(rows.row(i), [&](Index j, double x) {
      const std::uint32_t place = of_feature[j];
      columns[count] = static_cast<Column>(place - 1);
      values[count] = static_cast<float>(x * units[place]);
      count += place != 0 ? 1 : 0;
    });
    part.starts.push_back(static_cast<std::uint32_t>(count));
  }
}

// With the curvatures in units of the largest, which may be beyond the range of single precision.
template <class Add>
VectorXd HessianProducts::sum_over_rows(const VectorXd& v, double unit, const Monitor& monitor,
                                        const Add& add) {
  if (!go_on(monitor, {.stage = "passing over the data"})) throw Error(Code::interrupted, "interrupted");
  const auto count = static_cast<Index>(order_.size());
  const double largest = binary_size(function_->curvature()), back = unit * largest;
  VectorXd bias_sums = VectorXd::Zero(product_lanes);
  const auto sum_lane = [&, to_unit = 1 / largest](const auto& part, Index lane) {
    VectorXf& sum = sums_[static_cast<std::size_t>(lane)];
    VectorXd& total = totals_[static_cast<std::size_t>(lane)];
    sum.setZero();
    total.setZero(part.rows() > most_terms ? count : 0);
    double bias_sum = 0;
    const double* curvature = function_->curvature().data() + part.first;
    for (Index i = 0; i < part.rows(); ++i) {
      if (i > 0 && i % most_terms == 0) {
        total += sum.cast<double>();
        sum.setZero();
      }
      // Beyond the margin of a hinge there is none.
      if (curvature[i] != 0) add(part.row(i), to_unit * curvature[i], sum.data(), bias_sum);
    }
    bias_sums[lane] = bias_sum;
  };
  std::visit(
      [&](const auto& parts) {
        parallel_for(product_lanes,
                     [&](Index lane) { sum_lane(parts[static_cast<std::size_t>(lane)], lane); });
      },
      parts_);
  const VectorXd& l2 = function_->problem().l2;
  VectorXd result = VectorXd::Zero(v.size());  // a bias that is not there has no entry in the copy
  if (bias_) result[0] = back * bias_sums.sum();
  parallel_for(product_lanes, [&](Index slice) {
    const Index first = slice * count / product_lanes, size = (slice + 1) * count / product_lanes - first;
    VectorXd sum = VectorXd::Zero(size);
    for (std::size_t lane = 0; lane < sums_.size(); ++lane) {
      sum += sums_[lane].segment(first, size).cast<double>();
      if (totals_[lane].size() > 0) sum += totals_[lane].segment(first, size);
    }
    for (Index k = 0; k < size; ++k) result[order_[static_cast<std::size_t>(first + k)]] = back * sum[k];
  });
  for (Index k = 0; k < v.size(); ++k) result[k] += l2[coordinates_[static_cast<std::size_t>(k)]] * v[k];
  return result;
}

VectorXd HessianProducts::diagonal(const Monitor& monitor) {
  if (!copied_) return function_->hessian_diagonal(monitor)(coordinates_);
  const auto add_squares = [](const auto& row, double curvature, float* sum, double& bias_sum) {
    bias_sum += curvature;
    const auto factor = static_cast<float>(curvature);
    for (Index k = 0; k < row.size; ++k) sum[row.columns[k]] += factor * row.values[k] * row.values[k];
  };
  return sum_over_rows(VectorXd::Ones(static_cast<Index>(coordinates_.size())), 1, monitor, add_squares);
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
    return sum_over_rows(v, unit, monitor, add_product);
  }
  if (all() && softmax_) return softmax_->times(v, monitor);
  if (all()) return function_->hessian_times(v, nullptr, monitor);
  VectorXd whole = VectorXd::Zero(function_->size());
  whole(coordinates_) = v;
  return function_->hessian_times(whole, nullptr, monitor)(coordinates_);
}

}  // namespace discern
