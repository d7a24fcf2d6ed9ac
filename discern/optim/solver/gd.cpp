#include "discern/optim/solver/gd.hpp"

#include "discern/base/random.hpp"
#include "discern/optim/solver/descent.hpp"

namespace discern {

using Eigen::VectorXd;

VectorXd small_random_start(const Problem& problem, std::uint64_t seed) {
  Random random(seed);
  VectorXd start(problem.size());
  for (double& u : start) u = 0.02 * random.uniform() - 0.01;
  if (!problem.bias) start.head(problem.scores).setZero();
  return start;
}

void normalize_weights(const Problem& problem, VectorXd& point) {
  Eigen::Map<RowMajor> weights(point.data(), problem.width(), problem.scores);
  for (Index s = 0; s < problem.scores; ++s)
    if (const double length = weights.col(s).norm(); length > 0) weights.col(s) /= length;
}

Minimum gradient_descent(LinearFunction& function, const GradientDescentOptions& how,
                         const SolverOptions& options) {
  const bool fixed = how.learning_rate > 0;
  const Problem& problem = function.problem();
  const VectorXd start = how.start.size() > 0 ? how.start
                         : fixed              ? small_random_start(problem, how.seed)
                                              : VectorXd::Zero(function.size());
  LinearDescent descent(function, start_at(function, start), options);
  double step = 1 / std::max(problem.scaling.weight, 1e-300);
  descent.run(
      [&](const Monitor& during) {
        VectorXd direction = -least_subgradient(problem, descent.point(), descent.at().gradient);
        step = fixed ? how.learning_rate : descent.line_minimum(direction, step, during);
        descent.took(step);
        VectorXd point = descent.point() + step * direction;
        if (how.normalize_weights) normalize_weights(problem, point);
        return descent.move(point);
      },
      fixed ? options.max_iter : 30);
  return descent.result();
}

}  // namespace discern
