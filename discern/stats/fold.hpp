// The one fold: all heavy work over data is fold(source, accumulator).
//
// An accumulator has
//   add(const Block&)        take in some rows
//   merge(const Accumulator&)  take in what another has seen, of rows that follow
//   double bytes() const     about how much memory one takes
//
// The blocks are fixed by the source and are dealt out in order to a number of lanes that depends on the
// data's shape and the accumulator's size alone. A lane adds its blocks one after another; lanes merge
// in pairs, in a fixed order. So the answer is the same bit for bit on one thread or many, in memory or
// from disk. Threads only decide how many lanes run at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/progress.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/source.hpp"

namespace discern {

// 32 lanes keep 16 cores busy. Large accumulators get fewer, but never less than two: clearing and merging
// them would take longer than the blocks do (at 400 kB each 32 lanes took a third of a pass over sparse
// rows). A power of two, so that two, four or eight threads all have as much to do.
inline Index lane_count(Index blocks, double bytes) {
  const double affordable = 4e6 / std::max(bytes, 1.0);
  const double least = bytes < 8e6 ? 4.0 : 2.0;
  const auto lanes = std::bit_floor(static_cast<std::uint64_t>(std::clamp(affordable, least, 32.0)));
  return std::min(blocks, static_cast<Index>(lanes));
}

// Throws Code::interrupted when the monitor asks to stop.
template <class Accumulator>
Accumulator fold(const Source& source, const Accumulator& empty, const Monitor& monitor = {}) {
  const Index blocks = source.block_count();
  const Index lanes = lane_count(blocks, empty.bytes());
  if (lanes == 0) return empty;
  std::vector<std::optional<Accumulator>> results(static_cast<std::size_t>(lanes));
  std::atomic<Index> done{0};
  std::atomic<bool> stopped{false};
  parallel_for(lanes, [&](Index lane) {
    auto& result = results[static_cast<std::size_t>(lane)].emplace(empty);
    Scratch scratch;
    const Index last = (lane + 1) * blocks / lanes;
    for (Index k = lane * blocks / lanes; k < last && !stopped; ++k) {
      result.add(source.block(k, scratch));
      const Index so_far = done.fetch_add(1) + 1;
      if (!go_on(monitor, {.stage = "passing over the data", .done = so_far, .total = blocks}))
        stopped = true;
    }
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  for (Index step = 1; step < lanes; step *= 2) {
    const Index pairs = (lanes - step + 2 * step - 1) / (2 * step);
    parallel_for(pairs, [&](Index pair) {
      const auto left = static_cast<std::size_t>(2 * step * pair),
                 right = left + static_cast<std::size_t>(step);
      results[left]->merge(*results[right]);
      results[right].reset();
    });
  }
  return std::move(*results[0]);
}

}  // namespace discern
