// What the algorithms share that take samples one by one, in any order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "discern/base/threads.hpp"
#include "discern/data/source.hpp"
#include "discern/optim/stochastic/prefetch.hpp"

namespace discern {

// All blocks at once, so that rows can be taken in any order. Those of data in memory are views; a source
// that computes its blocks does so once, into a scratch each that stays.
class AllRows {
 public:
  explicit AllRows(const Source& source) : scratch_(static_cast<std::size_t>(source.block_count())) {
    blocks_.resize(scratch_.size());
    parallel_for(source.block_count(), [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      blocks_[at] = source.block(k, scratch_[at]);
    });
  }
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Scratch> scratch_;
  std::vector<Block> blocks_;
};

// make(block, i, row) of every row i of every block, all in one vector.
template <class RowsOf, class Make>
auto samples_of(const AllRows& all, const Make& make) {
  using Row = decltype(std::declval<RowsOf>().row(0));
  using Sample = decltype(make(std::declval<const Block&>(), Index{0}, std::declval<Row>()));
  const std::vector<Block>& blocks = all.blocks();
  std::vector<Sample> samples(static_cast<std::size_t>(blocks.back().first + blocks.back().rows()));
  parallel_for(static_cast<Index>(blocks.size()), [&](Index k) {
    const Block& block = blocks[static_cast<std::size_t>(k)];
    const auto& rows = std::get<RowsOf>(block.x);
    for (Index i = 0; i < rows.rows; ++i)
      samples[static_cast<std::size_t>(block.first + i)] = make(block, i, rows.row(i));
  });
  return samples;
}

// Before sample order[at] is used: in random order every row is far from the last. The distances were
// measured on sparse rows of 65 entries.
template <class Sample>
[[gnu::always_inline]] inline void fetch_ahead(const std::vector<Sample>& samples,
                                               const std::vector<std::uint32_t>& order, Index at) {
  constexpr std::size_t samples_ahead = 20, rows_ahead = 8;
  const auto now = static_cast<std::size_t>(at);
  if (now + samples_ahead < order.size()) __builtin_prefetch(&samples[order[now + samples_ahead]]);
  if (now + rows_ahead < order.size()) prefetch<Cache::second>(samples[order[now + rows_ahead]].row);
  if (now + 1 < order.size()) prefetch(samples[order[now + 1]].row);
}

}  // namespace discern
