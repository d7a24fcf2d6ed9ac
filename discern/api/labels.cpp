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
  std::vector<std::int64_t> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::int64_t value : distinct)
    names_.push_back(boolean ? (value != 0 ? "true" : "false") : std::to_string(value));
  indices_.reserve(values.size());
  for (const std::int64_t value : values)
    indices_.push_back(static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), value) -
                                                 distinct.begin()));
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

}  // namespace discern
