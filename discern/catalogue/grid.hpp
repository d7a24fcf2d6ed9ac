// The values that options are tried with: an axis for each option, and all combinations of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace discern {

struct GridAxis {
  std::string option;
  std::vector<std::string> values;
};

using GridPoint = std::vector<std::pair<std::string, std::string>>;  // option, value

// The last axis changes fastest. Without axes there is one empty point.
inline std::vector<GridPoint> grid_points(const std::vector<GridAxis>& axes) {
  std::vector<GridPoint> points(1);
  for (const GridAxis& axis : axes) {
    std::vector<GridPoint> longer;
    for (const GridPoint& point : points)
      for (const std::string& value : axis.values) {
        longer.push_back(point);
        longer.back().emplace_back(axis.option, value);
      }
    points = std::move(longer);
  }
  return points;
}

}  // namespace discern
