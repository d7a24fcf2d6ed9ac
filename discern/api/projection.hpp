// Fisher's discriminant as a projection: the directions along which the classes lie apart most compared with the
// spread within them (options/fisher.hpp has the formulas).
//
//   const ProjectionResult plane = project(X, y, {.components = 2});
//   Eigen::MatrixXd z = (X.rowwise() - plane.center.transpose()) * plane.directions.transpose();
#pragma once

#include <Eigen/Core>

#include "discern/api/fit.hpp"

namespace discern {

//   z = V (x - c)
struct ProjectionResult {
  Eigen::MatrixXd directions;  // V: components x features
  Eigen::VectorXd center;      // c: the mean of all rows
  Eigen::VectorXd ratios;      // spread between the classes over that within them, per component; descending
  Eigen::VectorXd explained;   // their shares of the sum over all components that there are
  Eigen::MatrixXd means;       // classes x components, in the order of the classes
};

ProjectionResult project(const MatrixView& x, const Labels& y, const Fisher& fisher = {},
                         const FitOptions& options = {});

}  // namespace discern
