// The items of a list in one text: join(names, ", "). (fmt::join with string views makes GCC 12 warn of an
// overflow that is not there.)
#pragma once

#include <string>
#include <string_view>

namespace discern {

template <class List>
std::string join(const List& items, std::string_view separator) {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += separator;
    text += item;
    first = false;
  }
  return text;
}

}  // namespace discern
