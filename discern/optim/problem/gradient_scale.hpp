// What the length of a gradient is compared with, whatever the units of the problem:
//
//   max(|grad of the loss at 0|, 1e-6 sum of weights) min(1, 10 S(u) / S(0)),   S = sum_i |s_i L'(g_i, y_i)|
//
// The second factor matters where the rows' slopes have nearly vanished, as they do when separated classes
// meet a weak penalty, or where the weights of the rows differ by orders: then the gradient is a sum of small
// terms, and being small beside the first one proves nothing. (One digit against the others at l2 = 1e-6
// ended 4 % above the minimum.) The error of E goes with the square of the gradient, so that 1e-4 is small
// enough for it, and slopes that are differences, such as those of the squared loss, have no digits for less.
// Those of a logistic loss keep their digits; without a penalty it has no minimum where they vanish.
#pragma once

#include <algorithm>

#include "discern/optim/problem/problem.hpp"

namespace discern {

// The length of a gradient in units of the features' deviations.
inline double norm_in_deviations(const Problem& problem, const Eigen::VectorXd& gradient) {
  const Eigen::VectorXd& units = problem.scaling.units;
  if (units.size() == 0) return gradient.norm();
  RowMajor scaled = Eigen::Map<const RowMajor>(gradient.data(), problem.width(), problem.scores);
  scaled.bottomRows(units.size()).array().colwise() *= units.array();
  return scaled.norm();
}

class GradientScale {
 public:
  GradientScale() = default;
  // The same at all points.
  explicit GradientScale(double scale) : scale_(scale) {}
  // From the length of the gradient at zero, in deviations, and S there.
  GradientScale(const Problem& problem, double norm_at_zero, double slopes_at_zero)
      : scale_(gradient_scale(norm_at_zero, problem.scaling.weight)), slopes_(slopes_at_zero) {
    const bool penalised = problem.l2.maxCoeff() > 0 || problem.has_l1();
    if (penalised && (problem.softmax() || std::holds_alternative<LogisticLoss>(problem.loss)))
      least_ = 1e-12;
  }

  // At a point with this S.
  double at(double slopes) const {
    return slopes_ > 0 ? scale_ * std::clamp(10 * slopes / slopes_, least_, 1.0) : scale_;
  }

 private:
  double scale_ = 1;
  double slopes_ = 0;
  double least_ = 1e-4;
};

}  // namespace discern
