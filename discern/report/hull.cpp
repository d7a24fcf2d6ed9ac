#include "discern/report/hull.hpp"

#include <algorithm>

namespace discern::report {

std::vector<std::pair<double, double>> convex_hull(std::vector<std::pair<double, double>> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  std::vector<std::pair<double, double>> hull;
  const auto turns_left = [&](const auto& p) {
    const auto& a = hull[hull.size() - 2];
    const auto& b = hull.back();
    return (b.first - a.first) * (p.second - a.second) - (b.second - a.second) * (p.first - a.first) > 0;
  };
  const auto chain = [&](auto begin, auto end) {
    const std::size_t start = hull.size();
    for (auto at = begin; at != end; ++at) {
      while (hull.size() >= start + 2 && !turns_left(*at)) hull.pop_back();
      hull.push_back(*at);
    }
    hull.pop_back();
  };
  chain(points.begin(), points.end());
  chain(points.rbegin(), points.rend());
  return hull;
}

}  // namespace discern::report
