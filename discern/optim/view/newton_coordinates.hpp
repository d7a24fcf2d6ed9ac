// The coordinates of Newton's method: the bias and the weights of one score after those of the other, without
// the redundant direction of softmax. The K scores of softmax are Q times K - 1 coordinates per feature, with
// Q's orthonormal columns spanning the vectors that sum to zero, so that |W|^2 stays the same.
#pragma once

#include <Eigen/Core>

#include "discern/optim/view/problem_view.hpp"

namespace discern {

// Helmert's orthonormal basis of the vectors of K entries that sum to zero: K x (K - 1).
Eigen::MatrixXd sum_zero_basis(Index classes);

class NewtonCoordinates : public ProblemView {
 public:
  // The problem must outlive it.
  explicit NewtonCoordinates(const Problem& problem);

  const Problem& problem() const override { return *problem_; }
  // Points, gradients and steps alike.
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  Eigen::VectorXd from(const Eigen::VectorXd& coordinates) const override;

  Index size() const { return problem_->width() * problem_->free_scores(); }
  const Eigen::MatrixXd& basis() const { return q_; }  // Q; empty where there is one score
  // Coordinates as a (1 + features) x free scores matrix.
  Eigen::MatrixXd matrix(const Eigen::VectorXd& coordinates) const {
    return coordinates.reshaped(problem_->width(), problem_->free_scores());
  }

 private:
  const Problem* problem_;
  Eigen::MatrixXd q_;
};

}  // namespace discern
