#include "discern/optim/view/renumbered.hpp"

#include <algorithm>
#include <numeric>

#include "discern/base/threads.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/optim/problem/sample.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

template <class R>
constexpr bool is_sparse_view = requires(const R& rows) {
  rows.columns;
};

}  // namespace

std::vector<std::uint32_t> feature_counts(const Source& source) {
  const SampledSource sample(source, 0.05);
  std::vector<std::uint32_t> counts(static_cast<std::size_t>(source.cols()));
  Scratch scratch;
  for (Index k = 0; k < sample.block_count(); ++k) {
    const Block block = sample.block(k, scratch);
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.rows; ++i)
            for_each(rows.row(i), [&](Index j, double) { ++counts[static_cast<std::size_t>(j)]; });
        },
        block.x);
  }
  return counts;
}

// Sorted by counting: the counts are small.
std::vector<Index> by_frequency(const std::vector<std::uint32_t>& counts) {
  if (counts.empty()) return {};
  const std::uint32_t most = *std::max_element(counts.begin(), counts.end());
  std::vector<std::size_t> next(most + std::size_t{2});  // the place of the next that occurs most - k times
  for (const std::uint32_t count : counts) ++next[most - count + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Index> order(counts.size());
  for (std::size_t j = 0; j < counts.size(); ++j) order[next[most - counts[j]]++] = static_cast<Index>(j);
  return order;
}

std::vector<Index> features_by_frequency(const Source& source) {
  return by_frequency(feature_counts(source));
}

RenumberedProblem::Renumbered::Renumbered(const Source& from, const std::vector<Index>& order)
    : from_(&from), order_(&order), first_entry_(entries_before_blocks(from)), columns_(first_entry_.back()) {
  std::vector<std::uint32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<std::uint32_t>(k);
  parallel_for(from.block_count(), [&](Index k) {
    Scratch scratch;
    const Block block = from.block(k, scratch);
    std::visit(
        [&]<class R>(const R& rows) {
          if constexpr (is_sparse_view<R>)
            std::transform(rows.columns + rows.starts[0], rows.columns + rows.starts[rows.rows],
                           columns_.data() + first_entry_[static_cast<std::size_t>(k)],
                           [&](std::uint32_t j) { return place[j]; });
        },
        block.x);
  });
}

Block RenumberedProblem::Renumbered::block(Index k, Scratch& scratch) const {
  Block block = from_->block(k, scratch);
  std::visit(
      [&]<class R>(R& rows) {
        if constexpr (is_sparse_view<R>)
          rows.columns = columns_.data() + (first_entry_[static_cast<std::size_t>(k)] - rows.starts[0]);
      },
      block.x);
  return block;
}

void RenumberedProblem::Renumbered::extended(Index first, Index count,
                                             std::vector<long double>& values) const {
  std::vector<long double> original;
  from_->extended(first, count, original);
  values.resize(original.size());
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < cols(); ++k)
      values[static_cast<std::size_t>(i * cols() + k)] =
          original[static_cast<std::size_t>(i * cols() + (*order_)[static_cast<std::size_t>(k)])];
}

bool worth_renumbering(const Source& source) {
  const bool many = source.cols() >= limits::least_renumbered_features && source.block_count() >= 8;
  return source.sparse() && many && 4 * estimated_entries(source) <= limits::most_copied_bytes;
}

Problem in_order(const Problem& problem, const std::vector<Index>& order) {
  Problem ordered = problem;
  const auto reorder = [&](VectorXd& of_features) {
    if (of_features.size() > 0) of_features = VectorXd(of_features(order));
  };
  reorder(ordered.scaling.center);
  reorder(ordered.scaling.origin);
  reorder(ordered.scaling.scale);
  reorder(ordered.scaling.penalty);
  reorder(ordered.scaling.units);
  ordered.l1.tail(problem.features()) = problem.l1.tail(problem.features())(order);
  ordered.l2.tail(problem.features()) = problem.l2.tail(problem.features())(order);
  return ordered;
}

VectorXd in_original_order(const VectorXd& point, const std::vector<Index>& order, Index scores) {
  VectorXd result(point.size());
  result.head(scores) = point.head(scores);
  for (std::size_t k = 0; k < order.size(); ++k)
    result.segment((order[k] + 1) * scores, scores) =
        point.segment((static_cast<Index>(k) + 1) * scores, scores);
  return result;
}

VectorXd RenumberedProblem::to(const VectorXd& whole_point) const {
  const Index scores = renumbered_.scores;
  VectorXd result(whole_point.size());
  result.head(scores) = whole_point.head(scores);
  for (std::size_t k = 0; k < order_.size(); ++k)
    result.segment((static_cast<Index>(k) + 1) * scores, scores) =
        whole_point.segment((order_[k] + 1) * scores, scores);
  return result;
}

RenumberedProblem::RenumberedProblem(const Problem& problem)
    : order_(features_by_frequency(*problem.source)),
      source_(*problem.source, order_),
      renumbered_(in_order(problem, order_)) {
  renumbered_.source = &source_;
}

}  // namespace discern
