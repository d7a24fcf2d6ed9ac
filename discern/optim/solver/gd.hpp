// Gradient descent, u <- u - h grad E(u): with a fixed learning rate h as lectures give it, or (h = 0) each
// step to the minimum on the line. With a fixed rate the start is drawn from U(-0.01, 0.01), E may also be
// the hinge or the perceptron criterion (then h times a subgradient), and the weights with the bias can be
// brought to unit length after each step, which keeps the plane and its decisions:
//
//   u <- u / |u|
//
// The rate h applies in the coordinates of the problem. So a problem for a fixed rate must have the scaling that the
// user asked for, and not the one that conditions best (Method::own_coordinates).
#pragma once

#include <cstdint>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

struct GradientDescentOptions {
  double learning_rate = 0;
  bool normalize_weights = false;
  std::uint64_t seed = 0;
  Eigen::VectorXd start = {};  // empty: as above
};

Minimum gradient_descent(LinearFunction& function, const GradientDescentOptions& how,
                         const SolverOptions& options);

// The start of the lectures' algorithms: every weight and bias from U(-0.01, 0.01).
Eigen::VectorXd small_random_start(const Problem& problem, std::uint64_t seed);
// Brings each score's weights with its bias to unit length, unless they are zero.
void normalize_weights(const Problem& problem, Eigen::VectorXd& point);

}  // namespace discern
