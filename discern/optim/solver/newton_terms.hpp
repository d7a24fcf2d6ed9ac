// Value, gradient and Hessian of a Problem at one point, in one fold.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>

#include "discern/base/progress.hpp"
#include "discern/optim/view/newton_coordinates.hpp"

namespace discern {

// In Newton's coordinates (view/newton_coordinates.hpp).
struct Expansion {
  double value = 0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;                                        // lower triangle
  double worst_margin = std::numeric_limits<double>::infinity();  // of a sample, in classification
  double slopes = 0;                                              // as an Evaluation has it
  double curvature = 0;                                           // summed over the rows; 0 for softmax
  double flat = 0;  // the sum of L'' over flat rows (problem.hpp)
};

// The expansion of a function at any point in Newton's coordinates.
using ExpansionAt = std::function<Expansion(const Eigen::VectorXd& coordinates, const Monitor& monitor)>;

// The expansion of a problem at a point in Newton's coordinates.
Expansion expand(const NewtonCoordinates& view, const Eigen::VectorXd& coordinates, const Monitor& monitor);
// The same as a function of the coordinates. The problem must outlive it.
ExpansionAt expansion_of(const Problem& problem);

}  // namespace discern
