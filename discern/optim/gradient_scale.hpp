// What the length of a gradient is compared with, whatever the units of the problem:
//
//   max(|grad of the loss at 0|, 1e-6 sum of weights) min(1, 10 S(u) / S(0)),     S(u) = sum_i |s_i L'(g_i, y_i)|
//
// The second factor matters where the rows' slopes have nearly vanished, as they do when separated classes
// meet a weak penalty, or where the weights of the rows differ by orders: then the gradient is a sum of small
// terms, and being small beside the first one proves nothing. (One digit against the others at l2 = 1e-6
// ended 4 % above the minimum.) It is 1e-4 at least: the error of E goes with the square of the gradient, and
// beyond that rounding would decide.
#pragma once

#include <algorithm>

#include "discern/optim/scaling.hpp"

namespace discern {

class GradientScale {
 public:
  GradientScale() = default;
  // From the length of the gradient at zero, S there (0: not known, the factor is 1) and the sum of the weights.
  GradientScale(double norm_at_zero, double slopes_at_zero, double weight)
      : scale_(gradient_scale(norm_at_zero, weight)), slopes_(slopes_at_zero) {}

  // At a point with this S.
  double at(double slopes) const {
    return slopes_ > 0 ? scale_ * std::clamp(10 * slopes / slopes_, 1e-4, 1.0) : scale_;
  }

 private:
  double scale_ = 1;
  double slopes_ = 0;
};

}  // namespace discern
