#include "discern/optim/solver/lbfgs.hpp"

#include <deque>

#include "discern/optim/solver/descent.hpp"
#include "discern/optim/solver/preconditioner.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

constexpr std::size_t memory = 10;
constexpr int most_gradient_steps = 5;

struct Pair {
  VectorXd s, y;  // differences of points and of gradients
  double rho = 0;
  double fit = 1;  // of the approximation that is known: s'y / y'M^-1 y
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
  if (inverse)
    q = (pairs.empty() ? 1 : pairs.back().fit) * inverse(q);
  else if (pairs.empty())
    q /= gradient.norm();
  else
    q /= pairs.back().rho * pairs.back().y.squaredNorm();
  for (std::size_t k = 0; k < pairs.size(); ++k) q += (a[k] - pairs[k].rho * pairs[k].y.dot(q)) * pairs[k].s;
  return -q;
}

}  // namespace

Minimum lbfgs(SmoothFunction& function, const Start& start, const InverseHessian& inverse,
              const SolverOptions& options) {
  Descent descent(function, start, options);
  std::deque<Pair> pairs;
  int gradient_steps = 0;
  descent.run([&](const Monitor& during) {
    const VectorXd point = descent.point(), gradient = descent.at().gradient;
    VectorXd d = direction_of(pairs, gradient, inverse);
    if (!(d.dot(gradient) < 0)) {
      pairs.clear();
      d = direction_of(pairs, gradient, inverse);
    }
    if (!descent.move_along(d, 1, 0.9, during)) {
      // A row without curvature at the point may have some a little further along the direction, where the
      // approximation expects none; the gradient's own direction leads away from there.
      if (!inverse || gradient_steps++ == most_gradient_steps) return false;
      pairs.clear();
      if (!descent.move_along(-gradient / gradient.norm(), 1, 0.9, during)) return false;
    }
    Pair pair{descent.point() - point, descent.at().gradient - gradient, 0};
    const double sy = pair.s.dot(pair.y);
    if (sy > 1e-16 * pair.y.squaredNorm()) {
      pair.rho = 1 / sy;
      if (inverse) pair.fit = sy / pair.y.dot(inverse(pair.y));
      pairs.push_back(std::move(pair));
      if (pairs.size() > memory) pairs.pop_front();
    }
    return true;
  });
  return descent.result();
}

Minimum preconditioned_lbfgs(LinearFunction& function, const VectorXd& from, const SolverOptions& options) {
  const Start start = start_at(function, from);
  RenewedPreconditioner m(function, options.monitor);
  return lbfgs(
      function, start, [&](const VectorXd& r) { return m.solve(r); }, options);
}

}  // namespace discern
