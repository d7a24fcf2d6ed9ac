// The function of a Problem as the solvers of smooth functions see it: value, gradient and products with the
// Hessian, each one pass over the data. The l1 penalty is in no value or gradient here.
//
// A pass goes through the rows in small groups: scores, losses and the sum into the gradient while a group is
// in the first-level cache, so the data are read once. The scores and the curvature of every row are kept
// from an evaluation: products with the Hessian need them, and a search along a line needs nothing else.
#pragma once

#include <utility>

#include "discern/base/progress.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/optim/problem/smooth_function.hpp"

namespace discern {

// The labels, targets and weights of all rows of a source.
Targets answers_of(const Source& source);

// The smooth part of E and its gradient at a point, and the gradient at zero, in one pass.
struct EvaluationWithZero {
  Evaluation at;
  Eigen::VectorXd gradient_at_zero;
  double slopes_at_zero = 0;
};
EvaluationWithZero evaluate_with_zero(const Problem& problem, const Eigen::VectorXd& point);

class LinearFunction : public SmoothFunction {
 public:
  explicit LinearFunction(const Problem& problem);

  const Problem& problem() const { return *problem_; }
  Index size() const override { return problem_->size(); }

  // At a point, which the functions below then refer to.
  Evaluation evaluate(const Eigen::VectorXd& point, const Monitor& monitor) override;
  // The same where the scores of the rows are known.
  Evaluation evaluate(const Eigen::VectorXd& point, RowMajor scores, const Monitor& monitor);
  Eigen::VectorXd residual(const Eigen::VectorXd& point, const Eigen::VectorXd& gradient) const override {
    return least_subgradient(*problem_, point, gradient);
  }
  // The Hessian there times a vector. The change of every row's scores along the vector goes into
  // `change` (rows x scores) unless that is null.
  Eigen::VectorXd hessian_times(const Eigen::VectorXd& vector, RowMajor* change,
                                const Monitor& monitor) const;
  Eigen::VectorXd hessian_diagonal(const Monitor& monitor) const;
  const RowMajor& scores() const { return scores_; }
  const RowMajor& curvature() const { return curvature_; }  // as row_losses gives it
  double mean_curvature() const;                            // summed over the rows, its mean over the scores
  void set_curvature(RowMajor curvature) { curvature_ = std::move(curvature); }
  // Replaces the curvature by a cautious one (problem.hpp) and returns what it was.
  RowMajor make_cautious();
  // Sets the curvature of rows with slopes below `flat` to zero, and returns the slopes of all rows, in which
  // those of these rows are zero. With softmax the classes of a row that are flat are left out one by one.
  RowMajor drop_flat_rows(double flat = flat_slope);
  // Makes another point the current one, given its scores and curvature, which the caller has computed.
  void set_rows(RowMajor scores, RowMajor curvature);
  const Targets& answers() const { return answers_; }
  // Some rows without their features.
  Block answers(Index first, Index count) const;
  // E at any point whose scores are known; no pass over the features. With a direction (point and scores of
  // it), also the derivative along that.
  double value(const Eigen::VectorXd& point, const RowMajor& scores) const;
  struct OnLine {
    double value = 0;
    double slope = 0;
  };
  OnLine on_line(const Eigen::VectorXd& point, const RowMajor& scores, const Eigen::VectorXd& direction,
                 const RowMajor& change) const;
  // The scores of a point or direction, one pass.
  RowMajor scores_of(const Eigen::VectorXd& point, const Monitor& monitor) const;
  // [1 Z]' factors, for factors of every row's scores.
  Eigen::VectorXd transposed_times(const RowMajor& factors, const Monitor& monitor) const;

 private:
  // Of `weights`, or where that is null from the scores.
  Evaluation evaluated(const Eigen::VectorXd& point, const RowMajor* weights, const Monitor& monitor);

  const Problem* problem_;
  Targets answers_;  // of all rows
  RowMajor scores_, curvature_;
};

}  // namespace discern
