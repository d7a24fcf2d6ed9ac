#include "discern/optim/lbfgs.hpp"

#include <cmath>
#include <deque>
#include <limits>

#include "discern/optim/descent.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr std::size_t memory = 10;

struct Pair {
  VectorXd s, y;  // differences of points and of gradients
  double rho = 0;
};

// The two-loop recursion; `diagonal` is the Hessian's at the start.
VectorXd direction_of(const std::deque<Pair>& pairs, const VectorXd& gradient, const VectorXd& diagonal) {
  VectorXd q = gradient;
  std::vector<double> a(pairs.size());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    a[k] = pairs[k].rho * pairs[k].s.dot(q);
    q -= a[k] * pairs[k].y;
  }
  q = q.cwiseQuotient(diagonal);
  if (!pairs.empty()) {
    const Pair& last = pairs.back();
    q *= last.s.dot(last.y) / last.y.cwiseQuotient(diagonal).dot(last.y);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) q += (a[k] - pairs[k].rho * pairs[k].y.dot(q)) * pairs[k].s;
  return -q;
}

}  // namespace

Minimum lbfgs(LinearFunction& function, const VectorXd& start, const SolverOptions& options) {
  Descent descent(function, start, options);
  std::deque<Pair> pairs;
  VectorXd diagonal = function.hessian_diagonal({});
  diagonal = diagonal.cwiseMax(1e-10 * std::max(diagonal.maxCoeff(), 1e-300));
  descent.run([&](const Monitor& during) {
    const VectorXd point = descent.point();
    const Evaluation at = descent.at();
    VectorXd d = direction_of(pairs, at.gradient, diagonal);
    if (!(d.dot(at.gradient) < 0)) {
      pairs.clear();
      d = direction_of(pairs, at.gradient, diagonal);
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

}  // namespace discern
