// The perceptron criterion, L(g) = max(0, -m) with the margin m = y g: misclassified samples count by their
// distance from the plane. Zero for a plane that separates, and for no plane at all (w = 0).
#pragma once

#include "discern/loss/derivatives.hpp"

namespace discern {

struct PerceptronLoss {
  static constexpr bool convex = true, smooth = false;
  static Derivatives at(double g, double y) {
    return y * g < 0 ? Derivatives{-y * g, -y, 0} : Derivatives{0, 0, 0};
  }
};

}  // namespace discern
