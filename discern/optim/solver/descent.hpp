// What the descent methods share: the point so far, its certificate, when to stop, how far to go along a
// direction, and what to do when the decrease of E is smaller than the rounding error of E.
#pragma once

#include <functional>

#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"

namespace discern {

// Where a descent begins, and what its gradients are compared with.
struct Start {
  Eigen::VectorXd point;
  Evaluation at;
  CertificateScale scale = {};
};
// Evaluates the function at zero, which the scale of the certificate needs, and at the point.
Start start_at(LinearFunction& function, const Eigen::VectorXd& point);
// The start at zero, from an evaluation there.
Start start_at_zero(const LinearFunction& function, Evaluation at);

class Descent {
 public:
  Descent(SmoothFunction& function, const Start& start, const SolverOptions& options);

  const Eigen::VectorXd& point() const { return best_.point; }
  const Evaluation& at() const { return at_; }
  double certificate() const { return best_.certificate; }
  double certificate_of(const Eigen::VectorXd& point, const Evaluation& evaluation) const;
  Index iterations() const { return best_.iterations; }

  // Repeats `iterate`, which moves the point and is given a monitor for its passes. Ends when the certificate is
  // within the tolerance, at max_iter, at an interrupt, when iterate returns false, or after `patience` iterations
  // in a row that have improved neither the value, by more than its rounding, nor the certificate.
  void run(const std::function<bool(const Monitor&)>& iterate, Index patience = 30);

  // Moves there, one pass. Always true, for use as iterate's answer.
  bool move(const Eigen::VectorXd& point);
  // The same with what has been evaluated already; the function must have been evaluated there last.
  bool move(const Eigen::VectorXd& point, Evaluation evaluation);
  // Moves there if the gradient is smaller; false if not.
  bool move_if_flatter(const Eigen::VectorXd& point);

  // Remembers the length of the step that an iteration takes, for the trace.
  void took(double step) { best_.step = step; }
  double step() const { return best_.step.value_or(0); }

  // True when a decrease of E by this much is below the rounding error of its value.
  bool below_rounding(double fall) const;

  // Moves along a direction that goes down, by a length t that satisfies the weak Wolfe conditions
  //
  //   E(u + t d) <= E(u) + 1e-4 t grad E(u)'d,     grad E(u + t d)'d >= flattening grad E(u)'d
  //
  // found by doubling and bisection from `first`, a pass for each length tried. False when there is none.
  bool move_along(const Eigen::VectorXd& direction, double first, double flattening, const Monitor& monitor);

  Minimum result() { return std::move(best_); }

 private:
  SmoothFunction* function_;
  SolverOptions options_;
  Monitor during_;  // of the iteration that runs
  CertificateScale scale_;
  Minimum best_;
  Evaluation at_;
};

// The same on a LinearFunction, where a line costs one pass whatever the number of lengths tried.
class LinearDescent : public Descent {
 public:
  LinearDescent(LinearFunction& function, const Start& start, const SolverOptions& options)
      : Descent(function, start, options), function_(&function) {}

  // A step length that minimises E on the line from the point, found from the scores alone.
  double line_minimum(const Eigen::VectorXd& direction, double first, const Monitor& monitor);

 private:
  LinearFunction* function_;
};

}  // namespace discern
