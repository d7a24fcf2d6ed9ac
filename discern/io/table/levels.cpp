#include "discern/io/table/levels.hpp"

#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/data/schema.hpp"

namespace discern {

std::uint64_t Levels::hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

// The slot that holds the text, or the empty one where it belongs.
std::size_t Levels::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const Entry& entry = entries_[static_cast<std::size_t>(slots_[slot] - 1)];
    if (entry.hash == hash && entry.text == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::int64_t Levels::find(std::string_view text, std::uint64_t hash) const {
  if (slots_.empty()) return none;
  return slots_[slot_of(text, hash)] - 1;
}

std::int64_t Levels::add(std::string_view text, std::uint64_t hash, Index line, bool keep_text) {
  if (2 * entries_.size() >= slots_.size()) grow();
  const std::size_t slot = slot_of(text, hash);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  if (entries_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error(Code::memory, "a text column has more than 2^31 distinct values");
  if (keep_text) text = keep(text);
  entries_.push_back({text, hash, line});
  slots_[slot] = static_cast<std::int32_t>(entries_.size());
  return size() - 1;
}

void Levels::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
  for (std::size_t i = 0; i < entries_.size(); ++i)
    slots_[slot_of(entries_[i].text, entries_[i].hash)] = static_cast<std::int32_t>(i + 1);
}

// A string that grows within its capacity does not move.
std::string_view Levels::keep(std::string_view text) {
  constexpr std::size_t smallest = 256, largest = std::size_t{1} << 16;
  if (kept_.empty() || kept_.back().capacity() - kept_.back().size() < text.size()) {
    const std::size_t next = kept_.empty() ? smallest : std::min(largest, 2 * kept_.back().capacity());
    kept_.emplace_back().reserve(std::max(next, text.size()));
  }
  std::string& block = kept_.back();
  const std::size_t place = block.size();
  block += text;
  return std::string_view(block).substr(place);
}

SortedLevels sorted(const Levels& levels) {
  SortedLevels result;
  for (std::int64_t code = 0; code < levels.size(); ++code) result.texts.emplace_back(levels.text(code));
  sort_levels(result.texts);
  result.lines.resize(result.texts.size());
  result.position.resize(result.texts.size());
  for (std::size_t i = 0; i < result.texts.size(); ++i) {
    const std::int64_t code = levels.find(result.texts[i], Levels::hash(result.texts[i]));
    result.position[static_cast<std::size_t>(code)] = static_cast<std::int32_t>(i);
    result.lines[i] = levels.first_line(code);
  }
  return result;
}

}  // namespace discern
