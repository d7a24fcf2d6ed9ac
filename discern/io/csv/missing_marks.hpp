// The texts that stand for a missing cell: those that pandas knows, and the ? and . of older packages.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/schema.hpp"

namespace discern::csv {

inline bool is_missing_mark(std::string_view text) {
  switch (text.size()) {
    case 0:
      return true;
    case 1:
      return text[0] == '?' || text[0] == '.';
    case 2:
      return text == "NA";
    case 3:
      return text == "NaN" || text == "nan" || text == "N/A" || text == "n/a" || text == "#NA";
    case 4:
      return text == "NULL" || text == "null" || text == "None" || text == "<NA>" || text == "#N/A" ||
             text == "-NaN" || text == "-nan";
    case 6:
      return text == "1.#IND";
    case 7:
      return text == "-1.#IND" || text == "1.#QNAN";
    case 8:
      return text == "-1.#QNAN" || text == "#N/A N/A";
    default:
      return false;
  }
}

// Whether the text is one of these marks; marks that are numbers stand for every way to write them.
inline bool is_one_of(const std::vector<std::string>& marks, std::string_view text) {
  const auto number = number_of(text);
  return std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
    return mark == text || (number && number_of(mark) == number);
  });
}

}  // namespace discern::csv
