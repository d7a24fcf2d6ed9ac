// Symmetric positive semidefinite systems: covariances and Hessians, which may be singular.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/data/row.hpp"

namespace discern {

struct SemidefiniteSolution {
  Eigen::MatrixXd x;
  Index rank = 0;       // of S
  double residual = 0;  // |S x - m| / |m| of the part of m that S reaches, in unit-diagonal scale
};

// Solves S x = m after bringing the diagonal of S to one. When S is singular up to rounding, the directions
// in which it is zero get no part of the solution (the pseudo-inverse of the scaled S). Only the lower
// triangle of S is read.
SemidefiniteSolution solve_semidefinite(const Eigen::MatrixXd& s, const Eigen::MatrixXd& m);

// The lower triangular A with A S A' = I, or nothing when S is singular up to rounding.
std::optional<Eigen::MatrixXd> whitening(const Eigen::MatrixXd& s);

}  // namespace discern
