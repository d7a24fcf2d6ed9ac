#include "cli/shell/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace discern::cli {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before = previous;
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::string* best = nullptr;
  std::size_t smallest = std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < smallest || (distance == smallest && best == nullptr)) {
      best = &name;
      smallest = distance;
    }
  }
  if (best != nullptr) return *best;
  for (const std::string& name : names)
    if (word.size() >= 2 && name.starts_with(word)) return name;
  return "";
}

}  // namespace discern::cli
