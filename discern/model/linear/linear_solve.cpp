#include "discern/model/linear/linear_solve.hpp"

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/separable/separation.hpp"
#include "discern/optim/confirm/lower_point.hpp"
#include "discern/optim/kernel/hessian_products.hpp"
#include "discern/optim/l1/cd.hpp"
#include "discern/optim/l1/proximal_newton_cg.hpp"
#include "discern/optim/problem/judge.hpp"
#include "discern/optim/solver/cg.hpp"
#include "discern/optim/solver/dual_cd.hpp"
#include "discern/optim/solver/gd.hpp"
#include "discern/optim/solver/interior_point.hpp"
#include "discern/optim/solver/lbfgs.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/optim/solver/newton_cg.hpp"
#include "discern/optim/stochastic/sgd.hpp"
#include "discern/optim/view/narrowed.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/optim/view/row_space.hpp"

namespace discern {

using Eigen::VectorXd;

bool own_coordinates(Solver solver, const LinearOptions& options) {
  return solver == Solver::sgd || (solver == Solver::gd && options.learning_rate > 0);
}

SolverChoice able_to_start(const SolverChoice& choice, bool l1) {
  constexpr const char* reason = "it can start at given weights";
  if (choice.solver == Solver::dual_cd) return {Solver::newton_cg, reason};
  if (l1 && choice.solver == Solver::newton_cg) return {Solver::cd, reason};
  return choice;
}

namespace {

// Sweeps of the dual crawl on badly conditioned problems; what 200 of them leave is finished in the primal,
// where that can be done.
Minimum dual_then_primal(const Problem& problem, std::uint64_t seed, const SolverOptions& how) {
  const bool hinge = std::holds_alternative<HingeLoss>(problem.loss);
  if (hinge && problem.width() > 2000) return dual_coordinate_descent(problem, seed, how);
  SolverOptions first = how;
  first.max_iter = std::min<Index>(how.max_iter, 200);
  Minimum found = dual_coordinate_descent(problem, seed, first);
  if (found.converged || found.interrupted || how.max_iter <= first.max_iter) return found;
  const SolverOptions rest = going_on(how, found.iterations);
  LinearFunction function(problem);
  // The weights of a dual that is far from its maximum may be worse than none.
  const VectorXd zero = VectorXd::Zero(problem.size());
  const bool worse = !(found.value < function.evaluate(zero, {}).value);
  Minimum finished = hinge ? hinge_by_interior_point(problem, seed, rest)
                           : newton_cg_then_newton(function, worse ? zero : found.point, rest);
  finished.iterations += found.iterations;
  return finished;
}

// What products with the Hessian leave of an objective with l1 is finished coordinate by coordinate.
Minimum products_then_columns(LinearFunction& function, const SolverOptions& how) {
  const Minimum found = proximal_newton_cg(function, how);
  if (found.converged || found.interrupted || found.iterations >= how.max_iter) return found;
  Minimum finished = coordinate_descent(function.problem(), found.point, going_on(how, found.iterations));
  finished.iterations += found.iterations;
  return finished;
}

// Where there are few rows the problem is solved among their combinations first.
Minimum newton_cg_from_rows(const Problem& problem, const SolverOptions& how) {
  LinearFunction function(problem);
  const VectorXd zero = VectorXd::Zero(problem.size());
  // A trace shows points of the problem itself.
  if (how.trace || !RowSpace::worth_making(problem)) return newton_cg_then_newton(function, zero, how);
  const RowSpace rows(problem);
  if (rows.problem().features() == 0) return newton_cg_then_newton(function, zero, how);
  SolverOptions first = how;
  first.tol = 0.1 * how.tol;
  LinearFunction part(rows.problem());
  const Minimum found = newton_cg(part, VectorXd::Zero(part.size()), first);
  Minimum finished =
      newton_cg_then_newton(function, rows.whole_of(found.point), going_on(how, found.iterations));
  finished.iterations += found.iterations;
  finished.interrupted = finished.interrupted || found.interrupted;
  return finished;
}

// The solvers whose passes go from row to row, from zero.
Minimum by_rows(const Problem& problem, Solver solver, const Training& training, const SolverOptions& how) {
  if (solver == Solver::dual_cd) return dual_then_primal(problem, training.seed, how);
  if (solver == Solver::newton_cg && !problem.has_l1()) return newton_cg_from_rows(problem, how);
  LinearFunction function(problem);
  const VectorXd zero = VectorXd::Zero(problem.size());
  if (solver == Solver::newton_cg) return products_then_columns(function, how);
  if (solver == Solver::lbfgs) return preconditioned_lbfgs(function, zero, how);
  return conjugate_gradients(function, zero, how);
}

// Those of them that can begin at weights, and gd, which draws its start otherwise.
Minimum from_start(const Problem& problem, Solver solver, const LinearOptions& options,
                   const Training& training, const VectorXd& start, const SolverOptions& how) {
  LinearFunction function(problem);
  if (solver == Solver::newton_cg) return newton_cg_then_newton(function, start, how);
  if (solver == Solver::lbfgs) return preconditioned_lbfgs(function, start, how);
  if (solver == Solver::cg) return conjugate_gradients(function, start, how);
  return gradient_descent(function, {options.learning_rate, options.normalize_weights, training.seed, start},
                          how);
}

// What a Hessian leaves that is singular up to rounding is finished by products with it, which are not.
Solved newton_then_products(const Problem& problem, const VectorXd& start, const SolverOptions& how) {
  const NewtonMinimum found = start.size() > 0 ? newton_from(problem, start, how) : newton(problem, how);
  const bool ended = found.converged || found.interrupted || found.unbounded;
  if (ended || found.iterations >= how.max_iter) return {found, found.rank, found.held, found.unbounded};
  LinearFunction function(problem);
  Minimum finished = newton_cg(function, found.point, going_on(how, found.iterations));
  finished.iterations += found.iterations;
  if (finished.value < found.value || finished.certificate < found.certificate || finished.interrupted)
    return {finished, found.rank};
  return {found, found.rank, found.held};
}

// `start`: the point to begin with; empty: zero.
Solved solve_in_units(const Problem& problem, Solver solver, const LinearOptions& options,
                      const Training& training, const VectorXd& start, const SolverOptions& how) {
  const bool given = start.size() > 0;
  if (solver == Solver::newton && std::holds_alternative<HingeLoss>(problem.loss))
    return {hinge_by_interior_point(problem, training.seed, how), {}};
  if (solver == Solver::newton) return newton_then_products(problem, start, how);
  if (solver == Solver::sgd)
    return {sgd(problem,
                {options.learning_rate, options.schedule, options.batch_size, options.epochs, options.average,
                 options.order, options.normalize_weights, training.seed},
                how),
            {}};
  if (solver == Solver::cd)
    return {coordinate_descent(problem, given ? start : VectorXd::Zero(problem.size()), how), {}};
  if (given || solver == Solver::gd) return {from_start(problem, solver, options, training, start, how), {}};
  // A trace shows the features as they are numbered. Where products with the Hessian have a copy of the rows
  // with numbers of its own, the few passes beside them gain nothing.
  const bool copied = solver == Solver::newton_cg && HessianProducts::copies(problem);
  if (how.trace || copied || !RenumberedProblem::worth_making(problem))
    return {by_rows(problem, solver, training, how), {}};
  const RenumberedProblem renumbered(problem);
  Minimum found = by_rows(renumbered.problem(), solver, training, how);
  found.point = renumbered.original(found.point);
  if (found.diagonal.size() > 0) found.diagonal = renumbered.original(found.diagonal);
  return {found, {}};
}

// What moves the scores of all classes alike changes no loss, and so hardly the gradient, but the penalty:
// the weights of a feature sum to zero. (Steps a coordinate at a time leave them as they come.)
void sum_to_zero(const Problem& problem, Minimum& found) {
  RowMajor point = Eigen::Map<const RowMajor>(found.point.data(), problem.width(), problem.scores);
  const VectorXd mean = point.rowwise().mean();
  if (mean.norm() <= 1e-14 * point.norm()) return;
  point.colwise() -= mean;
  found.point = point.reshaped<Eigen::RowMajor>();
  judge(problem, found);
}

// Whether units differ from those so far by more than a digit: downwards, since wide ones prove nothing, or,
// where they may have been too much to ask for, upwards.
bool differ(const VectorXd& units, const VectorXd& so_far, bool converged) {
  const auto ratio = units.array() / so_far.array();
  return (ratio < 0.1).any() || (!converged && (ratio > 10).any());
}

// Looks for the minimum again in coordinates that fit what was found, for as long as those change. False
// where they fitted.
bool go_on_in_fitting_units(const Problem& problem, Solver solver, const LinearOptions& options,
                            const Training& training, const SolverOptions& how, Minimum& found) {
  const bool own = own_coordinates(solver, options);
  VectorXd units = VectorXd::Ones(problem.features());
  for (int round = 0; round < 5 && !found.interrupted; ++round) {
    const VectorXd fitting = fitting_units(problem, found);
    if (!differ(fitting, units, found.converged)) return round > 0;
    units = fitting;
    const NarrowedProblem narrowed(problem, units);
    Minimum here = found;
    here.point = narrowed.point_of(found.point);
    const std::optional<VectorXd> lower =
        lower_point(narrowed.problem(), here.point, tolerated_share(found, how.tol), how.monitor);
    if (!lower && found.converged) break;
    if (lower) {
      if (!own) here.point = *lower;
      judge(narrowed.problem(), here);
      here.converged = false;
      here.diagonal.resize(0);
      found = narrowed.original(here);
    }
    if (own || found.iterations >= how.max_iter) break;
    Minimum again = solve_in_units(narrowed.problem(), solver, options, training, here.point,
                                   narrowed.watched(going_on(how, found.iterations)));
    again.iterations += found.iterations;
    found.interrupted = again.interrupted;
    if (again.converged || again.value < found.value)
      found = narrowed.original(std::move(again));
    else if (!lower)
      break;
  }
  return true;
}

// As many looks for a lower point as take some tens of seconds at most.
Index most_looks(const Problem& problem) {
  const auto weights = static_cast<double>(problem.size());
  const double work = static_cast<double>(problem.source->rows() * problem.scores) * weights * weights;
  return static_cast<Index>(std::clamp(4e10 / work, 5.0, 100.0));
}

// Steps of Newton's method from what was found, as long as they lead down by more than their rounding. True
// where there was one.
bool go_on_below(const Problem& problem, const SolverOptions& how, bool own, Minimum& found) {
  constexpr Index patience = 5;  // with steps that gain next to nothing
  constexpr double next_to_nothing = 1e-8;
  const double share = tolerated_share(found, how.tol);
  const Index most = most_looks(problem);
  std::optional<VectorXd> lower;
  Index small = 0, taken = 0;
  while (taken < most && small < patience) {
    lower = lower_point(problem, found.point, share, how.monitor);
    if (!lower || own || found.iterations >= how.max_iter) break;
    const double before = found.value;
    found.point = *lower;
    found.diagonal.resize(0);
    judge(problem, found);
    found.certificate_kind = "relative-gradient-norm";
    ++found.iterations;
    ++taken;
    tell(how, found);
    small = found.value < before - next_to_nothing * std::fabs(before) ? 0 : small + 1;
  }
  found.converged = found.certificate <= how.tol && !lower;
  return taken > 0;
}

// Makes sure that what was found is a minimum, and goes on where it is not.
void confirm(const Problem& problem, Solver solver, const LinearOptions& options, const Training& training,
             const SolverOptions& how, Solved& found) {
  const bool own = own_coordinates(solver, options);
  const Solver able = able_to_start({solver, {}}, problem.has_l1()).solver;
  // The curvature of squared loss is the same everywhere, and a duality gap does not depend on coordinates.
  if (!std::holds_alternative<SquaredLoss>(problem.loss) &&
      found.certificate_kind == "relative-gradient-norm" &&
      go_on_in_fitting_units(problem, able, options, training, how, found))
    found.held = false;
  // The loss of separated classes without a penalty has no minimum, and goes on falling.
  const auto ends = [&] {
    return found.converged || !unpenalised_likelihood(problem) ||
           !(found.unbounded || separation_at(problem, found.point,
                                              likelihood_at(problem, found.point, how.monitor), how.monitor));
  };
  const auto held = [&] {
    return found.converged && (found.held || held_by_curvature(problem, found.point,
                                                               tolerated_share(found, how.tol), how.monitor));
  };
  for (int round = 0; round < 3; ++round) {
    if (found.interrupted || !has_small_factor(problem) || !ends() || held()) return;
    const bool moved = go_on_below(problem, how, own, found);
    // The steps know nothing of weights that l1 would bring to zero on the way, or away from it.
    if (!problem.has_l1() || !moved || found.iterations >= how.max_iter) return;
    const Minimum again =
        solve_in_units(problem, able, options, training, found.point, going_on(how, found.iterations));
    const Index taken = found.iterations;
    if (!(again.value <= found.value)) return;
    static_cast<Minimum&>(found) = again;
    found.iterations += taken;
  }
  found.converged = false;
}

Solved solve_independent(const Problem& problem, Solver solver, const LinearOptions& options,
                         const Training& training, const VectorXd& start, const SolverOptions& how) {
  Solved found = solve_in_units(problem, solver, options, training, start, how);
  const bool own = own_coordinates(solver, options);
  if (!is_convex(problem.loss) || !is_smooth(problem.loss) || (own && !found.converged)) return found;
  if (problem.softmax() && !problem.has_l1() && !own) {
    sum_to_zero(problem, found);
    found.converged = found.converged && found.certificate <= how.tol;
  }
  if (!uninterrupted([&] { confirm(problem, solver, options, training, how, found); })) {
    found.interrupted = true;
    found.converged = false;
  }
  return found;
}

// What was found without the dependent features with weights of least norm, where that keeps its digits.
void share_weights(const Problem& problem, const DependentFeatures& dependent, double tol, Solved& found) {
  found.point = dependent.cleared(found.point);
  Solved least = found;
  least.point = dependent.of_least_norm(found.point);
  judge(problem, least);
  judge(problem, found);
  least.least_norm = true;
  if (least.certificate <= std::max(tol, found.certificate)) found = least;
  found.converged = found.converged && found.certificate <= tol;
}

}  // namespace

std::optional<DependentFeatures> find_dependent_features(const Problem& problem, const Monitor& monitor) {
  if (!DependentFeatures::worth_finding(problem)) return std::nullopt;
  std::optional<DependentFeatures> found;
  uninterrupted([&] { found.emplace(problem, monitor); });
  return found;
}

Solved solve(const Problem& problem, Solver solver, const LinearOptions& options, const Training& training,
             const VectorXd& start, const SolverOptions& how,
             const std::optional<DependentFeatures>& dependent) {
  const bool some = dependent && !dependent->features().empty() && !own_coordinates(solver, options);
  Solved found;
  if (some) {
    found = solve_independent(without_features(problem, dependent->features()), solver, options, training,
                              start.size() > 0 ? dependent->without(start) : start, how);
    share_weights(problem, *dependent, how.tol, found);
  } else {
    found = solve_independent(problem, solver, options, training, start, how);
  }
  if (dependent) found.rank = problem.features() - static_cast<Index>(dependent->features().size());
  return found;
}

}  // namespace discern
