#include "discern/model/linear/linear_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/inference/likelihood_inference.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/linear/linear_solve.hpp"
#include "discern/model/linear/normalized_source.hpp"
#include "discern/model/linear/solver_choice.hpp"
#include "discern/model/separable/separation.hpp"
#include "discern/optim/problem/shifted_source.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The user's coordinates, in which a penalty acts: standardised features where asked, others as they are.
Scaling in_units_of_the_penalty(Scaling scaling, const Training& training) {
  for (Index j = 0; j < scaling.scale.size(); ++j) {
    if (training.standardizes(j)) {
      scaling.scale[j] *= std::sqrt(scaling.penalty[j]);
      scaling.penalty[j] = 1;
      continue;
    }
    scaling.scale[j] = scaling.penalty[j] = 1;
    if (scaling.center.size() > 0) scaling.center[j] = 0;
  }
  return scaling;
}

std::string epochs_too_few(const Minimum& minimum) {
  return fmt::format(
      "not converged: a certificate of {:.2g} after {} epochs; raise `epochs`, or take another `solver` for "
      "more",
      minimum.certificate, minimum.iterations);
}

// Why the weights found come without standard errors; empty: they have some.
std::string no_inference(const Problem& problem, const Minimum& solved, const LinearOptions& options,
                         const std::string& separated) {
  if (options.l1 > 0 || options.l2 > 0)
    return fmt::format(
        "the weights are penalised ({} = {}), so they are biased towards zero by an amount that "
        "no standard error accounts for; without a penalty there are some",
        options.l1 > 0 ? "l1" : "l2", options.l1 > 0 ? options.l1 : options.l2);
  if (std::holds_alternative<SquaredLoss>(problem.loss))
    return "least squares has them from its closed form, for `task` regression";
  if (options.normalize_criterion || options.normalize_weights || !unpenalised_likelihood(problem))
    return "what was minimised is no likelihood";
  if (!separated.empty()) return "the classes are separated, so there is no finite estimate";
  if (!solved.converged) return "the fit has not converged";
  if (problem.width() * problem.free_scores() > most_inferred)
    return fmt::format("there are {} weights, and the limit is {}", problem.width() * problem.free_scores(),
                       most_inferred);
  return "";
}

// Takes one sub-problem's result into the report of the whole.
void report(const Problem& problem, const Solved& solved, const LinearOptions& options,
            const Training& training, Fitted& fitted) {
  Summary& summary = fitted.summary;
  summary.objective = summary.objective.value_or(0) + solved.value;
  summary.iterations += solved.iterations;
  if (summary.certificate.kind.empty() || solved.certificate >= summary.certificate.value)
    summary.certificate = {std::string(solved.certificate_kind), solved.certificate};
  summary.interrupted = summary.interrupted || solved.interrupted;
  summary.rank = solved.rank;
  const auto warn = [&](const std::string& warning) {
    if (std::find(summary.warnings.begin(), summary.warnings.end(), warning) == summary.warnings.end())
      summary.warnings.push_back(warning);
  };
  if (solved.rank && *solved.rank < problem.features())
    warn(rank_warning(*solved.rank, problem.features(),
                      solved.least_norm ? "those of least norm are given"
                                        : "and those given are some of those that fit equally well"));
  std::string separated, bias;
  std::optional<Likelihood> likelihood;
  const auto look = [&] {
    likelihood = likelihood_at(problem, solved.point, training.monitor);
    if (const auto separation = separation_at(problem, solved.point, likelihood, training.monitor))
      separated = separation_warning(problem, training, *separation);
    if (likelihood && solved.converged && separated.empty())
      bias = small_sample_warning(*likelihood, training);
  };
  if (unpenalised_likelihood(problem) && !summary.interrupted && !uninterrupted(look)) {
    summary.interrupted = true;
    likelihood.reset();
  }
  summary.converged = summary.converged && solved.converged && separated.empty() && !summary.interrupted;
  if (!separated.empty())
    warn(separated);
  else if (!solved.converged && !summary.interrupted)
    warn(summary.solver == "sgd" ? epochs_too_few(solved) : stopped_short(solved, options.max_iter));
  if (!bias.empty()) warn(bias);
  if (training.inference.intervals == Intervals::none) return;
  fitted.inference = Inference{.absent = no_inference(problem, solved, options, separated)};
  if (!fitted.inference->absent.empty()) return;
  const auto tell = [&] { fitted.inference = infer(*likelihood, training); };
  if (likelihood && uninterrupted(tell)) return;
  fitted.inference = Inference{.absent = "the fit was interrupted"};
  summary.interrupted = true;
}

}  // namespace

Fitted fit_linear(const Loss& loss, const LinearOptions& options, const Training& training) {
  if (options.no_bias && options.penalize_bias)
    throw Error(Code::usage, "`no_bias` and `penalize_bias` exclude each other");
  SolverChoice choice = choose_solver(loss, options, training);
  if (training.start != nullptr) choice = able_to_start(choice, options.l1 > 0);
  check_flags(choice.solver, options);
  Problem problem;
  problem.source = &training.source;
  problem.loss = loss;
  problem.bias = !options.no_bias;
  const bool in_own = own_coordinates(choice.solver, options);
  const bool center = !options.no_bias && !options.penalize_bias;
  const Scaling best =
      in_own && !training.standardize ? unit_scaling(training, center) : fit_scaling(training, center);
  const Scaling own = in_units_of_the_penalty(best, training);
  problem.scaling = in_own ? own : best;
  if (!in_own) center_among_rows(problem.scaling, training.source);
  std::optional<NormalizedSource> normalized;
  if (options.normalize_criterion) {
    problem.source = &normalized.emplace(training.source, own, training.monitor);
    problem.scaling.weight = normalized->weight();
  }
  std::optional<ShiftedSource> shifted;
  shift_sparse_rows(problem, shifted);
  if (problem.softmax()) problem.scores = training.classes;
  set_penalty(problem, {options.l1, options.l2, options.penalize_bias});
  if (choice.solver == Solver::newton)
    check_matrix_size(problem.width() * problem.free_scores(), "Newton's method");

  Fitted fitted;
  Summary& summary = fitted.summary;
  summary.solver = value_names(Solver{})[static_cast<std::size_t>(choice.solver)];
  summary.reason = choice.reason;
  summary.tolerance = options.tol;
  summary.converged = true;
  const bool one_by_one = !problem.softmax() && training.task == Task::classification && training.classes > 2;
  if (one_by_one && std::holds_alternative<SquaredLoss>(loss)) problem.negative = 0;  // 1-of-K
  const Index problems = one_by_one ? training.classes : 1;
  const Index scores = one_by_one ? training.classes : problem.scores;
  Matrix weights = Matrix::Zero(scores, problem.features());
  Vector bias = Vector::Zero(scores);
  const auto take = [&](const Eigen::VectorXd& found, Index k) {
    const Eigen::Map<const RowMajor> point(found.data(), problem.width(), problem.scores);
    weights.middleRows(k * problem.scores, problem.scores) = point.bottomRows(problem.features()).transpose();
    bias.segment(k * problem.scores, problem.scores) = point.row(0).transpose();
  };
  Matrix start;
  if (training.start != nullptr) start = rescale(problem.scaling, std::get<Linear>(*training.start));
  const auto start_of = [&](Index k) -> VectorXd {
    if (start.size() == 0) return {};
    const RowMajor part = start.middleCols(k * problem.scores, problem.scores);
    return part.reshaped<Eigen::RowMajor>();
  };
  const auto predictor = [&] {
    Linear linear = unscale(problem.scaling, weights, bias, link_of(loss));
    // A shift common to all classes changes nothing: the one that makes the biases sum to zero is given.
    if (problem.softmax() && problem.bias && !options.penalize_bias)
      linear.bias.array() -= linear.bias_at_origin().mean();
    return linear;
  };
  const auto dependent = find_dependent_features(problem, training.monitor);
  for (Index k = 0; k < problems; ++k) {
    if (one_by_one) problem.positive = static_cast<std::int32_t>(k);
    SolverOptions how{options.tol, options.max_iter, training.monitor, {}, training.trace.every};
    if (training.trace.show)
      how.trace = [&](const Minimum& so_far) {
        take(so_far.point, k);
        const Predictor now = predictor();
        training.trace.show({summary.iterations + so_far.iterations,
                             summary.objective.value_or(0) + so_far.value, so_far.certificate, so_far.step,
                             now});
      };
    const Solved solved = solve(problem, choice.solver, options, training, start_of(k), how, dependent);
    take(solved.point, k);
    report(problem, solved, options, training, fitted);
  }
  fitted.predictor = predictor();
  if (options.l1 > 0)
    summary.facts.push_back({"zero_weights", static_cast<double>((weights.array() == 0).count())});
  return fitted;
}

}  // namespace discern
