// Squared error behind a differentiable activation f (the generalised linear discriminant, whose gradient is
// the delta rule with f'):
//
//   L(g) = 1/2 (y' - f(g))^2,     L'(g) = (f(g) - y') f'(g)
//
//   tanh unit        f(g) = tanh g,              y' = y = -1 or +1
//   logistic unit    f(g) = 1 / (1 + exp(-g)),   y' = 0 or 1
//   softmax units    f(g) = p of softmax.hpp,    y' = 1 of K: L(g) = 1/2 |p - y'|^2
//
// Not convex in g. The curvature given is that of Gauss and Newton, f'(g)^2, which is never negative.
#pragma once

#include <cmath>

#include "discern/loss/logistic.hpp"
#include "discern/loss/softmax.hpp"

namespace discern {

struct TanhUnitLoss {
  static constexpr bool convex = false, smooth = true;
  static Derivatives at(double g, double y) {
    const double f = std::tanh(g), slope = 1 - f * f, error = f - y;
    return {0.5 * error * error, error * slope, slope * slope};
  }
};

struct LogisticUnitLoss {
  static constexpr bool convex = false, smooth = true;
  static Derivatives at(double g, double y) {
    const double f = sigmoid(g), slope = f * sigmoid(-g);
    const double error = y > 0 ? -sigmoid(-g) : f;
    return {0.5 * error * error, error * slope, slope * slope};
  }
};

// Of softmax units with true class y: turns K scores into dL/dg in place and returns L.
//
//   dL/dg_k = p_k (e_k - sum_j e_j p_j),     e = p - y'
inline double softmax_unit_in_place(double* g, Index classes, Index y) {
  softmax_in_place(g, classes, -1);
  double squares = 0, mean = 0;
  for (Index k = 0; k < classes; ++k) {
    const double error = g[k] - (k == y ? 1 : 0);
    squares += error * error;
    mean += error * g[k];
  }
  for (Index k = 0; k < classes; ++k) g[k] *= g[k] - (k == y ? 1 : 0) - mean;
  return 0.5 * squares;
}

}  // namespace discern
