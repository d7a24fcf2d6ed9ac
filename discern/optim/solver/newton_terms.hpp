// Value, gradient and Hessian of a Problem at one point, in one fold.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>

#include "discern/base/progress.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// In Newton's coordinates: the bias and weights of one score after those of the other.
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

// Helmert's orthonormal basis of the vectors of K entries that sum to zero: K x (K - 1).
Eigen::MatrixXd sum_zero_basis(Index classes);

// A point of the problem in Newton's coordinates, (1 + features) x (scores, K - 1 for softmax), and back.
// Also for gradients and steps. `q` as below.
Eigen::MatrixXd to_newton(const Problem& problem, const Eigen::MatrixXd& q, const Eigen::VectorXd& point);
Eigen::VectorXd from_newton(const Problem& problem, const Eigen::MatrixXd& q,
                            const Eigen::VectorXd& coordinates);

// The expansion at a point, a (1 + features) x scores matrix. For softmax q is the sum-zero basis and the
// matrix has K - 1 columns; otherwise q is empty.
Expansion expand(const Problem& problem, const Eigen::MatrixXd& q, const Eigen::MatrixXd& at,
                 const Monitor& monitor);
// The same as a function of the coordinates. The problem must outlive it.
ExpansionAt expansion_of(const Problem& problem);

}  // namespace discern
