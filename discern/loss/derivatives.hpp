// What a solver knows of the loss of one sample: its value at a score, and the first two derivatives there.
//
// Every loss of one score g has a function at(g, y). In classification y is -1 or +1 and the loss depends on
// the margin m = y g; in regression y is the number. Where a loss has a kink the slope is that of the side
// with the smaller one, which is a subgradient.
#pragma once

namespace discern {

struct Derivatives {
  double value;
  double slope;      // dL/dg
  double curvature;  // d2L/dg2, or a bound of it from above where that is negative
};

}  // namespace discern
