// A point that a solver has found, with its evaluated function. Everything is computed once, when it is first
// asked for.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

class Candidate {
 public:
  // The problem must outlive it. Its passes throw Code::interrupted when the monitor asks to stop.
  Candidate(const Problem& problem, const Minimum& found, const Monitor& monitor)
      : problem_(&problem), found_(found), monitor_(monitor) {}
  // The same for a function that has been evaluated at the point already, and must outlive it.
  Candidate(LinearFunction& function, Evaluation at, const Minimum& found, const Monitor& monitor);
  Candidate(const Candidate&) = delete;
  Candidate& operator=(const Candidate&) = delete;

  const Problem& problem() const { return *problem_; }
  const Minimum& found() const { return found_; }
  const Eigen::VectorXd& point() const { return found_.point; }
  const Monitor& monitor() const { return monitor_; }

  // The function, evaluated at the point. Those who change its curvature put back curvature() afterwards.
  LinearFunction& function();
  const Evaluation& at();             // the smooth part of E
  double value();                     // E
  const Eigen::VectorXd& residual();  // the least subgradient
  const RowMajor& slopes();           // s L' of every row
  const RowMajor& curvature();        // s L'' of every row, as row_losses gives it

  // Without the rows of vanishing slope (flat_slope in problem.hpp): the curvature of every row, its sum (the
  // mean over the scores), and the diagonal of the Hessian.
  const RowMajor& bent_curvature();
  double total_curvature();
  const Eigen::VectorXd& diagonal();

 private:
  const Problem* problem_;
  Minimum found_;
  Monitor monitor_;
  std::optional<LinearFunction> own_;
  LinearFunction* function_ = nullptr;  // null: not evaluated yet
  Evaluation at_;
  std::optional<double> value_, total_curvature_;
  Eigen::VectorXd residual_, diagonal_;
  RowMajor slopes_, curvature_, bent_curvature_;
};

}  // namespace discern
