// The texts that stand for a missing cell: those that pandas knows, and the ? and . of older packages.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/schema.hpp"

namespace discern::csv {

// Whether each byte begins, or ends, some mark.
struct MarkBytes {
  std::array<bool, 256> first{}, last{};
  constexpr MarkBytes() {
    for (const char c : {'?', '.', 'N', 'n', '#', '<', '-', '1'}) first[static_cast<unsigned char>(c)] = true;
    for (const char c : {'?', '.', 'A', 'N', 'n', 'a', 'L', 'l', 'e', '>', 'D'})
      last[static_cast<unsigned char>(c)] = true;
  }
};
inline constexpr MarkBytes mark_bytes;

inline bool spells_missing(std::string_view text) {
  for (const std::string_view mark :
       {"?",    ".",    "NA",   "NaN",  "nan",  "N/A",    "n/a",     "#NA",     "NULL",     "null",
        "None", "<NA>", "#N/A", "-NaN", "-nan", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "#N/A N/A"})
    if (text == mark) return true;
  return false;
}

// Nearly every text is told from the marks by its first and last byte (a jump by its length is mispredicted: reading
// texts took a fifth longer with it).
inline bool is_missing_mark(std::string_view text) {
  if (text.empty()) return true;
  return mark_bytes.first[static_cast<unsigned char>(text.front())] &&
         mark_bytes.last[static_cast<unsigned char>(text.back())] && spells_missing(text);
}

// Whether the text is one of these marks; marks that are numbers stand for every way to write them.
inline bool is_one_of(const std::vector<std::string>& marks, std::string_view text) {
  const auto number = number_of(text);
  return std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
    return mark == text || (number && number_of(mark) == number);
  });
}

}  // namespace discern::csv
