// A projection onto the few directions in which classes lie apart most.
#pragma once

#include "discern/model/shape/predictor.hpp"

namespace discern {

//   z = V (x - c)
struct Projection {
  Matrix directions;    // V: components x features
  Vector center;        // c: the mean of all rows
  Vector ratios;        // between the classes / within them, of each component; descending
  Vector explained;     // their shares of the sum over all components that there are
  Matrix means;         // of the classes: classes x components
  Index rank = 0;       // of the covariance within the classes
  Index principal = 0;  // components that the rows were reduced to first; 0: they were not
  double residual = 0;  // |V S V' - I| / sqrt(components), S: covariance within the classes
  // Of two classes: the difference of their means, scaled like a direction, and its ratio.
  Vector mean_difference;
  double mean_difference_ratio = 0;

  Index components() const { return directions.rows(); }
};

}  // namespace discern
