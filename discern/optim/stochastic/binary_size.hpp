// The unit in which numbers are taken that single precision may not hold.
#pragma once

#include <algorithm>
#include <cmath>

namespace discern {

// A power of two near the largest magnitude, to divide by without rounding; 1 where that is zero or not
// finite.
template <class Numbers>
double binary_size(const Numbers& numbers) {
  const double largest = numbers.size() > 0 ? numbers.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  return std::exp2(std::clamp(std::ilogb(largest), -1000, 1000));
}

}  // namespace discern
