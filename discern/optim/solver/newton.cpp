#include "discern/optim/solver/newton.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/optim/confirm/curvature_bound.hpp"
#include "discern/optim/problem/sample.hpp"
#include "discern/optim/solver/lbfgs.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

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
  return curvature_bounds(std::move(h), gradient, value, tolerated_share({}, tol));
}

class NewtonIteration {
 public:
  NewtonIteration(const Problem& problem, const SolverOptions& options, ExpansionAt expansion)
      : problem_(&problem), view_(problem), options_(options), expansion_(std::move(expansion)) {}

  Minimum until_steps_are_short(const VectorXd& start) {
    patience_ = 5;
    return run(start);
  }
  Minimum run(const VectorXd& start) {
    point_ = VectorXd::Zero(view_.size());
    at_ = expansion_(point_, {});
    scale_ = {*problem_, view_.from(at_.gradient), at_.slopes};
    if (!start.isZero(0)) {
      point_ = view_.to(start);
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
    result_.point = view_.from(point_);
    note_curvature(*problem_, at_, result_);
    result_.held = result_.converged && !singular_ &&
                   holds(*problem_, at_, at_.gradient.norm(), at_.value, options_.tol);
    return std::move(result_);
  }

 private:
  void note() {
    result_.value = at_.value;
    result_.certificate = at_.gradient.norm() / scale_.at(at_.slopes);
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
      singular_ = !solution.regular;
      note();
      if (options_.traces(result_.iterations)) {
        result_.point = view_.from(point_);
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
      if (short_steps_ >= patience_) return;
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
  NewtonCoordinates view_;
  SolverOptions options_;
  ExpansionAt expansion_;
  CertificateScale scale_;
  Monitor during_;
  VectorXd point_, step_;
  Expansion at_;
  bool singular_ = false;  // the last Hessian was, up to rounding or nearly so
  Index short_steps_ = 0, patience_ = std::numeric_limits<Index>::max();
  double last_gain_ = std::numeric_limits<double>::infinity(),
         last_value_ = std::numeric_limits<double>::infinity();
  Index gained_at_ = 0;
  Minimum result_;
};

// Steps from a point that share a Hessian of all rows.
class SharedHessianSteps {
 public:
  SharedHessianSteps(const Problem& problem, const SolverOptions& options)
      : problem_(&problem), view_(problem), function_(problem), options_(options) {}

  // Ends without having converged where the steps do not converge as they should.
  Minimum run(const VectorXd& from) {
    VectorXd point = from;
    Start start = start_at(function_, VectorXd::Zero(problem_->size()));
    // Beyond the tolerance, because a further step costs little and squares the error.
    SolverOptions how{0.01 * options_.tol, 8, options_.monitor};
    Minimum result;
    std::optional<Index> rank;
    for (int round = 0; round < 5; ++round) {
      const Expansion at = expand(view_, view_.to(point), options_.monitor);
      const SemidefiniteFactor factor(at.hessian);
      if (round == 0) rank = factor.rank() / problem_->free_scores() - 1;
      start.point = point;
      start.at = {at.value, view_.from(at.gradient), at.slopes};
      const auto inverse = [&](const VectorXd& r) { return view_.from(factor.solve(view_.to(r)).x); };
      const double before = start.at.gradient.norm() / start.scale.at(at.slopes);
      result = add(lbfgs(function_, start, inverse, how), result.iterations + 1);
      result.rank = rank;
      note_curvature(*problem_, at, result);
      const double gradient = result.certificate * start.scale.at(at.slopes);
      result.held =
          result.converged && factor.regular() && holds(*problem_, at, gradient, result.value, options_.tol);
      if (result.interrupted || result.converged || !(result.certificate < 0.1 * before)) break;
      point = result.point;
    }
    return result;
  }

 private:
  Minimum add(Minimum minimum, Index iterations) const {
    minimum.iterations += iterations;
    minimum.converged = minimum.certificate <= options_.tol;
    return minimum;
  }

  const Problem* problem_;
  NewtonCoordinates view_;
  LinearFunction function_;
  SolverOptions options_;
};

}  // namespace

Minimum newton(const Problem& problem, const VectorXd& start, const SolverOptions& options) {
  return NewtonIteration(problem, options, expansion_of(problem)).run(start);
}

Minimum newton_until_steps_are_short(const Problem& problem, const VectorXd& start,
                                     const SolverOptions& options) {
  return NewtonIteration(problem, options, expansion_of(problem)).until_steps_are_short(start);
}

Minimum newton(const Problem& problem, const SolverOptions& options, const ExpansionAt& expansion) {
  return NewtonIteration(problem, options, expansion).run(VectorXd::Zero(problem.size()));
}

// Enough rows that a sixteenth of them determines the weights to a few per cent.
bool has_many_rows(const Problem& problem) {
  const Index coordinates = problem.width() * problem.free_scores();
  return problem.source->rows() >= 320 * coordinates && SampledSource::full_blocks(*problem.source) >= 32;
}

Minimum newton_with_shared_hessian(const Problem& problem, const SolverOptions& options) {
  const SampledSource sample(*problem.source, 1.0 / 16);
  const Problem part = sampled_problem(problem, sample);
  const SolverOptions rough{1e-3, 20, options.monitor};
  Minimum start;
  start.point = VectorXd::Zero(problem.size());
  if (has_many_rows(part)) start = newton_with_shared_hessian(part, rough);
  if (!start.converged) start = newton(part, start.point, rough);
  // A sample that has no minimum of its own gives no start.
  if (!start.converged) return {.point = VectorXd::Zero(problem.size()), .value = infinity};
  return SharedHessianSteps(problem, options).run(start.point);
}

}  // namespace discern
