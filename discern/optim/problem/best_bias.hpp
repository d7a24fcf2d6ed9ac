// The bias that minimises sum_i s_i L(y_i (g_i + b)) for given scores g.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/loss/hinge.hpp"

namespace discern {

// The slope in b rises; its zero is bracketed from both sides and found by halving with secants in between.
template <class Loss>
double best_bias(const Eigen::VectorXd& scores, const Eigen::VectorXd& y, const Eigen::VectorXd& s) {
  const auto slope_at = [&](double b) {
    double slope = 0;
    for (Index i = 0; i < scores.size(); ++i) slope += s[i] * Loss::at(scores[i] + b, y[i]).slope;
    return slope;
  };
  double low = -1, high = 1;
  while (slope_at(low) > 0 && low > -1e12) low *= 4;
  while (slope_at(high) < 0 && high < 1e12) high *= 4;
  double low_slope = slope_at(low), high_slope = slope_at(high);
  for (int k = 0; k < 100 && high - low > 1e-15 * std::max(std::fabs(low), std::fabs(high)); ++k) {
    double b = low + (high - low) * low_slope / (low_slope - high_slope);
    if (k % 3 == 2 || !(b > low) || !(b < high)) b = 0.5 * (low + high);
    if (!(b > low) || !(b < high)) break;
    const double slope = slope_at(b);
    if (slope == 0) return b;
    if (slope < 0)
      low = b, low_slope = slope;
    else
      high = b, high_slope = slope;
  }
  return 0.5 * (low + high);
}

// The hinge is piecewise linear in b: its minimum is the corner where the slope, which starts at minus the
// weight of the positive samples, stops being negative.
template <>
inline double best_bias<HingeLoss>(const Eigen::VectorXd& scores, const Eigen::VectorXd& y,
                                   const Eigen::VectorXd& s) {
  std::vector<std::pair<double, double>> corners;  // where, and by how much the slope rises
  double slope = 0;
  for (Index i = 0; i < scores.size(); ++i) {
    corners.emplace_back(y[i] - scores[i], s[i]);
    if (y[i] > 0) slope -= s[i];
  }
  std::sort(corners.begin(), corners.end());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    slope += corners[k].second;
    if (slope > 0) return corners[k].first;
    // Flat up to the next corner: its middle.
    if (slope == 0 && k + 1 < corners.size()) return 0.5 * (corners[k].first + corners[k + 1].first);
  }
  return corners.empty() ? 0 : corners.back().first;
}

}  // namespace discern
