#include "discern/model/linear/linear_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/one_thread.hpp"
#include "discern/base/uninterrupted.hpp"
#include "discern/model/inference/likelihood_inference.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/linear/linear_problem.hpp"
#include "discern/model/linear/separation_warning.hpp"
#include "discern/model/linear/solver_choice.hpp"
#include "discern/optim/confirm/separation.hpp"
#include "discern/optim/relay/minimise.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

std::string epochs_too_few(const Minimum& minimum) {
  return fmt::format(
      "not converged: a certificate of {:.2g} after {} epochs; raise `epochs`, or take another `solver` for "
      "more",
      minimum.certificate, minimum.iterations);
}

// Why the weights found come without standard errors; empty: they have some.
std::string no_inference(const Problem& problem, const Minimum& solved, const LinearOptions& options,
                         bool separated) {
  if (options.l1 > 0 || options.l2 > 0)
    return fmt::format(
        "the weights are penalised ({} = {}), so they are biased towards zero by an amount that "
        "no standard error accounts for; without a penalty there are some",
        options.l1 > 0 ? "l1" : "l2", options.l1 > 0 ? options.l1 : options.l2);
  if (std::holds_alternative<SquaredLoss>(problem.loss))
    return "least squares has them from its closed form, for `task` regression";
  if (options.normalize_criterion || options.normalize_weights || !unpenalised_likelihood(problem))
    return "what was minimised is no likelihood";
  if (separated) return "the classes are separated, so there is no finite estimate";
  if (!solved.converged) return "the fit has not converged";
  if (problem.width() * problem.free_scores() > most_inferred)
    return fmt::format("there are {} weights, and the limit is {}", problem.width() * problem.free_scores(),
                       most_inferred);
  return "";
}

void warn_once(Summary& summary, const std::string& warning) {
  if (std::find(summary.warnings.begin(), summary.warnings.end(), warning) == summary.warnings.end())
    summary.warnings.push_back(warning);
}

// Adds one part's result to the report of the whole.
void add_result(const Minimum& solved, Index features, Summary& summary) {
  summary.objective = summary.objective.value_or(0) + solved.value;
  summary.iterations += solved.iterations;
  if (summary.certificate.kind.empty() || solved.certificate >= summary.certificate.value)
    summary.certificate = {std::string(solved.certificate_kind), solved.certificate};
  summary.interrupted = summary.interrupted || solved.interrupted;
  summary.converged = summary.converged && solved.converged && !summary.interrupted;
  summary.rank = solved.rank;
  for (const StageReport& stage : solved.stages)
    summary.stages.push_back({std::string(stage.solver),
                              stage.iterations,
                              {std::string(stage.certificate_kind), stage.certificate}});
  if (solved.rank && *solved.rank < features)
    warn_once(summary,
              rank_warning(*solved.rank, features,
                           solved.least_norm ? "those of least norm are given"
                                             : "and those given are some of those that fit equally well"));
}

// Why a part has not converged, if it has not.
void warn_of_shortfall(const Problem& problem, const Minimum& solved, const LinearOptions& options,
                       const Training& training, Summary& summary) {
  if (solved.separation)
    warn_once(summary, separation_warning(problem, training, *solved.separation));
  else if (!solved.converged && !summary.interrupted)
    warn_once(summary,
              summary.solver == "sgd" ? epochs_too_few(solved) : stopped_short(solved, options.max_iter));
}

// What a likelihood can tell of its weights: how far a small sample overestimates them, and how sure they are.
void add_inference(const Problem& problem, const Minimum& solved, const LinearOptions& options,
                   const Training& training, Fitted& fitted) {
  const bool wanted = training.inference.intervals != Intervals::none;
  const bool separated = solved.separation.has_value();
  std::optional<Likelihood> likelihood;
  const auto look = [&] {
    if (!unpenalised_likelihood(problem) || fitted.summary.interrupted || separated || !solved.converged)
      return;
    likelihood = likelihood_at(problem, solved.point, solved.expansion.get(), training.monitor);
    if (!likelihood) return;
    const std::string bias = small_sample_warning(*likelihood, training);
    if (!bias.empty()) warn_once(fitted.summary, bias);
  };
  const auto infer_if_wanted = [&] {
    if (!wanted) return;
    fitted.inference = Inference{.absent = no_inference(problem, solved, options, separated)};
    if (fitted.inference->absent.empty() && likelihood) fitted.inference = infer(*likelihood, training);
  };
  if (uninterrupted(look) && uninterrupted(infer_if_wanted)) return;
  fitted.summary.interrupted = true;
  fitted.summary.converged = false;
  if (wanted) fitted.inference = Inference{.absent = "the fit was interrupted"};
}

Method method_of(Solver solver, const LinearOptions& options, std::uint64_t seed) {
  return {.solver = solver,
          .gd = {options.learning_rate, options.normalize_weights, seed},
          .sgd = {options.learning_rate, options.schedule, options.batch_size, options.epochs,
                  options.average, options.order, options.normalize_weights, seed},
          .seed = seed};
}

// Finding dependent features may take a while, and need not end with them.
std::optional<DependentFeatures> dependent_features(const Problem& problem, const Monitor& monitor) {
  std::optional<DependentFeatures> found;
  uninterrupted([&] { found = find_dependent_features(problem, monitor); });
  return found;
}

// The problems of a fit, which are solved in any order and reported in theirs.
class FitParts {
 public:
  FitParts(const LinearProblem& linear, const Method& method, const LinearOptions& options,
           const Training& training)
      : linear_(&linear),
        method_(&method),
        options_(&options),
        training_(&training),
        dependent_(dependent_features(linear.first(), training.monitor)),
        solved_(static_cast<std::size_t>(linear.count())),
        weights_(linear.no_weights()) {}

  // `so_far`: of the parts before it, for a trace.
  void solve(Index k, const Summary& so_far) {
    const Problem problem = linear_->part(k);
    const VectorXd start = start_of(k);
    Minimum& solved = solved_[static_cast<std::size_t>(k)];
    // Classes that nobody has begun with when the fit is to end need not begin.
    if (linear_->count() > 1 && !go_on(training_->monitor, {.stage = "fitting"})) {
      solved.point = start.size() > 0 ? start : VectorXd(VectorXd::Zero(problem.size()));
      solved.certificate = 1;
      solved.interrupted = true;
    } else {
      solved = minimise(problem, *method_, start, solver_options(k, so_far), dependent_);
    }
    linear_->put(solved.point, k, weights_);
    if (linear_->count() == 1 || unpenalised_likelihood(problem)) return;
    // Weights and Hessians of all classes at a time would take too much memory.
    solved.point.resize(0);
    solved.diagonal.resize(0);
    solved.dual.resize(0);
    solved.expansion.reset();
  }

  void report(Index k, Fitted& fitted) const {
    const Problem problem = linear_->part(k);
    const Minimum& solved = solved_[static_cast<std::size_t>(k)];
    add_result(solved, problem.features(), fitted.summary);
    warn_of_shortfall(problem, solved, *options_, *training_, fitted.summary);
    add_inference(problem, solved, *options_, *training_, fitted);
  }

  // Of all parts; classes whose fit was interrupted before they had any lose to all others.
  const LinearProblem::Weights& weights(Summary& summary) {
    if (linear_->count() == 1 || !summary.interrupted) return weights_;
    std::vector<std::int32_t> without;
    for (Index k = 0; k < linear_->count(); ++k)
      if (solved_[static_cast<std::size_t>(k)].interrupted &&
          !has_weights(weights_.weights, weights_.bias, k)) {
        weights_.bias[k] = score_without_weights;
        without.push_back(static_cast<std::int32_t>(k));
      }
    if (without.empty()) return weights_;
    summary.objective.reset();
    summary.warnings.push_back(without_weights(without, *training_));
    return weights_;
  }

 private:
  static bool has_weights(const Matrix& weights, const Vector& bias, Index k) {
    return !weights.row(k).isZero(0) || (bias[k] != 0 && bias[k] != score_without_weights);
  }

  // Empty where a fit that was interrupted has left none.
  VectorXd start_of(Index k) const {
    if (training_->start == nullptr) return {};
    const auto& start = std::get<Linear>(*training_->start);
    if (linear_->count() > 1 && !has_weights(start.weights, start.bias, k)) return {};
    return linear_->point_of(start, k);
  }

  SolverOptions solver_options(Index k, const Summary& so_far) {
    const Trace& trace = training_->trace;
    SolverOptions how{options_->tol, options_->max_iter, training_->monitor, {}, trace.every};
    if (trace.show)
      how.trace = [this, k, &trace, &so_far](const Minimum& found) {
        linear_->put(found.point, k, weights_);
        const Predictor now = linear_->predictor(weights_);
        trace.show({so_far.iterations + found.iterations, so_far.objective.value_or(0) + found.value,
                    found.certificate, found.step, now});
      };
    return how;
  }

  const LinearProblem* linear_;
  const Method* method_;
  const LinearOptions* options_;
  const Training* training_;
  std::optional<DependentFeatures> dependent_;
  std::vector<Minimum> solved_;
  LinearProblem::Weights weights_;
};

}  // namespace

Fitted fit_linear(const Loss& loss, const LinearOptions& options, const Training& training) {
  SolverChoice choice = choose_solver(loss, options, training);
  if (training.start != nullptr) choice = choice_for_start(choice, options.l1 > 0);
  check_flags(choice.solver, options);
  const Method method = method_of(choice.solver, options, training.seed);
  const LinearProblem linear(loss, options, training, method.own_coordinates());
  if (choice.solver == Solver::newton)
    check_matrix_size(linear.first().width() * linear.first().free_scores(), "Newton's method");

  Fitted fitted;
  Summary& summary = fitted.summary;
  summary.solver = value_names(Solver{})[static_cast<std::size_t>(choice.solver)];
  summary.reason = choice.reason;
  summary.tolerance = options.tol;
  summary.converged = true;
  FitParts parts(linear, method, options, training);
  // Where there are many, as of classes one against the rest, each takes one thread; a trace shows one after
  // the other.
  if (linear.count() > 1 && !training.trace.show && enough_for_all_threads(linear.count())) {
    each_on_one_thread(linear.count(), [&](Index k) { parts.solve(k, summary); });
    for (Index k = 0; k < linear.count(); ++k) parts.report(k, fitted);
  } else {
    for (Index k = 0; k < linear.count(); ++k) {
      parts.solve(k, summary);
      parts.report(k, fitted);
    }
  }
  const LinearProblem::Weights& weights = parts.weights(summary);
  fitted.predictor = linear.predictor(weights);
  if (options.l1 > 0)
    summary.facts.push_back({"zero_weights", static_cast<double>((weights.weights.array() == 0).count())});
  return fitted;
}

}  // namespace discern
