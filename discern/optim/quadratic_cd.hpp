// Coordinate descent on a quadratic function with l1 penalties:
//
//   min_v  g'(v - u) + 1/2 (v - u)'H (v - u) + sum_c l1_c |v_c|
//
// from v = u. Sweeps of exact steps (soft thresholding) find which coordinates are zero; in between, the
// linear system for the others is solved with their signs as they are, which ends a slow descent at once when
// the signs are right. H is full and symmetric, positive semidefinite.
#pragma once

#include <Eigen/Core>

#include "discern/data/row.hpp"

namespace discern {

struct QuadraticProblem {
  Eigen::MatrixXd h;
  Eigen::VectorXd g, u, l1;
};

// v, with a least subgradient of at most `accuracy`, or as small as 10,000 sweeps make it.
Eigen::VectorXd quadratic_cd(const QuadraticProblem& problem, double accuracy);

}  // namespace discern
