#include "discern/optim/cg.hpp"

#include <algorithm>

#include "discern/optim/descent.hpp"

namespace discern {

using Eigen::VectorXd;

Minimum conjugate_gradients(LinearFunction& function, const VectorXd& start, const SolverOptions& options) {
  Descent descent(function, start_at(function, start), options);
  VectorXd m = function.hessian_diagonal({});
  m = m.cwiseMax(1e-10 * std::max(m.maxCoeff(), 1e-300));
  VectorXd before, direction;
  double before_size = 0, step = 1;
  descent.run([&](const Monitor& during) {
    const VectorXd gradient = descent.at().gradient, z = gradient.cwiseQuotient(m);
    const double size = gradient.dot(z);
    const double b = before.size() == 0 ? 0 : std::max(0.0, (size - before.dot(z)) / before_size);
    if (direction.size() == 0)
      direction = -z;
    else
      direction = -z + b * direction;
    if (!(direction.dot(gradient) < 0)) direction = -z;
    before = gradient;
    before_size = size;
    step = descent.line_minimum(direction, step, during);
    descent.took(step);
    return descent.move(descent.point() + step * direction);
  });
  return descent.result();
}

}  // namespace discern
