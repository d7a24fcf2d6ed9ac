// Squared error behind a differentiable activation f (the generalised linear discriminant, whose gradient is
// the delta rule with f'):
//
//   L(g) = 1/2 (y' - f(g))^2,     L'(g) = (f(g) - y') f'(g)
//
//   tanh unit        f(g) = tanh g,              y' = y = -1 or +1
//   logistic unit    f(g) = 1 / (1 + exp(-g)),   y' = 0 or 1
//
// Not convex in g. The curvature given is that of Gauss and Newton, f'(g)^2, which is never negative.
#pragma once

#include <cmath>

#include "discern/loss/logistic.hpp"

namespace discern {

struct TanhUnit {
  static constexpr bool convex = false, smooth = true;
  static Derivatives at(double g, double y) {
    const double f = std::tanh(g), slope = 1 - f * f, error = f - y;
    return {0.5 * error * error, error * slope, slope * slope};
  }
};

struct LogisticUnit {
  static constexpr bool convex = false, smooth = true;
  static Derivatives at(double g, double y) {
    const double f = sigmoid(g), slope = f * sigmoid(-g);
    const double error = y > 0 ? -sigmoid(-g) : f;
    return {0.5 * error * error, error * slope, slope * slope};
  }
};

}  // namespace discern
