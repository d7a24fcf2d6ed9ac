// Squared error, L(g) = 1/2 (y - g)^2.
#pragma once

#include "discern/loss/derivatives.hpp"

namespace discern {

struct SquaredLoss {
  static constexpr bool convex = true, smooth = true;
  static Derivatives at(double g, double y) {
    const double error = g - y;
    return {0.5 * error * error, error, 1};
  }
};

}  // namespace discern
