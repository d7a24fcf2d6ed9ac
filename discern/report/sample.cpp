#include "discern/report/sample.hpp"

#include <algorithm>

namespace discern::report {

std::vector<Index> rows_to_draw(Index rows, std::span<const std::int32_t> labels, Index most) {
  std::vector<Index> chosen;
  if (rows <= most) {
    for (Index i = 0; i < rows; ++i) chosen.push_back(i);
    return chosen;
  }
  std::int32_t last = 0;
  for (const std::int32_t label : labels) last = std::max(last, label);
  std::vector<Index> count(static_cast<std::size_t>(last) + 1), seen(count.size()), quota(count.size());
  const auto kind = [&](Index i) {
    return labels.empty() ? 0 : static_cast<std::size_t>(std::max(labels[static_cast<std::size_t>(i)], 0));
  };
  for (Index i = 0; i < rows; ++i) ++count[kind(i)];
  constexpr Index fewest = 5;  // of a rare class
  for (std::size_t k = 0; k < count.size(); ++k) {
    const auto share = static_cast<double>(count[k]) / static_cast<double>(rows) * static_cast<double>(most);
    quota[k] = std::min(count[k], std::max(fewest, static_cast<Index>(share)));
  }
  // Row number s of the class is drawn where the quota's staircase rises.
  for (Index i = 0; i < rows; ++i) {
    const std::size_t k = kind(i);
    const Index s = seen[k]++;
    if ((s + 1) * quota[k] / count[k] > s * quota[k] / count[k]) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace discern::report
