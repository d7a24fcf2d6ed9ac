// The softmax (multinomial logistic) loss of K scores with true class y:
//
//   L(g) = log sum_k exp(g_k) - g_y,     dL/dg_k = p_k - [k = y],     p_k = exp(g_k) / sum_j exp(g_j)
//
// and the curvature diag(p) - p p'. The largest score is subtracted first, so no exp overflows.
#pragma once

#include <algorithm>
#include <cmath>

#include "discern/data/row.hpp"

namespace discern {

// The loss by name; it is of all scores at once and has no function of one.
struct SoftmaxLoss {
  static constexpr bool convex = true, smooth = true;
};

// Turns K scores into probabilities in place and returns the loss for true class y (pass -1 for none).
inline double softmax_in_place(double* g, Index classes, Index y) {
  const double largest = *std::max_element(g, g + classes);
  const double score = y >= 0 ? g[y] - largest : 0.0;
  double sum = 0;
  for (Index k = 0; k < classes; ++k) sum += g[k] = std::exp(g[k] - largest);
  for (Index k = 0; k < classes; ++k) g[k] /= sum;
  return std::log(sum) - score;
}

}  // namespace discern
