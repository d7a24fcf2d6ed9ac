#include "discern/optim/hessian_products.hpp"

#include <algorithm>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/prefetch.hpp"
#include "discern/optim/renumbered.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr Index lane_count = 8;  // fixed, for the same bits on any number of threads

// Entries of some rows.
Index entries_of(const Rows& x) {
  return std::visit(
      []<class R>(const R& rows) -> Index {
        if constexpr (requires { rows.starts; })
          return rows.starts[rows.rows] - rows.starts[0];
        else
          return 0;
      },
      x);
}

// From one block: the entries of all.
double estimated_entries(const Source& source) {
  Scratch scratch;
  const Block block = source.block(0, scratch);
  return static_cast<double>(entries_of(block.x)) / static_cast<double>(std::max<Index>(block.rows(), 1)) *
         static_cast<double>(source.rows());
}

// Features that are numbered by frequency already gain too little when all of them are needed.
bool worth_copying(const Problem& problem, Index coordinates) {
  constexpr double most_bytes = 2e9;
  if (problem.by_frequency && coordinates == problem.size()) return false;
  return problem.source->sparse() && problem.scores == 1 && problem.source->block_count() >= lane_count &&
         8 * estimated_entries(*problem.source) <= most_bytes;
}

std::vector<Index> all_coordinates(const LinearFunction& function) {
  std::vector<Index> all(static_cast<std::size_t>(function.size()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

HessianProducts::HessianProducts(const LinearFunction& function, const Monitor& monitor)
    : HessianProducts(function, all_coordinates(function), monitor) {}

HessianProducts::HessianProducts(const LinearFunction& function, std::vector<Index> coordinates,
                                 const Monitor& monitor)
    : function_(&function),
      copied_(worth_copying(function.problem(), static_cast<Index>(coordinates.size()))) {
  restrict_to(std::move(coordinates), monitor);
}

void HessianProducts::restrict_to(std::vector<Index> coordinates, const Monitor& monitor) {
  coordinates_ = std::move(coordinates);
  if (!copied_) return;
  bias_ = function_->problem().bias && !coordinates_.empty() && coordinates_.front() == 0;
  number_by_frequency();
  copy_rows(monitor);
  sums_.assign(lane_count, VectorXd(static_cast<Index>(order_.size())));
}

void HessianProducts::number_by_frequency() {
  const std::vector<std::uint32_t> counts = feature_counts(*function_->problem().source);
  order_.clear();
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    if (coordinates_[k] > 0) order_.push_back(static_cast<Index>(k));
  const auto count = [&](Index k) {
    return counts[static_cast<std::size_t>(coordinates_[static_cast<std::size_t>(k)] - 1)];
  };
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) { return count(a) > count(b); });
}

void HessianProducts::copy_rows(const Monitor& monitor) {
  const Source& source = *function_->problem().source;
  Places places{std::vector<std::uint32_t>(static_cast<std::size_t>(source.cols())), {0}};
  for (const Index k : order_) {
    const Index feature = coordinates_[static_cast<std::size_t>(k)] - 1;
    places.of_feature[static_cast<std::size_t>(feature)] = static_cast<std::uint32_t>(places.units.size());
    places.units.push_back(1 / function_->problem().scaling.scale[feature]);
  }
  parts_.resize(lane_count);
  const auto entries = static_cast<Index>(1.05 * estimated_entries(source) / lane_count);
  if (!go_on(monitor, {.stage = "copying rows"})) throw Error(Code::interrupted, "interrupted");
  parallel_for(lane_count, [&](Index lane) {
    Scratch scratch;
    Part& part = parts_[static_cast<std::size_t>(lane)];
    part.starts.assign(1, 0);
    part.reserve(entries);
    for (Index k = lane * source.block_count() / lane_count;
         k < (lane + 1) * source.block_count() / lane_count; ++k) {
      const Block block = source.block(k, scratch);
      if (part.rows() == 0) part.first = block.first;
      std::visit([&](const auto& rows) { append(rows, places, part); }, block.x);
    }
  });
}

void HessianProducts::Part::reserve(Index entries) {
  if (entries <= values.size()) return;
  Buffer<std::uint32_t> more_columns(entries);
  Buffer<float> more_values(entries);
  std::copy_n(columns.data(), starts.back(), more_columns.data());
  std::copy_n(values.data(), starts.back(), more_values.data());
  columns = std::move(more_columns);
  values = std::move(more_values);
}

template <class R>
void HessianProducts::append(const R& rows, const Places& places, Part& part) {
  part.reserve(part.starts.back() + entries_of(rows));
  part.starts.reserve(part.starts.size() + static_cast<std::size_t>(rows.rows));
  std::uint32_t* column = part.columns.data() + part.starts.back();
  float* value = part.values.data() + part.starts.back();
  for (Index i = 0; i < rows.rows; ++i) {
    // What is left out is written, too, and then written over.
    for_each(rows.row(i), [&](Index j, double x) {
      const std::uint32_t place = places.of_feature[static_cast<std::size_t>(j)];
      *column = place - 1;
      *value = static_cast<float>(x * places.units[place]);
      column += place > 0;
      value += place > 0;
    });
    part.starts.push_back(static_cast<std::uint32_t>(column - part.columns.data()));
  }
}

template <class Add>
VectorXd HessianProducts::sum_over_rows(const VectorXd& v, const Monitor& monitor, const Add& add) {
  if (!go_on(monitor, {.stage = "passing over the data"})) throw Error(Code::interrupted, "interrupted");
  const auto count = static_cast<Index>(order_.size());
  VectorXd bias_sums = VectorXd::Zero(lane_count);
  parallel_for(lane_count, [&](Index lane) {
    VectorXd& sum = sums_[static_cast<std::size_t>(lane)];
    sum.setZero();
    double bias_sum = 0;
    const Part& part = parts_[static_cast<std::size_t>(lane)];
    const double* curvature = function_->curvature().data() + part.first;
    for (Index i = 0; i < part.rows(); ++i)  // beyond the margin of a hinge there is none
      if (curvature[i] != 0) add(part.row(i), curvature[i], sum.data(), bias_sum);
    bias_sums[lane] = bias_sum;
  });
  const VectorXd& l2 = function_->problem().l2;
  VectorXd result(v.size());
  if (bias_) result[0] = bias_sums.sum() + l2[0] * v[0];
  parallel_for(lane_count, [&](Index slice) {
    for (Index k = slice * count / lane_count; k < (slice + 1) * count / lane_count; ++k) {
      double sum = 0;
      for (const VectorXd& lane : sums_) sum += lane[k];
      const Index at = order_[static_cast<std::size_t>(k)];
      result[at] = sum + l2[coordinates_[static_cast<std::size_t>(at)]] * v[at];
    }
  });
  return result;
}

VectorXd HessianProducts::diagonal(const Monitor& monitor) {
  if (!copied_) return function_->hessian_diagonal(monitor)(coordinates_);
  return sum_over_rows(VectorXd::Ones(static_cast<Index>(coordinates_.size())), monitor,
                       [](SparseRow<float> row, double curvature, double* sum, double& bias_sum) {
                         bias_sum += curvature;
                         for_each(row, [&](Index j, double x) { sum[j] += curvature * x * x; });
                       });
}

VectorXd HessianProducts::times(const VectorXd& v, const Monitor& monitor) {
  if (copied_) {
    const VectorXd ordered = v(order_);
    return sum_over_rows(v, monitor,
                         [&, bias = bias_ ? v[0] : 0.0](SparseRow<float> row, double curvature, double* sum,
                                                        double& bias_sum) {
                           constexpr Index ahead = 512;  // the processor's own guess ends with the row
                           prefetch(SparseRow<float>{row.values + ahead, row.columns + ahead, row.size});
                           const double factor = curvature * (bias + dot(row, ordered.data()));
                           bias_sum += factor;
                           axpy(factor, row, sum);
                         });
  }
  if (static_cast<Index>(coordinates_.size()) == function_->size())
    return function_->hessian_times(v, nullptr, monitor);
  VectorXd whole = VectorXd::Zero(function_->size());
  whole(coordinates_) = v;
  return function_->hessian_times(whole, nullptr, monitor)(coordinates_);
}

}  // namespace discern
