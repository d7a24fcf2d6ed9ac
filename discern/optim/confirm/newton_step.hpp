// The step of Newton's method, accurate also along directions of very little curvature.
//
//   H d = -grad E,     H = sum_i [1 z_i]' s_i M_i [1 z_i] + diag(l2),     M_i = L'' or diag(p_i) - p_i p_i'
//
// The entries of H are rounded to sixteen digits of its largest curvature. Features that are equal up to 1e-8 of
// their deviation, or a column of 1e12 by which only two of three classes differ, have directions whose curvature
// is below that rounding. Such faint directions V are eigenvectors of H, accurate enough as directions. Their
// curvature and slope are summed again from the changes T_i = [1 z_i] V of the scores of the rows,
//
//   V' H V = sum_i s_i T_i' M_i T_i + V' diag(l2) V,     V' grad E = sum_i T_i' L_i' + V' diag(l2) u
//
// which has twice as many digits. The same is repeated among the directions that are faint in V' H V, too.
// A direction that changes no score and that no penalty acts on gets no part of the step.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/function.hpp"

namespace discern {

// The directions from a point that may change E, as orthonormal columns. Left out are a shift common to the scores
// of softmax, the bias of a problem without one, and weights that l1 holds at zero: those at zero where the residual
// (the least subgradient) is zero, too.
Eigen::MatrixXd free_directions(const Problem& problem, const Eigen::VectorXd& point,
                                const Eigen::VectorXd& residual);

// H of these curvatures of the rows (rows x scores) in the free directions.
Eigen::MatrixXd free_hessian(const Problem& problem, const RowMajor& curvature, const Eigen::MatrixXd& free,
                             const Monitor& monitor);

// From a point, with the curvature that the function has there and these slopes of the rows (rows x scores). With l1
// only the weights move that it does not hold at zero, and it is taken as linear, with the signs of the point.
Eigen::VectorXd newton_step(const LinearFunction& function, const Eigen::VectorXd& point,
                            const RowMajor& slopes, const Monitor& monitor);

}  // namespace discern
