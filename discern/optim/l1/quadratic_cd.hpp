// Coordinate descent on a quadratic function with l1 penalties:
//
//   min_v  g'(v - u) + 1/2 (v - u)'H (v - u) + sum_c l1_c |v_c|
//
// from v = u. Sweeps of exact steps (soft thresholding) find which coordinates are zero; in between, the
// linear system for the others is solved with their signs as they are, which ends a slow descent at once when
// the signs are right. H is full and symmetric, positive semidefinite.
#pragma once

#include <Eigen/Core>

#include "discern/stats/updated_cholesky.hpp"

namespace discern {

struct QuadraticProblem {
  Eigen::VectorXd g, u, l1;
};

// v, with a least subgradient of at most `accuracy`, or as small as 10,000 sweeps make it.
Eigen::VectorXd quadratic_cd(const Eigen::MatrixXd& h, const QuadraticProblem& problem, double accuracy);
// The same, when problems of the same H follow each other: `factor` is that of the coordinates that were not
// zero in the last one, and the system for those is solved first.
Eigen::VectorXd quadratic_cd(const Eigen::MatrixXd& h, UpdatedCholesky& factor,
                             const QuadraticProblem& problem, double accuracy);

}  // namespace discern
