// The step of Newton's method with all the digits that the rows have.
//
//   H d = -grad E,     H = sum_i [1 z_i]' s_i M_i [1 z_i] + diag(l2),     M_i = L'' or diag(p_i) - p_i p_i'
//
// H has sixteen digits of its largest curvature, and features that are alike up to 1e-8 of their deviation,
// or a column of 1e12 that only two of three classes can tell apart, have directions with less than that.
// Those, the faint ones, are taken from the spectrum of H, where they are exact enough as directions, but
// their curvature and slope are summed up again from the changes T_i = [1 z_i] V of the rows' scores,
//
//   V' H V = sum_i s_i T_i' M_i T_i + V' diag(l2) V,     V' grad E = sum_i T_i' L_i' + V' diag(l2) u
//
// which has twice as many digits, and so on among those that are faint there, too. Directions that no row
// sees and no penalty holds get no part of the step.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/function.hpp"

namespace discern {

// The directions from a point that may change E, as orthonormal columns: scores of softmax sum to zero, the
// bias may not be there, and l1 holds weights at zero where the residual (its least subgradient) is zero,
// too.
Eigen::MatrixXd free_directions(const Problem& problem, const Eigen::VectorXd& point,
                                const Eigen::VectorXd& residual);

// H of these curvatures of the rows (rows x scores) in the free directions.
Eigen::MatrixXd free_hessian(const Problem& problem, const RowMajor& curvature, const Eigen::MatrixXd& free,
                             const Monitor& monitor);

// From a point, with the curvature that the function has there and these slopes of the rows (rows x scores).
// With l1 along the weights that it does not hold, as if it were linear.
Eigen::VectorXd newton_step(const LinearFunction& function, const Eigen::VectorXd& point,
                            const RowMajor& slopes, const Monitor& monitor);

}  // namespace discern
