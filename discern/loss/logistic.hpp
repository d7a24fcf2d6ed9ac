// The logistic loss of one score, with the positive class coded y = 1 and the negative y = 0:
//
//   L(g) = log(1 + exp(g)) - y g,     L'(g) = p - y,     L''(g) = p (1 - p),     p = 1 / (1 + exp(-g))
//
// Exact for scores of any size: exp is only taken of numbers that are not positive.
#pragma once

#include <cmath>

namespace discern {

struct Derivatives {
  double value;
  double slope;
  double curvature;
};

inline Derivatives logistic_loss(double g, bool positive) {
  const double e = std::exp(-std::fabs(g));  // in (0, 1]
  const double wrong = positive ? -g : g;    // the loss is log(1 + exp(wrong))
  const double value = std::fmax(wrong, 0.0) + std::log1p(e);
  const double p_wrong = wrong >= 0 ? 1 / (1 + e) : e / (1 + e);  // |p - y|
  return {value, positive ? -p_wrong : p_wrong, e / ((1 + e) * (1 + e))};
}

// P(positive) from the score.
inline double sigmoid(double g) {
  const double e = std::exp(-std::fabs(g));
  return g >= 0 ? 1 / (1 + e) : e / (1 + e);
}

}  // namespace discern
