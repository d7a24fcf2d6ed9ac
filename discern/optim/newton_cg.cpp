#include "discern/optim/newton_cg.hpp"

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/optim/descent.hpp"
#include "discern/optim/preconditioner.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

struct Step {
  VectorXd d;
  RowMajor change;       // of the scores
  double predicted = 0;  // fall of the model
  bool at_edge = false;
};

// The t > 0 with |d + t p|_M = radius.
double to_edge(const VectorXd& d, const VectorXd& p, const Preconditioner& m, double radius) {
  const VectorXd mp = m.multiply(p);
  const double dp = d.dot(mp), pp = p.dot(mp), dd = d.dot(m.multiply(d));
  const double root = std::sqrt(std::max(dp * dp + pp * (radius * radius - dd), 0.0));
  return dp >= 0 ? (radius * radius - dd) / (dp + root) : (root - dp) / pp;
}

Step truncated_cg(const LinearFunction& function, const VectorXd& gradient, const Preconditioner& m,
                  double radius, double accuracy, const Monitor& monitor) {
  Step step{VectorXd::Zero(gradient.size()),
            RowMajor::Zero(function.scores().rows(), function.scores().cols())};
  VectorXd r = -gradient, z = m.solve(r), p = z;
  double rz = r.dot(z), length = 0;
  const double enough = accuracy * accuracy * rz;
  RowMajor change;
  for (Index k = 0; k < 500 && rz > enough; ++k) {
    const VectorXd hp = function.hessian_times(p, &change, monitor);
    const double curvature = p.dot(hp);
    double a = curvature > 0 ? rz / curvature : std::numeric_limits<double>::infinity();
    if (std::isfinite(radius)) {
      const VectorXd next = step.d + (std::isfinite(a) ? a : 0.0) * p;
      length = next.dot(m.multiply(next));
    }
    step.at_edge = !std::isfinite(a) || length >= radius * radius;
    if (step.at_edge) a = to_edge(step.d, p, m, std::isfinite(radius) ? radius : std::sqrt(rz));
    step.predicted += a * r.dot(p) - 0.5 * a * a * curvature;
    step.d += a * p;
    step.change += a * change;
    if (step.at_edge) break;
    r -= a * hp;
    z = m.solve(r);
    const double next_rz = r.dot(z);
    p = z + next_rz / rz * p;
    rz = next_rz;
  }
  return step;
}

// Wide problems have their heaviest coordinates factorised together, the others get their diagonal. Of 50,000
// sparse features a block of 400 took 0.7 of the time of none or of 1,000: it must not cost more than the
// passes that it saves.
Index block_size(const Problem& problem) { return problem.source->sparse() ? 400 : 1000; }

}  // namespace

Minimum newton_cg(LinearFunction& function, const VectorXd& start, const SolverOptions& options) {
  Descent descent(function, start_at(function, start), options);
  double radius = std::numeric_limits<double>::infinity();
  descent.run([&](const Monitor& during) {
    const Evaluation& at = descent.at();
    const Preconditioner m(function, descent.point(), block_size(function.problem()), during);
    const double accuracy = std::min(0.1, std::sqrt(descent.certificate()));
    while (true) {
      const Step step = truncated_cg(function, at.gradient, m, radius, accuracy, during);
      const VectorXd point = descent.point() + step.d;
      if (descent.below_rounding(step.predicted)) return descent.move_if_flatter(point);
      const double fall = at.value - function.value(point, function.scores() + step.change);
      const double ratio = fall / step.predicted;
      const double length = std::sqrt(step.d.dot(m.multiply(step.d)));
      if (!(ratio > 0.25)) radius = 0.25 * length;
      if (ratio > 0.75 && step.at_edge) radius = 2 * radius;
      if (ratio > 1e-4) return descent.move(point);
      if (!(length > 1e-14 * std::max(descent.point().norm(), 1e-30))) return false;
    }
  });
  return descent.result();
}

}  // namespace discern
