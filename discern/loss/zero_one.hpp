// The number of mistakes: 1 when the score is on the wrong side, g >= 0 meaning y = +1. What is counted in
// the end; its slope says nothing, so no solver minimises it.
#pragma once

#include "discern/loss/derivatives.hpp"

namespace discern {

struct ZeroOneLoss {
  static constexpr bool convex = false, smooth = false;
  static Derivatives at(double g, double y) { return {(g >= 0) == (y > 0) ? 0.0 : 1.0, 0, 0}; }
};

}  // namespace discern
