#include "discern/optim/view/newton_coordinates.hpp"

#include <cmath>

namespace discern {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd sum_zero_basis(Index classes) {
  MatrixXd q = MatrixXd::Zero(classes, classes - 1);
  for (Index s = 0; s + 1 < classes; ++s) {
    const double length = std::sqrt(static_cast<double>((s + 1) * (s + 2)));
    q.col(s).head(s + 1).setConstant(1 / length);
    q(s + 1, s) = -static_cast<double>(s + 1) / length;
  }
  return q;
}

NewtonCoordinates::NewtonCoordinates(const Problem& problem) : problem_(&problem) {
  if (problem.softmax()) q_ = sum_zero_basis(problem.scores);
}

VectorXd NewtonCoordinates::to(const VectorXd& whole_point) const {
  if (q_.size() == 0) return whole_point;
  const Eigen::Map<const RowMajor> weights(whole_point.data(), problem_->width(), problem_->scores);
  const MatrixXd reduced = weights * q_;
  return reduced.reshaped();
}

VectorXd NewtonCoordinates::from(const VectorXd& coordinates) const {
  if (q_.size() == 0) return coordinates;
  const RowMajor weights = matrix(coordinates) * q_.transpose();
  return weights.reshaped<Eigen::RowMajor>();
}

}  // namespace discern
