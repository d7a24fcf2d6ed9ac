#include "discern/optim/solver/cg.hpp"

#include <algorithm>

#include "discern/optim/solver/descent.hpp"
#include "discern/optim/solver/preconditioner.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The directions, one from the last and the gradients before and now; z = M^-1 gradient.
class ConjugateDirections {
 public:
  const VectorXd& next(const VectorXd& gradient, const VectorXd& z) {
    const double size = gradient.dot(z);
    const double b = before_.size() == 0 ? 0 : std::max(0.0, (size - before_.dot(z)) / before_size_);
    if (direction_.size() == 0)
      direction_ = -z;
    else
      direction_ = -z + b * direction_;
    if (!(direction_.dot(gradient) < 0)) direction_ = -z;
    before_ = gradient;
    before_size_ = size;
    return direction_;
  }

 private:
  VectorXd before_, direction_;
  double before_size_ = 0;
};

}  // namespace

Minimum conjugate_gradients(LinearFunction& function, const VectorXd& start, const SolverOptions& options) {
  LinearDescent descent(function, start_at(function, start), options);
  RenewedPreconditioner m(function, options.monitor);
  ConjugateDirections directions;
  double step = 1;
  descent.run([&](const Monitor& during) {
    const VectorXd& gradient = descent.at().gradient;
    const VectorXd z = m.solve(gradient);
    if (m.is_new()) directions = {};
    const VectorXd& direction = directions.next(gradient, z);
    step = descent.line_minimum(direction, step, during);
    descent.took(step);
    return descent.move(descent.point() + step * direction);
  });
  return descent.result();
}

Minimum conjugate_gradients(SmoothFunction& function, const Start& start, const SolverOptions& options) {
  Descent descent(function, start, options);
  ConjugateDirections directions;
  // The fall that the last step promised is what the next one is expected to bring (Nocedal and Wright).
  double promised = 0;
  descent.run([&](const Monitor& during) {
    const VectorXd& gradient = descent.at().gradient;
    const VectorXd& direction = directions.next(gradient, gradient);
    const double slope = direction.dot(descent.at().gradient);
    const double first = promised < 0 ? promised / slope : 1 / direction.norm();
    if (!descent.move_along(direction, first, 0.1, during)) return false;
    promised = descent.step() * slope;
    return true;
  });
  return descent.result();
}

}  // namespace discern
