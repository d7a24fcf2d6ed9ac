#include "discern/optim/relay/minimise.hpp"

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/optim/confirm/confirm.hpp"
#include "discern/optim/confirm/curvature_bound.hpp"
#include "discern/optim/confirm/improved_point.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/optim/view/rescaled.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

Minimum run_stages(const Problem& problem, const Method& method, const VectorXd& start,
                   const SolverOptions& options) {
  const bool started = start.size() > 0, traced = static_cast<bool>(options.trace);
  // A trace shows the features as they are numbered.
  if (started || traced || !gains_from_renumbering(problem, method.solver))
    return relay(problem, stages_for(problem, method, started, traced), start, options);
  const RenumberedProblem view(problem);
  return from_view(view,
                   relay(view.problem(), stages_for(view.problem(), method, false, false), {}, options));
}

// What moves the scores of all classes alike changes no loss, and so hardly the gradient, but the penalty:
// the weights of a feature sum to zero. (Steps of one coordinate at a time leave them as they come.)
void make_scores_sum_to_zero(const Problem& problem, double tol, Minimum& found) {
  RowMajor point = Eigen::Map<const RowMajor>(found.point.data(), problem.width(), problem.scores);
  const VectorXd mean = point.rowwise().mean();
  if (mean.norm() <= 1e-14 * point.norm()) return;
  point.colwise() -= mean;
  found.point = point.reshaped<Eigen::RowMajor>();
  certify(problem, found);
  found.converged = found.converged && found.certificate <= tol;
}

// Takes a lower point of a view over, which is not known to be a minimum.
void move_to(const Problem& problem, const VectorXd& point, Minimum& found) {
  found.point = point;
  found.diagonal.resize(0);
  found.converged = found.held = false;
  certify(problem, found);
}

// Whether a minimum exists, of a result that is not confirmed any further.
void decide_existence(const Problem& problem, const SolverOptions& options, Minimum& found) {
  if (found.interrupted) return;
  try {
    Candidate candidate(problem, found, options.monitor);
    Verdict verdict = confirm_existence(candidate);
    found.separation = std::move(verdict.separation);
    if (found.separation) found.converged = false;
    found.expansion = std::move(verdict.expansion);
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    found.interrupted = true;
  }
}

// A fit that is confirmed, and goes on where it is not at its minimum.
class Confirmation {
 public:
  Confirmation(const Problem& problem, const Method& method, const SolverOptions& options, Minimum found)
      : problem_(&problem), method_(method), options_(options), found_(std::move(found)) {
    method_.solver = able_to_start(method.solver, problem.has_l1());
    own_ = method.own_coordinates();
  }

  Minimum run() {
    try {
      // The curvature of squared loss is the same everywhere, and a duality gap does not depend on units.
      const bool units_matter =
          !std::holds_alternative<SquaredLoss>(problem_->loss) && found_.certificate_kind == gradient_norm;
      if (units_matter) in_fitting_units();
      if (!found_.interrupted) until_confirmed();
    } catch (const Error& error) {
      if (error.code() != Code::interrupted) throw;
      found_.interrupted = true;
      found_.converged = false;
    }
    return std::move(found_);
  }

 private:
  bool may_move() const { return !own_ && found_.iterations < options_.max_iter; }

  // Goes on in units that fit what was found, for as long as those change.
  void in_fitting_units() {
    constexpr int most_rounds = 5;
    VectorXd units = VectorXd::Ones(problem_->features());
    for (int round = 0; round < most_rounds && !found_.interrupted; ++round) {
      Candidate candidate(*problem_, found_, options_.monitor);
      const VectorXd fitting = fitting_units(candidate);
      if (!differ(fitting, units)) return;
      units = fitting;
      if (!go_on_in(RescaledProblem(*problem_, units))) return;
    }
  }
  // Whether units differ from those so far by more than a digit: downwards, since wide ones prove nothing, or,
  // where they may have been too much to ask for, upwards.
  bool differ(const VectorXd& units, const VectorXd& so_far) const {
    const auto ratio = units.array() / so_far.array();
    return (ratio < 0.1).any() || (!found_.converged && (ratio > 10).any());
  }
  // False where there is nothing to gain.
  bool go_on_in(const RescaledProblem& view) {
    Minimum here = found_;
    here.point = view.to(found_.point);
    here.diagonal.resize(0);
    here.held = false;
    found_.held = false;
    Candidate candidate(view.problem(), here, options_.monitor);
    const auto lower = improved_point(candidate, tolerated_share(found_, options_.tol));
    if (!lower && found_.converged) return false;
    if (lower) {
      move_to(view.problem(), own_ ? here.point : *lower, here);
      found_ = from_view(view, here);
    }
    if (!may_move()) return false;
    const Minimum again =
        relay(stages_for(view.problem(), method_, true, false), here, for_view(view, options_));
    const bool gained = again.converged || again.value < found_.value;
    if (gained || again.interrupted) found_ = from_view(view, again);
    return gained || lower;
  }

  void until_confirmed() {
    constexpr int most_rounds = 3;
    for (int round = 0; round < most_rounds; ++round) {
      Candidate candidate(*problem_, found_, options_.monitor);
      Verdict verdict = confirm(candidate, options_.tol);
      found_.expansion = verdict.expansion;
      if (verdict.kind == Verdict::Kind::lower) {
        found_.converged = false;
        if (!may_move() || !go_on_from(verdict.lower)) return;
        continue;
      }
      if (verdict.kind == Verdict::Kind::held) found_.converged = found_.certificate <= options_.tol;
      if (verdict.kind == Verdict::Kind::unbounded) found_.converged = false;
      found_.separation = std::move(verdict.separation);
      return;
    }
    found_.converged = false;
  }
  // Steps of Newton's method with all digits. They know nothing of weights that l1 would bring to zero on the
  // way, or away from it, so with l1 the solver goes on from there. False where nothing is left to confirm.
  bool go_on_from(const VectorXd& lower) {
    move_to(*problem_, lower, found_);
    ++found_.iterations;
    tell(options_, found_);
    const Stage accurate{"accurate newton", [this](const Minimum& so_far, const SolverOptions& options) {
                           return accurate_newton(*problem_, so_far, options);
                         }};
    found_ = relay({accurate}, std::move(found_), options_);
    if (found_.interrupted || !problem_->has_l1() || !may_move()) {
      decide_existence(*problem_, options_, found_);
      return false;
    }
    Minimum so_far = found_;
    so_far.converged = false;
    found_ = relay(stages_for(*problem_, method_, true, false), std::move(so_far), options_);
    return !found_.interrupted;
  }

  const Problem* problem_;
  Method method_;
  SolverOptions options_;
  Minimum found_;
  bool own_ = false;
};

Minimum minimise_independent(const Problem& problem, const Method& method, const VectorXd& start,
                             const SolverOptions& options) {
  Minimum found = run_stages(problem, method, start, options);
  const bool own = method.own_coordinates();
  if (!is_convex(problem.loss) || !is_smooth(problem.loss)) return found;
  if (found.interrupted || (own && !found.converged)) {
    decide_existence(problem, options, found);
    return found;
  }
  if (problem.softmax() && !problem.has_l1() && !own) make_scores_sum_to_zero(problem, options.tol, found);
  return Confirmation(problem, method, options, std::move(found)).run();
}

// What was found without the dependent features, with weights of least norm where that keeps its digits.
Minimum with_least_norm(const Problem& problem, const IndependentProblem& view, double tol, Minimum found) {
  found = from_view(view, std::move(found));
  Minimum least = found;
  least.point = view.of_least_norm(found.point);
  certify(problem, least);
  certify(problem, found);
  least.least_norm = true;
  if (least.certificate <= std::max(tol, found.certificate)) found = std::move(least);
  found.converged = found.converged && found.certificate <= tol;
  return found;
}

}  // namespace

Minimum minimise(const Problem& problem, const Method& method, const VectorXd& start,
                 const SolverOptions& options, const std::optional<DependentFeatures>& dependent) {
  if (!dependent) return minimise_independent(problem, method, start, options);
  Minimum found;
  if (dependent->features.empty() || method.own_coordinates()) {
    found = minimise_independent(problem, method, start, options);
  } else {
    const IndependentProblem view(problem, *dependent);
    found = with_least_norm(
        problem, view, options.tol,
        minimise_independent(view.problem(), method, start.size() > 0 ? view.to(start) : start, options));
  }
  found.rank = problem.features() - static_cast<Index>(dependent->features.size());
  return found;
}

}  // namespace discern
