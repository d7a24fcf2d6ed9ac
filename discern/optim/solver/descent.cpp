#include "discern/optim/solver/descent.hpp"

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"

namespace discern {

using Eigen::VectorXd;

Start start_at(LinearFunction& function, const VectorXd& point) {
  Start start = start_at_zero(function, function.evaluate(VectorXd::Zero(function.size()), {}));
  if (point.isZero(0)) return start;
  start.point = point;
  start.at = function.evaluate(point, {});
  return start;
}

Start start_at_zero(const LinearFunction& function, Evaluation at) {
  Start start{VectorXd::Zero(function.size()), std::move(at)};
  start.scale = {function.problem(), start.at.gradient, start.at.slopes};
  return start;
}

Descent::Descent(SmoothFunction& function, const Start& start, const SolverOptions& options)
    : function_(&function), options_(options), scale_(start.scale), at_(start.at) {
  best_.point = start.point;
  best_.value = at_.value;
  best_.certificate = certificate_of(start.point, at_);
}

double Descent::certificate_of(const VectorXd& point, const Evaluation& evaluation) const {
  return function_->residual(point, evaluation.gradient).norm() / scale_.at(evaluation.slopes);
}

void Descent::run(const std::function<bool(const Monitor&)>& iterate, Index patience) {
  during_ = [&](const Progress&) { return go_on(options_.monitor, progress_of(best_, options_.max_iter)); };
  try {
    bool more = true;
    double best_value = best_.value, best_certificate = best_.certificate;
    tell(options_, best_);
    Index idle = 0;
    while (more && idle < patience && best_.certificate > options_.tol &&
           best_.iterations < options_.max_iter) {
      if (!during_({})) throw Error(Code::interrupted, "interrupted");
      more = iterate(during_);
      if (!more) break;
      ++best_.iterations;
      tell(options_, best_);
      const bool lower = !below_rounding(best_value - best_.value);
      idle = lower || best_.certificate < best_certificate ? 0 : idle + 1;
      best_certificate = std::min(best_certificate, best_.certificate);
      if (lower) best_value = best_.value;
    }
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    best_.interrupted = true;
  }
  best_.converged = best_.certificate <= options_.tol;
}

bool Descent::move(const VectorXd& point) { return move(point, function_->evaluate(point, during_)); }

bool Descent::move(const VectorXd& point, Evaluation evaluation) {
  at_ = std::move(evaluation);
  best_.point = point;
  best_.value = at_.value;
  best_.certificate = certificate_of(point, at_);
  return true;
}

bool Descent::move_if_flatter(const VectorXd& point) {
  Evaluation evaluation = function_->evaluate(point, during_);
  if (!(certificate_of(point, evaluation) < best_.certificate)) return false;
  return move(point, std::move(evaluation));
}

bool Descent::below_rounding(double fall) const { return !(fall > 1e-13 * std::fabs(at_.value)); }

bool Descent::move_along(const VectorXd& direction, double first, double flattening, const Monitor& monitor) {
  const double slope = direction.dot(at_.gradient);
  // A fall that drowns in rounding is judged by the slope, which does not (Hager and Zhang's approximate
  // Wolfe conditions).
  const auto falls = [&](const Evaluation& trial, double t) {
    if (trial.value <= at_.value + 1e-4 * t * slope) return true;
    return below_rounding(trial.value - at_.value) && trial.gradient.dot(direction) <= -0.9 * slope;
  };
  double low = 0, high = std::numeric_limits<double>::infinity(), t = first;
  for (int k = 0; k < 60; ++k) {
    Evaluation trial = function_->evaluate(best_.point + t * direction, monitor);
    if (!falls(trial, t)) {
      high = t;
    } else if (trial.gradient.dot(direction) < flattening * slope) {
      low = t;
    } else {
      took(t);
      return move(best_.point + t * direction, std::move(trial));
    }
    t = std::isfinite(high) ? 0.5 * (low + high) : 2 * t;
  }
  return false;
}

// Looks for the zero of the slope: doubles the step until the slope is positive, then takes secants kept
// within the bracket. One secant is exact for squared loss. A slope may be small beside the first one and E
// have risen all the same, where a single row of large numbers makes the first: such a point does not count.
double LinearDescent::line_minimum(const VectorXd& direction, double first, const Monitor& monitor) {
  const RowMajor change = function_->scores_of(direction, monitor);
  const auto on_line = [&](double t) {
    return function_->on_line(point() + t * direction, function_->scores() + t * change, direction, change);
  };
  double low = 0, low_slope = at().gradient.dot(direction), high = first;
  const double start = low_slope;
  double high_slope = on_line(high).slope;
  for (int k = 0; k < 60 && high_slope < 0; ++k) {
    low = high, low_slope = high_slope;
    high_slope = on_line(high *= 2).slope;
  }
  double t = high;
  for (int k = 0; k < 60; ++k) {
    t = low + (high - low) * low_slope / (low_slope - high_slope);
    if (!(t > low) || !(t < high)) t = 0.5 * (low + high);
    const auto [value, slope] = on_line(t);
    const bool left = slope < 0, risen = !left && !below_rounding(value - at().value);
    if (std::fabs(slope) <= 1e-3 * std::fabs(start) && !risen) break;
    // Halving the far slope keeps the bracket from shrinking on one side only (Illinois).
    if (left)
      low = t, low_slope = slope, high_slope *= 0.5;
    else
      high = t, high_slope = slope, low_slope *= 0.5;
  }
  return t;
}

}  // namespace discern
