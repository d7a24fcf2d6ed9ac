#include "discern/stats/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "discern/base/error.hpp"

namespace discern {
namespace {

std::string shown(const std::vector<Index>& shape) {
  std::string text;
  for (const Index length : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", length);
  return text;
}

bool may_be_infinite(std::string_view name) {
  return name == "low" || name == "high" || name == "origin" || name == "columns" || name == "squares";
}

}  // namespace

bool is_amount(std::string_view name, const std::vector<Index>& shape, std::size_t i) {
  constexpr std::array<std::string_view, 12> amounts{
      "weight",  "weights", "seen",     "squares",      "odd",           "broken",
      "entries", "counts",  "progress", "level_counts", "class_weights", "class_order"};
  if (name == "columns") return i % 5 == 0 || i % 5 == 2;  // weight seen, mean, squares, low, high
  if (name == "scatter" && shape.size() > 1 && shape.back() > 0) {
    const auto d = static_cast<std::size_t>(shape.back());
    return i / d % d == i % d;
  }
  return std::find(amounts.begin(), amounts.end(), name) != amounts.end();
}

const Statistic& find_statistic(const Statistics& statistics, std::string_view name,
                                const std::vector<Index>& shape) {
  const auto found = std::find_if(statistics.begin(), statistics.end(),
                                  [&](const Statistic& one) { return one.name == name; });
  if (found == statistics.end())
    throw Error(Code::model, fmt::format("the statistic '{}' that this fit goes on from is missing", name));
  if (!shape.empty() && found->shape != shape)
    throw Error(Code::model, fmt::format("the statistic '{}' is {}, expected {}", name, shown(found->shape),
                                         shown(shape)));
  const auto odd =
      std::find_if(found->values.begin(), found->values.end(), [](double v) { return !std::isfinite(v); });
  if (odd != found->values.end() && !may_be_infinite(name))
    throw Error(Code::model, fmt::format("the statistic '{}' holds {}, expected finite numbers", name, *odd));
  return *found;
}

}  // namespace discern
