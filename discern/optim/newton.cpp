#include "discern/optim/newton.hpp"

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/optim/scaling.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

NewtonResult newton(const SmoothFunction& function, Eigen::VectorXd start, const NewtonOptions& options) {
  NewtonResult result;
  result.point = std::move(start);
  result.at = function(result.point, {});
  const double scale = gradient_scale(result.at.gradient.norm(), options.weight);
  result.certificate = result.at.gradient.norm() / scale;
  bool polished = false;
  while (true) {
    const SemidefiniteSolution step = solve_semidefinite(result.at.hessian, -result.at.gradient);
    if (result.iterations == 0) result.rank = step.rank;
    result.next_step = step.x;
    result.converged = result.certificate <= options.tol;
    result.unbounded = result.at.unbounded;
    if (polished || result.unbounded || result.iterations >= options.max_iter) break;
    polished = result.converged;
    const Progress progress{.stage = "fitting",
                            .done = result.iterations,
                            .total = options.max_iter,
                            .objective = result.at.value,
                            .certificate = result.certificate,
                            .iterative = true};
    const Monitor during = [&](const Progress&) { return go_on(options.monitor, progress); };
    if (!during({})) {
      result.interrupted = true;
      break;
    }
    // A decrease smaller than the rounding of the sum cannot be seen in the value; then the gradient decides.
    const double slope = result.at.gradient.dot(result.next_step);
    const double noise = 1e-14 * std::fabs(result.at.value);
    bool accepted = false;
    for (double a = 1; a > 1e-10 && !accepted; a /= 2) {
      const Eigen::VectorXd point = result.point + a * result.next_step;
      Expansion trial;
      try {
        trial = function(point, during);
      } catch (const Error& error) {
        if (error.code() != Code::interrupted) throw;
        result.interrupted = true;
        break;
      }
      const double norm = trial.gradient.norm();
      if (!std::isfinite(trial.value) || !std::isfinite(norm)) continue;
      const bool falls = trial.value <= result.at.value + 1e-4 * a * slope;
      const bool flat = -slope <= noise && norm < result.at.gradient.norm();
      if (!falls && !flat) {
        if (-slope <= noise) break;  // shorter steps would say no more
        continue;
      }
      if (polished && norm >= result.at.gradient.norm()) break;
      result.point = point;
      result.at = std::move(trial);
      result.certificate = norm / scale;
      accepted = true;
    }
    if (!accepted) break;
    ++result.iterations;
  }
  result.converged = result.certificate <= options.tol;
  return result;
}

}  // namespace discern
