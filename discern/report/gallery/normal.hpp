// The normal distribution of one number.
#pragma once

#include <cmath>
#include <numbers>

namespace discern::report {

struct Normal {
  double mean = 0, deviation = 1;
  double density(double x) const {
    const double z = (x - mean) / deviation;
    return std::exp(-0.5 * z * z) / (deviation * std::sqrt(2 * std::numbers::pi));
  }
  double below(double x) const { return 0.5 * std::erfc((mean - x) / (deviation * std::numbers::sqrt2)); }
};

}  // namespace discern::report
