// The penalty on one weight u, with the ridge (l1 = 0), the lasso (l2 = 0) and none at all as its corners:
//
//   r(u) = l2/2 u^2 + l1 |u|
#pragma once

#include <cmath>

namespace discern {

struct ElasticNet {
  double l1 = 0;
  double l2 = 0;

  double value(double u) const { return 0.5 * l2 * u * u + l1 * std::fabs(u); }

  // Whether u = 0 minimises  slope u + r(u). To be used where the loss has no curvature along u, so that step()
  // could divide by zero.
  bool holds(double slope) const { return l1 > 0 && std::fabs(slope) <= l1; }

  // The u that minimises  slope (u - at) + curvature/2 (u - at)^2 + r(u): soft thresholding.
  double step(double at, double slope, double curvature) const {
    const double pull = curvature * at - slope;
    if (std::fabs(pull) <= l1) return 0;
    return (pull > 0 ? pull - l1 : pull + l1) / (curvature + l2);
  }

  // The derivative of loss + penalty at u that is smallest in size, given that of the loss: zero exactly
  // where u is optimal.
  double residual(double u, double slope) const {
    const double smooth = slope + l2 * u;
    if (u > 0) return smooth + l1;
    if (u < 0) return smooth - l1;
    if (std::fabs(smooth) <= l1) return 0;
    return smooth > 0 ? smooth - l1 : smooth + l1;
  }
};

}  // namespace discern
