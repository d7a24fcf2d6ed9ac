// What the descent methods on a LinearFunction share: the point so far, its certificate, when to stop, and
// what to do when the fall of E drowns in rounding.
#pragma once

#include <functional>

#include "discern/optim/function.hpp"
#include "discern/optim/minimum.hpp"

namespace discern {

// Where a descent begins, and what its gradients are compared with.
struct Start {
  Eigen::VectorXd point;
  Evaluation at;
  double scale = 1;
};
// Evaluates zero, for the scale, and the point if that is another.
Start start_at(LinearFunction& function, const Eigen::VectorXd& point);

class Descent {
 public:
  Descent(LinearFunction& function, const Start& start, const SolverOptions& options);

  const Eigen::VectorXd& point() const { return best_.point; }
  const Evaluation& at() const { return at_; }
  double certificate() const { return best_.certificate; }

  // Repeats `iterate` until the certificate is reached, max_iter, an interrupt, or iterate says that
  // it can do no more, or `patience` iterations in a row have improved neither the value nor the certificate
  // (rounding has won). iterate moves the point and is given a monitor for its passes.
  void run(const std::function<bool(const Monitor&)>& iterate, Index patience = 30);

  // Moves there, one pass. Always true, for use as iterate's answer.
  bool move(const Eigen::VectorXd& point);
  // The same with what has been evaluated already; the function must have been evaluated there last.
  bool move(const Eigen::VectorXd& point, Evaluation evaluation);
  // Moves there if the gradient is smaller; false if not.
  bool move_if_flatter(const Eigen::VectorXd& point);

  // Remembers the length of the step that an iteration takes, for those who watch.
  void took(double step) { best_.step = step; }

  // True when a fall of E by this much cannot be seen in its value.
  bool below_rounding(double fall) const;

  // A step length that minimises E on the line from the point, found from the scores alone.
  double line_minimum(const Eigen::VectorXd& direction, double first, const Monitor& monitor);
  // The same when the change of the scores along the direction is known.
  double line_minimum(const Eigen::VectorXd& direction, const RowMajor& change, double first);

  Minimum result() { return std::move(best_); }

 private:
  double certificate_of(const Eigen::VectorXd& point, const Evaluation& evaluation) const;

  LinearFunction* function_;
  SolverOptions options_;
  Monitor during_;  // of the iteration that runs
  double scale_ = 1;
  Minimum best_;
  Evaluation at_;
};

}  // namespace discern
