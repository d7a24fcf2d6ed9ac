// Asks for a row that will be needed soon: in random order the processor cannot know which it is.
#pragma once

#include <algorithm>
#include <cstddef>

#include "discern/data/row.hpp"

namespace discern {

// Where to: what is needed next into the first-level cache. That takes only a few requests at a time, so what
// is needed later goes into the second: rows of 65 entries in random order arrive there in two thirds of the
// time.
enum class Cache { first, second };

// Inlined by force: GCC takes functions that only prefetch for ones without effect and drops their calls.
template <Cache cache = Cache::first>
[[gnu::always_inline]] inline void prefetch(const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64, most = 2048;  // longer rows are streams that the processor sees by itself
  constexpr int locality = cache == Cache::first ? 3 : 2;
  const char* first = static_cast<const char*>(from);
  const std::size_t end = std::min(bytes, most);
  for (std::size_t at = 0; at < end; at += line) __builtin_prefetch(first + at, 0, locality);
  if (end > 0) __builtin_prefetch(first + end - 1, 0, locality);
}
template <Cache cache = Cache::first, class T>
[[gnu::always_inline]] inline void prefetch(DenseRow<T> row) {
  prefetch<cache>(row.values, static_cast<std::size_t>(row.size) * sizeof(T));
}
template <Cache cache = Cache::first, class T>
[[gnu::always_inline]] inline void prefetch(SparseRow<T> row) {
  prefetch<cache>(row.values, static_cast<std::size_t>(row.size) * sizeof(T));
  prefetch<cache>(row.columns, static_cast<std::size_t>(row.size) * sizeof(std::uint32_t));
}

}  // namespace discern
