#include "discern/optim/solver/newton.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/optim/confirm/lower_point.hpp"
#include "discern/optim/problem/sample.hpp"
#include "discern/optim/solver/interior_point.hpp"
#include "discern/optim/solver/lbfgs.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// What a Minimum has of the Hessian; that of softmax is not in the coordinates of the problem. Less what rows
// that are flat can have to do with it at most: the sum of s z^2 over the rows is that of the weights.
void note_curvature(const Problem& problem, const Expansion& at, Minimum& minimum) {
  if (at.curvature == 0) return;
  minimum.diagonal = at.hessian.diagonal().array() - at.flat * problem.scaling.weight;
  minimum.curvature = at.curvature;
}

// Whether the Hessian of a last step holds what was found, without what rows that are flat have to do with it
// (those of softmax are not known). That of squared loss is the same everywhere.
bool holds(const Problem& problem, const Expansion& at, double gradient, double value, double tol) {
  if (std::holds_alternative<SquaredLoss>(problem.loss)) return true;
  if (at.curvature == 0) return false;
  Eigen::MatrixXd h = at.hessian;
  h.diagonal().array() -= at.flat * problem.scaling.weight * static_cast<double>(problem.width());
  return curvature_holds(std::move(h), gradient, value, tolerated_share({}, tol));
}

class NewtonIteration {
 public:
  NewtonIteration(const Problem& problem, const SolverOptions& options, ExpansionAt expansion)
      : problem_(&problem), options_(options), expansion_(std::move(expansion)) {
    if (problem.softmax()) q_ = sum_zero_basis(problem.scores);
    coordinates_ = problem.width() * problem.free_scores();
  }

  // Ends also where it crawls.
  NewtonMinimum until_it_crawls(const VectorXd& start) {
    may_crawl_ = true;
    return run(start);
  }
  NewtonMinimum run(const VectorXd& start = {}) {
    point_ = VectorXd::Zero(coordinates_);
    at_ = expansion_(point_, {});
    scale_ = {*problem_, norm_in_deviations(*problem_, from_newton(*problem_, q_, at_.gradient)), at_.slopes};
    if (start.size() > 0) {
      point_ = to_newton(*problem_, q_, start).reshaped();
      at_ = expansion_(point_, {});
    }
    during_ = [this](const Progress&) {
      return go_on(options_.monitor, progress_of(result_, options_.max_iter));
    };
    try {
      iterate();
    } catch (const Error& error) {
      if (error.code() != Code::interrupted) throw;
      result_.interrupted = true;
    }
    note();
    result_.converged = result_.certificate <= options_.tol;
    result_.point = from_newton(*problem_, q_, point_);
    note_curvature(*problem_, at_, result_);
    result_.held = result_.converged && !result_.singular &&
                   holds(*problem_, at_, at_.gradient.norm(), at_.value, options_.tol);
    return std::move(result_);
  }

 private:
  void note() {
    result_.value = at_.value;
    result_.certificate = at_.gradient.norm() / scale_.at(at_.slopes);
  }
  // Separated classes under a weak penalty leave a squared hinge few rows that count, and every step is
  // stopped by one that begins to: 409 steps on 5,000 x 300.
  bool crawls() const {
    constexpr Index patience = 5;
    return may_crawl_ && short_steps_ >= patience;
  }
  // Steps of a Hessian that is singular up to rounding may go on for long without getting anywhere, and one
  // that leads far beyond the minimum, down all the same, is followed by many that lead back a little each.
  bool stalls() {
    constexpr Index patience = 30;
    const bool falls = !(last_value_ - result_.value < 0.01 * std::fabs(result_.value));
    if (result_.certificate < 0.5 * last_gain_ || falls) {
      last_gain_ = std::min(last_gain_, result_.certificate);
      last_value_ = result_.value;
      gained_at_ = result_.iterations;
    }
    return result_.iterations - gained_at_ > patience;
  }
  bool unbounded() const {
    const bool logistic = problem_->softmax() || std::holds_alternative<LogisticLoss>(problem_->loss);
    return logistic && problem_->l2.maxCoeff() == 0 && at_.worst_margin > 0;
  }

  void iterate() {
    bool polished = false;
    while (true) {
      const SemidefiniteSolution solution = solve_semidefinite(at_.hessian, -at_.gradient);
      step_ = solution.x;
      if (result_.iterations == 0) set_rank(solution.rank);
      result_.singular = !solution.regular;
      note();
      if (options_.traces(result_.iterations)) {
        result_.point = from_newton(*problem_, q_, point_);
        tell(options_, result_);
      }
      result_.unbounded = unbounded();
      if (polished || result_.unbounded || result_.iterations >= options_.max_iter || stalls()) return;
      polished = result_.certificate <= options_.tol;
      if (polished && std::holds_alternative<SquaredLoss>(problem_->loss)) return;  // was exact
      if (!during_({})) throw Error(Code::interrupted, "interrupted");
      if (!search(polished)) return;
      ++result_.iterations;
      if (*result_.step < 0.1) ++short_steps_;
      if (crawls()) return;
    }
  }

  // Moves along the step; false when that leads nowhere. A fall below the rounding of the sum cannot be seen
  // in the value; then the gradient decides.
  bool search(bool polish) {
    const double slope = at_.gradient.dot(step_), norm = at_.gradient.norm();
    const bool drowned = -slope <= 1e-14 * std::fabs(at_.value);
    for (double a = 1; a > 1e-10; a /= 2) {
      const VectorXd point = point_ + a * step_;
      Expansion trial = expansion_(point, during_);
      const double trial_norm = trial.gradient.norm();
      if (!std::isfinite(trial.value) || !std::isfinite(trial_norm)) continue;
      const bool flatter = trial_norm < norm;
      const bool falls = trial.value <= at_.value + 1e-4 * a * slope;
      if (!falls && !(drowned && flatter)) {
        // Short of the tolerance a row that begins to count on the way may ask for a shorter step.
        if (drowned && (polish || a < 1e-3)) return false;
        continue;
      }
      if (polish && !flatter) return false;
      point_ = point;
      at_ = std::move(trial);
      result_.step = a;
      return true;
    }
    return false;
  }

  void set_rank(Index rank) {
    result_.rank = rank / problem_->free_scores() - 1;  // without the bias
  }

  const Problem* problem_;
  SolverOptions options_;
  ExpansionAt expansion_;
  MatrixXd q_;
  Index coordinates_ = 0;
  GradientScale scale_;
  Monitor during_;
  VectorXd point_, step_;
  Expansion at_;
  bool may_crawl_ = false;
  Index short_steps_ = 0;
  double last_gain_ = std::numeric_limits<double>::infinity(),
         last_value_ = std::numeric_limits<double>::infinity();
  Index gained_at_ = 0;
  NewtonMinimum result_;
};

// The plain method; a squared hinge on which it crawls goes through interior points.
NewtonMinimum plain_newton(const Problem& problem, const VectorXd& start, const SolverOptions& options) {
  const bool has_interior = std::holds_alternative<SquaredHingeLoss>(problem.loss) &&
                            problem.l2.tail(problem.features()).minCoeff() > 0;
  if (!has_interior) return NewtonIteration(problem, options, expansion_of(problem)).run(start);
  NewtonMinimum found = NewtonIteration(problem, options, expansion_of(problem)).until_it_crawls(start);
  if (found.converged || found.interrupted || found.iterations >= options.max_iter) return found;
  const Minimum inside = near_squared_hinge_minimum(problem, going_on(options, found.iterations));
  const Index taken = found.iterations + inside.iterations;
  if (inside.interrupted || taken >= options.max_iter) {
    found.interrupted = inside.interrupted;
    found.iterations = taken;
    return found;
  }
  const bool lower = inside.value < found.value;
  NewtonMinimum finished = NewtonIteration(problem, going_on(options, taken), expansion_of(problem))
                               .run(lower ? inside.point : found.point);
  finished.iterations += taken;
  finished.rank = found.rank;
  return finished;
}

// Newton's method on many rows. A sample gives the start; one Hessian of all rows there serves several
// steps, corrected by what their gradients show (L-BFGS on top of it), since a pass for the gradient alone
// costs a third. On 400,000 x 50 that is two passes with a Hessian and four without instead of eight with.
class ManyRows {
 public:
  ManyRows(const Problem& problem, const SolverOptions& options)
      : problem_(&problem), function_(problem), options_(options) {
    if (problem.softmax()) q_ = sum_zero_basis(problem.scores);
  }

  // False when the steps do not converge as they should; the caller then has the plain method.
  bool run(const VectorXd& from, NewtonMinimum& result) {
    VectorXd point = from;
    Start start = start_at(function_, VectorXd::Zero(problem_->size()));
    // Beyond the tolerance, because a further step costs little and squares the error.
    SolverOptions how{0.01 * options_.tol, 8, options_.monitor};
    for (int round = 0; round < 5; ++round) {
      const Expansion at = expand(*problem_, q_, to_newton(*problem_, q_, point), options_.monitor);
      const SemidefiniteFactor factor(at.hessian);
      if (round == 0) result.rank = factor.rank() / problem_->free_scores() - 1;
      result.singular = !factor.regular();
      start.point = point;
      start.at = {at.value, from_newton(*problem_, q_, at.gradient), at.slopes};
      const auto inverse = [&](const VectorXd& r) {
        return from_newton(*problem_, q_, factor.solve(to_newton(*problem_, q_, r).reshaped()).x);
      };
      const double before = start.at.gradient.norm() / start.scale.at(at.slopes);
      static_cast<Minimum&>(result) = add(lbfgs(function_, start, inverse, how), result.iterations + 1);
      note_curvature(*problem_, at, result);
      const double gradient = result.certificate * start.scale.at(at.slopes);
      result.held =
          result.converged && !result.singular && holds(*problem_, at, gradient, result.value, options_.tol);
      if (result.interrupted || result.certificate <= options_.tol) return true;
      if (!(result.certificate < 0.1 * before)) return false;
      point = result.point;
    }
    return false;
  }

 private:
  Minimum add(Minimum minimum, Index iterations) const {
    minimum.iterations += iterations;
    minimum.converged = minimum.certificate <= options_.tol;
    return minimum;
  }

  const Problem* problem_;
  LinearFunction function_;
  SolverOptions options_;
  MatrixXd q_;
};

// Enough rows that a sixteenth of them determines the weights to a few per cent.
bool many_rows(const Problem& problem) {
  const Index coordinates = problem.width() * problem.free_scores();
  return problem.source->rows() >= 320 * coordinates && SampledSource::full_blocks(*problem.source) >= 32;
}

}  // namespace

NewtonMinimum newton(const Problem& problem, const SolverOptions& options) {
  // A trace shows the method itself, not the ways to save passes.
  if (many_rows(problem) && !options.trace) {
    const SampledSource sample(*problem.source, 1.0 / 16);
    const Problem part = sampled_problem(problem, sample);
    const NewtonMinimum start = newton(part, {1e-3, 20, options.monitor});
    NewtonMinimum result;
    if (start.converged && ManyRows(problem, options).run(start.point, result)) return result;
  }
  return plain_newton(problem, {}, options);
}

NewtonMinimum newton_from(const Problem& problem, const VectorXd& start, const SolverOptions& options) {
  return plain_newton(problem, start, options);
}

NewtonMinimum newton(const Problem& problem, const SolverOptions& options, const ExpansionAt& expansion) {
  return NewtonIteration(problem, options, expansion).run();
}

}  // namespace discern
