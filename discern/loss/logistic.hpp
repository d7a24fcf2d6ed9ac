// The logistic loss (cross-entropy) of one score:
//
//   L(g) = log(1 + exp(-y g)),     L'(g) = -y p,     L''(g) = p (1 - p),     p = 1 / (1 + exp(y g))
//
// with y = -1 or +1. The cross-entropy -[y log P + (1 - y) log(1 - P)] with y in {0, 1} is the same number.
// Exact for scores of any size: exp is only taken of numbers that are not positive.
#pragma once

#include <cmath>

#include "discern/loss/derivatives.hpp"

namespace discern {

struct LogisticLoss {
  static constexpr bool convex = true, smooth = true;
  static Derivatives at(double g, double y) {
    const double e = std::exp(-std::fabs(g));  // in (0, 1]
    const double wrong = -y * g;               // the loss is log(1 + exp(wrong))
    const double value = std::fmax(wrong, 0.0) + std::log1p(e);
    const double p = wrong >= 0 ? 1 / (1 + e) : e / (1 + e);
    return {value, -y * p, e / ((1 + e) * (1 + e))};
  }
};

// P(positive) from the score.
inline double sigmoid(double g) {
  const double e = std::exp(-std::fabs(g));
  return g >= 0 ? 1 / (1 + e) : e / (1 + e);
}

}  // namespace discern
