#include "discern/stats/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"

namespace discern {
namespace {

std::string shown(const std::vector<Index>& shape) {
  std::string text;
  for (const Index length : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", length);
  return text;
}

}  // namespace

const Statistic& find_statistic(const Statistics& statistics, std::string_view name,
                                const std::vector<Index>& shape) {
  const auto found = std::find_if(statistics.begin(), statistics.end(),
                                  [&](const Statistic& one) { return one.name == name; });
  if (found == statistics.end())
    throw Error(Code::model, fmt::format("the statistic '{}' that this fit goes on from is missing", name));
  if (!shape.empty() && found->shape != shape)
    throw Error(Code::model, fmt::format("the statistic '{}' is {}, expected {}", name, shown(found->shape),
                                         shown(shape)));
  return *found;
}

}  // namespace discern
