// Asks for a row that will be needed soon: in random order the processor cannot know which it is.
#pragma once

#include <algorithm>
#include <cstddef>

#include "discern/data/row.hpp"

namespace discern {

// Inlined by force: GCC takes functions that only prefetch for ones without effect and drops their calls.
[[gnu::always_inline]] inline void prefetch(const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64, most = 2048;  // longer rows are streams that the processor sees by itself
  const char* first = static_cast<const char*>(from);
  const std::size_t end = std::min(bytes, most);
  for (std::size_t at = 0; at < end; at += line) __builtin_prefetch(first + at);
  if (end > 0) __builtin_prefetch(first + end - 1);
}
template <class T>
[[gnu::always_inline]] inline void prefetch(DenseRow<T> row) {
  prefetch(row.values, static_cast<std::size_t>(row.size) * sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline void prefetch(SparseRow<T> row) {
  prefetch(row.values, static_cast<std::size_t>(row.size) * sizeof(T));
  prefetch(row.columns, static_cast<std::size_t>(row.size) * sizeof(std::uint32_t));
}

}  // namespace discern
