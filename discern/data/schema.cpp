#include "discern/data/schema.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"

namespace discern {

Schema::Schema(std::vector<Column> columns)
    : columns_(std::move(columns)), size_(static_cast<Index>(columns_.size())) {
  for (Index j = 0; j < size_; ++j) {
    const auto [previous, inserted] = index_.emplace(columns_[static_cast<std::size_t>(j)].name, j);
    if (!inserted)
      throw Error(Code::data, fmt::format("two columns have the name '{}' (numbers {} and {})",
                                          previous->first, previous->second + 1, j + 1));
  }
}

Schema Schema::numbered(Index count) {
  Schema schema;
  schema.size_ = count;
  return schema;
}

std::string Schema::name(Index j) const {
  return is_numbered() ? fmt::format("x{}", j + 1) : columns_[static_cast<std::size_t>(j)].name;
}

const Column& Schema::column(Index j) const {
  static const Column numeric;
  return is_numbered() ? numeric : columns_[static_cast<std::size_t>(j)];
}

bool Schema::any_categorical() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.categorical; });
}

std::optional<Index> Schema::find(std::string_view name) const {
  if (!is_numbered()) {
    const auto found = index_.find(std::string(name));
    if (found == index_.end()) return std::nullopt;
    return found->second;
  }
  if (name.size() < 2 || name.size() > 19 || name[0] != 'x' || name[1] == '0') return std::nullopt;
  Index number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  if (number > size_) return std::nullopt;
  return number - 1;
}

void sort_levels(std::vector<std::string>& levels) {
  std::vector<std::pair<double, std::string>> numbers;
  for (const auto& level : levels) {
    const auto number = number_of(level);
    if (!number) {
      std::sort(levels.begin(), levels.end());
      return;
    }
    numbers.emplace_back(*number, level);
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = std::move(numbers[i].second);
}

std::optional<double> number_of(std::string_view text) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) return std::nullopt;
  }
  double value = 0;
  const auto [end, status] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace discern
