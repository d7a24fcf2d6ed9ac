#include "discern/transform/feature.hpp"

#include <algorithm>

namespace discern {

Selection Selection::make(const std::vector<Feature>& in, const std::vector<Index>& columns,
                          bool indicators) {
  Selection selection;
  for (std::size_t j = 0; j < in.size(); ++j) {
    const auto column = static_cast<Index>(j);
    const bool taken = columns.empty() ? indicators || !in[j].indicator
                                       : std::binary_search(columns.begin(), columns.end(), column);
    (taken ? selection.used : selection.passed).push_back(column);
  }
  return selection;
}

void Selection::append(const std::vector<Feature>& in, std::vector<Feature>& out) const {
  for (const Index j : passed) out.push_back(in[static_cast<std::size_t>(j)]);
}

void Selection::append(const std::vector<long double>& in, std::vector<long double>& out) const {
  for (const Index j : passed) out.push_back(in[static_cast<std::size_t>(j)]);
}

}  // namespace discern
