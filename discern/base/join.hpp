// The items of a list in one text, join(names, ", "), and back: split("a,b", ','). (fmt::join with string
// views makes GCC 12 warn of an overflow that is not there.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// One more part than separators, parts of nothing included.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (auto end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

// Splits at commas; a part in double quotes may contain them ("" for a quote in it).
inline std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      items.back() += text[i++];
    } else if (text[i] == '"' && (quoted || items.back().empty())) {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      items.emplace_back();
    } else {
      items.back() += text[i];
    }
  }
  return items;
}

}  // namespace discern
