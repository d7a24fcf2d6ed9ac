// The losses of support vector machines, which leave margins m = y g of one and more alone:
//
//   hinge            L(g) = max(0, 1 - m)
//   squared hinge    L(g) = max(0, 1 - m)^2       (LIBLINEAR's scaling: without 1/2)
#pragma once

#include "discern/loss/derivatives.hpp"

namespace discern {

struct HingeLoss {
  static constexpr bool convex = true, smooth = false;
  static Derivatives at(double g, double y) {
    const double gap = 1 - y * g;
    return gap > 0 ? Derivatives{gap, -y, 0} : Derivatives{0, 0, 0};
  }
};

struct SquaredHingeLoss {
  static constexpr bool convex = true, smooth = true;  // once; the curvature jumps at m = 1
  static Derivatives at(double g, double y) {
    const double gap = 1 - y * g;
    return gap > 0 ? Derivatives{gap * gap, -2 * y * gap, 2} : Derivatives{0, 0, 0};
  }
};

}  // namespace discern
