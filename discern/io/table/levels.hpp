// The distinct texts of a column, numbered in the order in which they were first seen.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

class Levels {
 public:
  static constexpr std::int64_t none = -1;

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  std::string_view text(std::int64_t code) const { return entries_[static_cast<std::size_t>(code)].text; }
  Index first_line(std::int64_t code) const { return entries_[static_cast<std::size_t>(code)].line; }

  static std::uint64_t hash(std::string_view text);
  std::int64_t find(std::string_view text, std::uint64_t hash) const;
  // The code of the text; a new one is noted with its line. The text itself is kept when `keep_text`,
  // otherwise it must outlive the levels and not change.
  std::int64_t add(std::string_view text, std::uint64_t hash, Index line, bool keep_text);

 private:
  struct Entry {
    std::string_view text;
    std::uint64_t hash;
    Index line;
  };
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow();
  std::string_view keep(std::string_view text);

  std::vector<Entry> entries_;
  std::vector<std::int32_t> slots_;  // open addressing: an entry's number plus 1, or 0
  std::deque<std::string> kept_;     // blocks of texts one after the other, each within its capacity
};

// A column's levels in their final order, and where each was first seen.
struct SortedLevels {
  std::vector<std::string> texts;  // in the order of sort_levels
  std::vector<Index> lines;
  std::vector<std::int32_t> position;  // of each code
};

SortedLevels sorted(const Levels& levels);

}  // namespace discern
