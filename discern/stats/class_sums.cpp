#include "discern/stats/class_sums.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>

#include "discern/base/buffer.hpp"
#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/stats/fold.hpp"

namespace discern {

void ClassSums::Numbers::merge(const Numbers& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  broken = std::max(broken, other.broken);
}

template <class T>
ClassSums::Numbers ClassSums::add_class(const SparseRows<T>& rows, const Block& block,
                                        const RowsByClass& groups, std::size_t c) {
  const Index k = groups.classes[c];
  double* sums = sums_.row(k).data();
  double total = 0;
  Numbers seen;
  for (Index r = groups.starts[c]; r < groups.starts[c + 1]; ++r) {
    const Index i = groups.rows[static_cast<std::size_t>(r)];
    const double weight = block.weight(i);
    total += weight;
    for_each(rows.row(i), [&](Index j, double v) {
      sums[j] += weight * v;
      seen.low = std::min(seen.low, v);
      seen.high = std::max(seen.high, v);
      seen.broken = std::max(seen.broken, std::fabs(v - std::nearbyint(v)));
    });
  }
  weights_[k] += total;
  return seen;
}

ClassSums::Numbers ClassSums::add_class(const Block& block, const RowsByClass& groups, std::size_t c) {
  return std::visit(
      [&](const auto& rows) -> Numbers {
        if constexpr (requires { rows.columns; }) return add_class(rows, block, groups, c);
        assert(false);
        return {};
      },
      block.x);
}

void ClassSums::add(const Block& block) {
  if (refused()) return;
  if (sums_.size() == 0) sums_.setZero(weights_.size(), columns_);
  const RowsByClass groups(block, weights_.size());
  for (std::size_t c = 0; c < groups.classes.size(); ++c) numbers_.merge(add_class(block, groups, c));
}

void ClassSums::add_all(const Block& block, const RowsByClass& groups, const Monitor& monitor) {
  sums_.resize(weights_.size(), columns_);
  ask_for_huge_pages(sums_.data(), static_cast<std::size_t>(sums_.size()) * sizeof(double));
  parallel_for(sums_.rows(), [&](Index k) { sums_.row(k).setZero(); });
  std::vector<Numbers> seen(groups.classes.size());
  const auto total = static_cast<Index>(seen.size());
  std::atomic<Index> done{0};
  std::atomic<bool> refused{false}, stopped{false};
  parallel_for(total, [&](Index c) {
    if (refused || stopped) return;
    Numbers& own = seen[static_cast<std::size_t>(c)];
    own = add_class(block, groups, static_cast<std::size_t>(c));
    if (counts_ && own.broken > 0) refused = true;
    const Index so_far = done.fetch_add(1) + 1;
    if (!go_on(monitor, {.stage = "passing over the data", .done = so_far, .total = total})) stopped = true;
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  for (const Numbers& own : seen) numbers_.merge(own);
}

void ClassSums::merge(const ClassSums& other) {
  numbers_.merge(other.numbers_);
  if (refused() || other.sums_.size() == 0) return;
  weights_ += other.weights_;
  if (sums_.size() == 0)
    sums_ = other.sums_;
  else
    sums_ += other.sums_;
}

// By class when no class has more rows than a lane would have: then the threads are as busy as in a fold.
ClassSums class_sums(const Source& source, Index classes, bool counts, const Monitor& monitor) {
  ClassSums sums(classes, source.cols(), counts);
  if (const auto all = source.all_rows()) {
    const RowsByClass groups(*all, classes);
    Index largest = 0;
    for (std::size_t c = 0; c < groups.classes.size(); ++c)
      largest = std::max(largest, groups.starts[c + 1] - groups.starts[c]);
    if (largest * lane_count(source.block_count(), sums.bytes()) <= source.rows()) {
      sums.add_all(*all, groups, monitor);
      return sums;
    }
  }
  return fold(source, sums, monitor);
}

}  // namespace discern
