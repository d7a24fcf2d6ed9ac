#include "discern/api/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/data/schema.hpp"

namespace discern {

void Labels::check_range(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw Error(Code::data, fmt::format("found the label {}, expected at most 2^63 - 1; take texts", value));
}

void Labels::set_integers(const std::vector<std::int64_t>& values, bool boolean) {
  std::unordered_map<std::int64_t, std::int32_t> place;
  std::vector<std::int64_t> distinct;
  for (const std::int64_t value : values)
    if (place.try_emplace(value, 0).second) distinct.push_back(value);
  std::sort(distinct.begin(), distinct.end());
  for (std::size_t k = 0; k < distinct.size(); ++k) {
    place[distinct[k]] = static_cast<std::int32_t>(k);
    names_.push_back(boolean ? (distinct[k] != 0 ? "true" : "false") : std::to_string(distinct[k]));
  }
  indices_.reserve(values.size());
  for (const std::int64_t value : values) indices_.push_back(place[value]);
}

void Labels::set_texts(const std::vector<std::string_view>& values) {
  std::unordered_map<std::string_view, std::int32_t> place;
  for (const std::string_view value : values)
    if (place.try_emplace(value, 0).second) names_.emplace_back(value);
  sort_levels(names_);
  for (std::size_t k = 0; k < names_.size(); ++k) place[names_[k]] = static_cast<std::int32_t>(k);
  indices_.reserve(values.size());
  for (const std::string_view value : values) indices_.push_back(place[value]);
}

Labels Labels::coded(const std::vector<std::string>& names, const std::vector<std::int32_t>& indices) {
  Labels labels;
  labels.names_ = names;
  sort_levels(labels.names_);
  std::unordered_map<std::string_view, std::int32_t> place;
  for (std::size_t k = 0; k < labels.names_.size(); ++k)
    if (!place.try_emplace(labels.names_[k], static_cast<std::int32_t>(k)).second)
      throw Error(Code::usage, fmt::format("the class '{}' is named twice", labels.names_[k]));
  labels.indices_.reserve(indices.size());
  for (const std::int32_t index : indices) {
    if (index < 0 || static_cast<std::size_t>(index) >= names.size())
      throw Error(Code::usage, fmt::format("found the label index {}, expected one from 0 to {}", index,
                                           names.size() - 1));
    labels.indices_.push_back(place[names[static_cast<std::size_t>(index)]]);
  }
  return labels;
}

}  // namespace discern
