#include "discern/model/linear/linear_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "discern/base/error.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/linear/linear_problem.hpp"
#include "discern/model/linear/solver_choice.hpp"
#include "discern/optim/l1/path.hpp"

namespace discern {
namespace {

// One problem, or one for each class against the rest.
using Solvers = std::vector<std::unique_ptr<PathSolver>>;

void check_linear(const LinearOptions& options) {
  const auto refuse = [](bool set, std::string_view flag, std::string_view why) {
    if (set) throw Error(Code::usage, fmt::format("{} does not go with a path: {}", flag, why));
  };
  refuse(options.solver != Solver::automatic, "`solver`", "it has a solver of its own");
  refuse(options.penalize_bias, "`penalize_bias`", "it begins where only the bias is left");
  refuse(options.normalize_criterion, "`normalize_criterion`", "it is for single fits");
  check_flags(Solver::cd, options, "a path has its own solver");
}

double smallest_ratio(const PathOptions& path, const Source& source) {
  if (path.ratio > 0) return path.ratio;
  if (path.penalty == PathPenalty::l2) return 1e-6;
  return source.rows() < source.cols() ? 1e-2 : 1e-4;
}

// `unit`: the target's standard deviation, or 1.
PenaltyStrength strength_at(const PathOptions& path, double size, double unit) {
  if (path.penalty == PathPenalty::l1) return {size, path.fixed};
  if (path.penalty == PathPenalty::l2) return {path.fixed, size};
  return {path.l1_ratio * size, (1 - path.l1_ratio) * size / unit};
}

// The losses at the bias alone are half the squares around the mean, or around zero.
double unit_of(const Training& training, const PathSolver& solver, double weight) {
  return training.task == Task::regression ? std::sqrt(2 * solver.bias_only_loss() / weight) : 1;
}

std::vector<PenaltyStrength> strengths_of(const PathOptions& path, const Solvers& solvers,
                                          const Training& training, double weight) {
  if (!path.given.empty()) return path.given;
  double largest = 0;
  for (const auto& solver : solvers)
    largest =
        std::max(largest, path.penalty == PathPenalty::l2 ? solver->largest_l2() : solver->largest_l1());
  if (!(largest > 0))
    throw Error(Code::data,
                "there is nothing to regularise: no feature has anything to say about the target beyond the "
                "bias, so all weights are zero under any penalty");
  if (path.penalty == PathPenalty::elastic_net) largest /= path.l1_ratio;
  const double unit = unit_of(training, *solvers[0], weight);
  const double step = std::log(smallest_ratio(path, training.source)) /
                      static_cast<double>(std::max<Index>(path.points - 1, 1));
  std::vector<PenaltyStrength> strengths;
  for (Index k = 0; k < path.points; ++k)
    strengths.push_back(strength_at(path, largest * std::exp(step * static_cast<double>(k)), unit));
  return strengths;
}

// Without l1 no weight is zero, and those of all points are kept.
void check_memory(const LinearPath& path, const std::vector<PenaltyStrength>& strengths) {
  double bytes = 0;
  for (const PenaltyStrength& strength : strengths)
    if (strength.l1 == 0) bytes += 16.0 * static_cast<double>(path.scores * path.features);
  if (bytes > 4e9)
    throw Error(Code::memory, fmt::format("the weights of {} points take {:.1f} GB, and the limit is 4 GB; "
                                          "take fewer `points`, or a path of l1",
                                          strengths.size(), bytes / 1e9));
}

// What one problem's minimum adds to a point. The weights stay in scaled coordinates.
void add(const PathSolver& solver, const Minimum& found, Index first_score, const Problem& problem,
         PathPoint& point) {
  point.objective += found.value;
  point.iterations += found.iterations;
  point.converged = point.converged && found.converged;
  if (point.certificate.kind.empty() || found.certificate > point.certificate.value)
    point.certificate = {std::string(found.certificate_kind), found.certificate};
  if (const auto freedom = solver.freedom(); freedom && point.freedom)
    *point.freedom += *freedom;
  else
    point.freedom.reset();
  for (Index s = 0; s < problem.scores; ++s) {
    point.bias[first_score + s] = found.point[s];
    for (Index j = 0; j < problem.features(); ++j)
      if (const double u = found.point[(j + 1) * problem.scores + s]; u != 0)
        point.weights.emplace_back((first_score + s) * problem.features() + j, u / problem.scaling.scale[j]);
  }
}

// The minima of all problems under one strength; nothing when they were interrupted.
std::optional<PathPoint> point_at(const PenaltyStrength& strength, const Solvers& solvers,
                                  const Problem& problem, const LinearPath& path) {
  PathPoint point;
  point.l1 = strength.l1;
  point.l2 = strength.l2;
  point.freedom = 0;
  point.converged = true;
  point.bias = Vector::Zero(path.scores);
  double left = 0, bias_only = 0;
  for (std::size_t k = 0; k < solvers.size(); ++k) {
    const Minimum found = solvers[k]->next(strength);
    if (found.interrupted) return std::nullopt;
    add(*solvers[k], found, static_cast<Index>(k), problem, point);
    left += solvers[k]->loss();
    bias_only += solvers[k]->bias_only_loss();
  }
  point.nonzero = static_cast<Index>(point.weights.size());
  point.explained = bias_only > left ? 1 - left / bias_only : 0;
  return point;
}

LinearPath fit_linear_path(const Loss& loss, const LinearOptions& options, const Training& training,
                           const PathOptions& path) {
  const LinearProblem linear(loss, options, training, false);
  const Problem& problem = linear.first();
  LinearPath result{.scores = linear.scores(),
                    .features = problem.features(),
                    .center = problem.scaling.at_zero(),
                    .scale = problem.scaling.scale,
                    .link = link_of(loss),
                    .biased = problem.bias,
                    .tolerance = options.tol};
  const Index total = path.given.empty() ? path.points : static_cast<Index>(path.given.size());
  const Monitor monitor = [&](const Progress&) {
    const auto done = static_cast<Index>(result.points.size());
    return go_on(training.monitor, {.stage = "following the path", .done = done, .total = total});
  };
  Solvers solvers;
  for (Index k = 0; k < linear.count(); ++k)
    solvers.push_back(
        std::make_unique<PathSolver>(linear.part(k), SolverOptions{options.tol, options.max_iter, monitor}));
  const std::vector<PenaltyStrength> strengths =
      strengths_of(path, solvers, training, problem.scaling.weight);
  check_memory(result, strengths);
  for (const PenaltyStrength& strength : strengths) {
    std::optional<PathPoint> point = point_at(strength, solvers, problem, result);
    result.interrupted = !point;
    if (!point) break;
    result.points.push_back(std::move(*point));
  }
  return result;
}

}  // namespace

Linear LinearPath::predictor(std::size_t point) const {
  const PathPoint& from = points[point];
  Linear linear{Matrix::Zero(scores, features), from.bias, center, link};
  for (const auto& [place, weight] : from.weights)
    linear.weights(place / features, place % features) = weight;
  // A shift common to all classes changes nothing: the one that makes the biases sum to zero is given.
  if (link == Link::softmax && biased) linear.bias.array() -= linear.bias_at_origin().mean();
  return linear;
}

std::vector<PathEntry> entries_of(const LinearPath& path) {
  std::vector<PathEntry> entries;
  std::vector<bool> seen(static_cast<std::size_t>(path.features));
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    std::vector<Index> entering;
    for (const auto& [place, weight] : path.points[k].weights) {
      const Index j = place % path.features;
      if (seen[static_cast<std::size_t>(j)]) continue;
      seen[static_cast<std::size_t>(j)] = true;
      entering.push_back(j);
    }
    std::sort(entering.begin(), entering.end());
    for (const Index j : entering) entries.push_back({j, k});
  }
  return entries;
}

void check_path(const LeastSquares& options) {
  check_linear(linear_options(options));
  if (options.shrinkage > 0 || options.activation != Activation::none || options.targets != "pm1")
    throw Error(Code::usage, "`shrinkage`, `activation` and `targets` do not go with a path");
}

void check_path(const Logistic& options) {
  check_linear(linear_options(options));
  if (options.firth) throw Error(Code::usage, "`firth` does not go with a path: it is a penalty of its own");
}

void check_path(const Svm& options) {
  check_linear(linear_options(options));
  if (options.loss == SvmLoss::hinge)
    throw Error(Code::usage,
                "a path needs a loss without a kink, and the hinge has one; take `loss` squared-hinge");
}

LinearPath fit_path(const LeastSquares& options, const Training& training, const PathOptions& path) {
  check_path(options);
  return fit_linear_path(SquaredLoss{}, linear_options(options), training, path);
}

LinearPath fit_path(const Logistic& options, const Training& training, const PathOptions& path) {
  check_path(options);
  return training.classes > 2 ? fit_linear_path(SoftmaxLoss{}, linear_options(options), training, path)
                              : fit_linear_path(LogisticLoss{}, linear_options(options), training, path);
}

LinearPath fit_path(const Svm& options, const Training& training, const PathOptions& path) {
  check_path(options);
  return fit_linear_path(SquaredHingeLoss{}, linear_options(options), training, path);
}

}  // namespace discern
