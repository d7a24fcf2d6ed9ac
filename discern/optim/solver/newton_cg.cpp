#include "discern/optim/solver/newton_cg.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/optim/kernel/hessian_products.hpp"
#include "discern/optim/solver/descent.hpp"
#include "discern/optim/solver/preconditioner.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

struct Step {
  VectorXd d;
  VectorXd residual;     // -(grad E + H d)
  double predicted = 0;  // fall of the model
  Index iterations = 0;
};

// Conjugate gradients until the residual has fallen to `accuracy` in the norm of M^-1 or to the length
// `close`, or a direction without curvature is met: alone it is the step, otherwise the step so far is.
Step truncated_cg(HessianProducts& hessian, const VectorXd& gradient, const Preconditioner& m,
                  double accuracy, double close, Index most, const Monitor& monitor) {
  Step step{VectorXd::Zero(gradient.size()), {}};
  VectorXd r = -gradient, z = m.solve(r), p = z;
  double rz = r.dot(z);
  const double enough = accuracy * accuracy * rz;
  for (Index k = 0; k < most && rz > enough && r.norm() > close; ++k) {
    const VectorXd hp = hessian.times(p, monitor);
    const double curvature = p.dot(hp);
    ++step.iterations;
    if (!(curvature > 0) && k > 0) break;
    const double a = curvature > 0 ? rz / curvature : 1;
    step.predicted += a * rz - 0.5 * a * a * curvature;  // r'p = r'z
    step.d += a * p;
    if (!(curvature > 0)) break;
    r -= a * hp;
    z = m.solve(r);
    const double next_rz = r.dot(z);
    p = z + next_rz / rz * p;
    rz = next_rz;
  }
  step.residual = std::move(r);
  return step;
}

constexpr Index most_sparse = 400;  // coordinates of a block

bool centers(const Problem& problem) { return Preconditioner::centers(problem, most_sparse); }

// Wide problems have their heaviest coordinates factorised together, the others get their diagonal. Of
// centred ones few will do: of 50,000 words 25, 50 and 100 all make conjugate gradients end after six to
// eight products, 400 after nine, and they take as long as two.
Index block_size(const Problem& problem) {
  if (!problem.source->sparse()) return 1000;
  return centers(problem) ? 50 : most_sparse;
}

// Products with the Hessian that take as long as making the block of one score anew: rows x block^2 / 2
// multiplications at the speed of matrix products against 2 rows x width at about a third of it.
Index products_per_block(const Problem& problem) {
  const auto block = static_cast<double>(std::min(block_size(problem), problem.width()));
  return std::max<Index>(10, static_cast<Index>(block * block / static_cast<double>(problem.width()) / 12));
}

Preconditioner preconditioner(const LinearFunction& function, HessianProducts& hessian,
                              const Monitor& monitor) {
  const Problem& problem = function.problem();
  return {function, hessian.diagonal(monitor), centers(problem) ? hessian.sums(monitor) : VectorXd(),
          block_size(problem), monitor};
}

// Whether this step is one that others follow: what it leaves of the gradient is more than the tolerance
// allows, and what E will still fall by then, as the square of that, shows in six digits of it.
bool goes_on(const Step& step, const Evaluation& at, double certificate, double tol) {
  const double left = step.residual.norm() / at.gradient.norm();
  return left * certificate > 2 * tol && left * left * step.predicted > 1e-5 * std::fabs(at.value);
}

// The length of the residual at which a step ends in any case: half of the gradient that the tolerance
// allows; the other half is for what the model does not know.
double close_enough(const Evaluation& at, double certificate, double tol) {
  return 0.5 * tol / certificate * at.gradient.norm();
}

// Zero is where most fits begin, and steps follow: single precision will do for it. Not where the sums of a gradient
// cancel so far that single precision has few digits of what is left, nor where its rounding, in a direction
// that the penalty alone holds, as that of indicators which sum to one, would be a fall that matters.
std::optional<Start> zero_in_single_precision(LinearFunction& function, HessianProducts& hessian) {
  if (!hessian.has_single_copy()) return {};
  const Problem& problem = function.problem();
  Evaluation zero = hessian.evaluate_single(function, VectorXd::Zero(function.size()), {});
  const double rounding = 1e-7 * zero.slopes, held = problem.l2.tail(problem.features()).minCoeff();
  if (!(zero.gradient.norm() > 1e4 * rounding) || !(rounding * rounding < 1e-9 * held * zero.value))
    return {};
  return start_at_zero(function, std::move(zero));
}

}  // namespace

Minimum newton_cg(LinearFunction& function, const VectorXd& start, const SolverOptions& options,
                  double most_products) {
  std::optional<HessianProducts> hessian;
  std::optional<Start> zero;
  if (start.isZero(0) && !options.trace && HessianProducts::copies(function.problem()))
    zero = zero_in_single_precision(function, hessian.emplace(function, Monitor{}));
  bool single = zero.has_value();  // at the point, which then has about six digits
  LinearDescent descent(function, zero ? *std::move(zero) : start_at(function, start), options);
  std::optional<Preconditioner> m;
  const Index patience = products_per_block(function.problem());
  Index inner = 0;      // iterations of the last step
  double products = 0;  // of all steps
  bool cautious = false;
  double surprise = 1;
  descent.run([&](const Monitor& during) {
    if (products > most_products) return false;
    const Evaluation& at = descent.at();
    if (!hessian) hessian.emplace(function, during);
    RowMajor exact;
    if (cautious) exact = function.make_cautious();
    // A model that was nearly true of the last step is of a Hessian that has hardly changed since.
    const bool fresh = !m || inner >= patience || (inner > patience / 2 && surprise > 0.1);
    if (fresh) m.emplace(preconditioner(function, *hessian, during));
    // As accurate as the last model was about the gradient that came.
    const Step step =
        truncated_cg(*hessian, at.gradient, *m, std::min(0.1, surprise),
                     close_enough(at, descent.certificate(), options.tol), fresh ? 500 : patience, during);
    inner = step.iterations;
    products += static_cast<double>(inner);
    double told = step.predicted;
    if (cautious) {
      function.set_curvature(std::move(exact));
      told = -at.gradient.dot(step.d) - 0.5 * step.d.dot(hessian->times(step.d, during));
    }
    descent.took(1);
    const VectorXd point = descent.point() + step.d;
    // The last digits may be more than products from a copy have.
    if (descent.below_rounding(step.predicted))
      return descent.move_if_flatter(point) || hessian->make_exact();
    const bool roughly =
        !options.trace && hessian->has_single_copy() && goes_on(step, at, descent.certificate(), options.tol);
    Evaluation there =
        roughly ? hessian->evaluate_single(function, point, during) : function.evaluate(point, during);
    const double fall = at.value - there.value;
    if (!(fall > 0.5 * step.predicted)) {
      descent.move(descent.point());
      single = false;
      const double t = descent.line_minimum(step.d, 1, during);
      descent.took(t);
      cautious = true;
      surprise = 1;
      const VectorXd lowest = descent.point() + t * step.d;
      there = function.evaluate(lowest, during);
      // Where nothing falls, products from a copy may have lost what matters.
      if (descent.below_rounding(there.value - at.value) || !hessian->make_exact())
        return descent.move(lowest, std::move(there));
      function.evaluate(descent.point(), during);
      return true;
    }
    if (cautious) cautious = !(std::fabs(fall - told) < 0.05 * fall);
    surprise = (there.gradient + step.residual).norm() / at.gradient.norm();
    const bool ends = descent.certificate_of(point, there) <= options.tol;
    if (roughly && ends) there = function.evaluate(point, during);
    single = roughly && !ends;
    return descent.move(point, std::move(there));
  });
  if (single) descent.move(descent.point(), function.evaluate(descent.point(), {}));
  Minimum found = descent.result();
  if (hessian && found.converged) {
    function.drop_flat_rows();
    found.diagonal = hessian->diagonal({});
    found.curvature = function.mean_curvature();
  }
  return found;
}

}  // namespace discern
