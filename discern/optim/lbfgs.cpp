#include "discern/optim/lbfgs.hpp"

#include <cmath>
#include <deque>
#include <limits>

#include "discern/optim/descent.hpp"
#include "discern/optim/preconditioner.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr std::size_t memory = 10;

struct Pair {
  VectorXd s, y;  // differences of points and of gradients
  double rho = 0;
};

// The two-loop recursion.
VectorXd direction_of(const std::deque<Pair>& pairs, const VectorXd& gradient,
                      const InverseHessian& inverse) {
  VectorXd q = gradient;
  std::vector<double> a(pairs.size());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    a[k] = pairs[k].rho * pairs[k].s.dot(q);
    q -= a[k] * pairs[k].y;
  }
  q = inverse(q);
  for (std::size_t k = 0; k < pairs.size(); ++k) q += (a[k] - pairs[k].rho * pairs[k].y.dot(q)) * pairs[k].s;
  return -q;
}

}  // namespace

Minimum lbfgs(LinearFunction& function, const Start& start, const InverseHessian& inverse,
              const SolverOptions& options) {
  Descent descent(function, start, options);
  std::deque<Pair> pairs;
  descent.run([&](const Monitor& during) {
    const VectorXd point = descent.point();
    const Evaluation at = descent.at();
    VectorXd d = direction_of(pairs, at.gradient, inverse);
    if (!(d.dot(at.gradient) < 0)) {
      pairs.clear();
      d = direction_of(pairs, at.gradient, inverse);
    }
    const double slope = d.dot(at.gradient);
    // A fall that drowns in rounding is judged by the slope, which does not (Hager and Zhang's approximate
    // Wolfe conditions).
    const auto falls = [&](const Evaluation& trial, double t) {
      if (trial.value <= at.value + 1e-4 * t * slope) return true;
      return descent.below_rounding(trial.value - at.value) && trial.gradient.dot(d) <= -0.9 * slope;
    };
    double low = 0, high = std::numeric_limits<double>::infinity(), t = 1;
    Evaluation trial;
    for (int k = 0;; ++k) {
      if (k == 60) return false;
      trial = function.evaluate(point + t * d, during);
      if (!falls(trial, t))
        high = t;
      else if (trial.gradient.dot(d) < 0.9 * slope)
        low = t;
      else
        break;
      t = std::isfinite(high) ? 0.5 * (low + high) : 2 * t;
    }
    descent.took(t);
    descent.move(point + t * d, std::move(trial));
    Pair pair{descent.point() - point, descent.at().gradient - at.gradient, 0};
    const double sy = pair.s.dot(pair.y);
    if (sy > 1e-16 * pair.y.squaredNorm()) {
      pair.rho = 1 / sy;
      pairs.push_back(std::move(pair));
      if (pairs.size() > memory) pairs.pop_front();
    }
    return true;
  });
  return descent.result();
}

Minimum preconditioned_lbfgs(LinearFunction& function, const SolverOptions& options) {
  const Start start = start_at(function, VectorXd::Zero(function.size()));
  const Preconditioner m(function, start.point, 500, false, options.monitor);
  return lbfgs(
      function, start, [&](const VectorXd& r) { return m.solve(r); }, options);
}

}  // namespace discern
