#include "discern/model/inference/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/stats/symmetric.hpp"

namespace discern {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Profile::Profile(ExpansionAt expansion, const VectorXd& best, const Expansion& at, Monitor monitor)
    : expansion_(std::move(expansion)), best_(best), value_(at.value), monitor_(std::move(monitor)) {
  inverse_ = SemidefiniteFactor(at.hessian).solve(MatrixXd::Identity(best.size(), best.size())).x;
}

ProfilePoint Profile::point_at(const VectorXd& form, double v, const VectorXd& from) const {
  // Into the plane, along the direction that costs least at the maximum of the likelihood.
  const VectorXd cheapest = inverse_ * form;
  ProfilePoint point{from + cheapest * ((v - form.dot(from)) / form.dot(cheapest))};
  Expansion at = expansion_(point.theta, monitor_);
  for (int round = 0; round < 200; ++round) {
    const SemidefiniteFactor factor(at.hessian);
    const VectorXd free = factor.solve(-at.gradient).x, along = factor.solve(form).x;
    point.value = at.value;
    point.slope = (v - form.dot(point.theta) - form.dot(free)) / form.dot(along);
    const VectorXd step = free + point.slope * along;
    const double fall = -(at.gradient - point.slope * form).dot(step);  // the squared length of the step
    if (!(fall > 1e-18 * (1 + std::fabs(at.value)))) break;
    bool moved = false;
    for (double a = 1; a > 1e-6 && !moved; a /= 2) {
      Expansion trial = expansion_(point.theta + a * step, monitor_);
      if (!(trial.value <= at.value - 1e-4 * a * fall) && !(fall < 1e-12 * (1 + std::fabs(at.value))))
        continue;
      point.theta += a * step;
      at = std::move(trial);
      moved = true;
    }
    if (!moved) break;
  }
  return point;
}

double Profile::likelihood_ratio(const VectorXd& form, double v) const {
  return std::max(0.0, 2 * (point_at(form, v, best_).value - value_));
}

// Newton's method on z(v) = sqrt(2 (E(v) - E)), which is nearly straight: dz/dv = (dE/dv) / z.
double Profile::end(const VectorXd& form, double reach, int side) const {
  const double estimate = form.dot(best_), error = std::sqrt(form.dot(inverse_ * form));
  double v = estimate + side * reach * error;
  VectorXd from = best_;
  for (int round = 0; round < 60; ++round) {
    const ProfilePoint point = point_at(form, v, from);
    const double z = std::sqrt(std::max(0.0, 2 * (point.value - value_)));
    const double rate = std::fabs(point.slope) / z;
    const double change = (reach - z) / rate;
    if (!std::isfinite(change) || std::fabs(v - estimate) > 1e4 * reach * error)
      return side * std::numeric_limits<double>::infinity();
    from = point.theta;
    // Never across the estimate, and at most three times as far.
    const double distance = std::fabs(v - estimate);
    const double next = std::clamp(distance + change, distance / 4, distance * 3);
    v = estimate + side * next;
    if (std::fabs(next - distance) <= 1e-10 * distance) break;
  }
  return v;
}

}  // namespace discern
