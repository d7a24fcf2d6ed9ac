// The convex hull of points in the plane.
#pragma once

#include <utility>
#include <vector>

namespace discern::report {

// Its corners against the clock (Andrew's monotone chain); of collinear points the ends.
std::vector<std::pair<double, double>> convex_hull(std::vector<std::pair<double, double>> points);

}  // namespace discern::report
