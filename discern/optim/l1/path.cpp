#include "discern/optim/l1/path.hpp"

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/optim/confirm/confirm.hpp"
#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/optim/relay/minimise.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/optim/solver/newton_cg.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// A slope of a feature that is no larger than this share of the rows' slopes at zero is rounding.
constexpr double silence = 1e-13;

// The scores' biases of classes in these shares: log p_k, less their mean.
VectorXd softmax_bias(const Targets& answers, Index classes) {
  VectorXd weight = VectorXd::Zero(classes);
  for (std::size_t i = 0; i < answers.labels.size(); ++i)
    weight[answers.labels[i]] += answers.weights.empty() ? 1.0 : answers.weights[i];
  const VectorXd logarithm = weight.cwiseMax(1e-300).array().log();
  return logarithm.array() - logarithm.mean();
}

// The bias b of one score that minimises the sum of the losses at b: the logarithm of the classes' odds, or
// the mean of y. That is also what the squared hinge has, which is the squared loss for b between -1 and 1.
double single_bias(const Problem& problem, const Block& rows) {
  double positive = 0, others = 0, sum = 0;  // weights of rows
  for (Index i = 0; i < rows.rows(); ++i) {
    const double y = problem.target(rows, i), s = rows.weight(i);
    (y > 0 ? positive : others) += s;
    sum += s * y;
  }
  if (!std::holds_alternative<LogisticLoss>(problem.loss)) return sum / (positive + others);
  return std::log(std::max(positive, 1e-300)) - std::log(std::max(others, 1e-300));
}

// sum_i |s_i L'(0, y_i)|
double slopes_at_zero(const Problem& problem, const Block& rows) {
  RowMajor slopes = RowMajor::Zero(rows.rows(), problem.scores);
  row_losses(problem, rows, slopes, nullptr);
  return slopes.cwiseAbs().sum();
}

}  // namespace

PathSolver::PathSolver(const Problem& problem, const SolverOptions& options)
    : problem_(problem), options_(options), function_(problem_) {
  set_penalty(problem_, {});
  move(VectorXd::Zero(problem_.size()), options_.monitor);
  gradient_at_zero_ = slope_;
  slopes_at_zero_ = slopes_;
  find_bias();
}

void PathSolver::find_bias() {
  const Block answers = function_.answers(0, problem_.source->rows());
  VectorXd point = VectorXd::Zero(problem_.size());
  if (problem_.bias && problem_.softmax())
    point.head(problem_.scores) = softmax_bias(function_.answers(), problem_.scores);
  else if (problem_.bias)
    point[0] = single_bias(problem_, answers);
  move(point, options_.monitor);
  bias_only_loss_ = loss_;
  const Index weights = problem_.features() * problem_.scores;
  if (slope_.tail(weights).lpNorm<Eigen::Infinity>() <= silence * slopes_at_zero(problem_, answers)) return;
  const VectorXd curvature = function_.hessian_diagonal(options_.monitor);
  for (Index j = 0; j < problem_.features(); ++j)
    for (Index c = (j + 1) * problem_.scores; c < (j + 2) * problem_.scores; ++c) {
      largest_l1_ = std::max(largest_l1_, std::fabs(slope_[c]) / std::sqrt(problem_.scaling.penalty[j]));
      largest_l2_ += curvature[c] / problem_.scaling.penalty[j];
    }
  largest_l1_ *= 1 + 1e-12;  // for the rounding of l1 sqrt(penalty)
}

Minimum PathSolver::next(const PenaltyStrength& strength) {
  const VectorXd before = problem_.l1;
  set_penalty(problem_, strength);
  scale_ = {problem_, gradient_at_zero_, slopes_at_zero_};
  foresee(before);
  return confirmed(problem_.has_l1() ? on_working_sets() : smooth());
}

// Where the point is no minimum after all, the machinery of a single fit goes on below it.
Minimum PathSolver::confirmed(Minimum found) {
  if (found.interrupted) return found;
  try {
    Candidate candidate(function_, at(), found, options_.monitor);
    const Verdict verdict = confirm(candidate, options_.tol);
    if (verdict.kind != Verdict::Kind::lower) return found;
    const Method method{.solver = problem_.has_l1() ? Solver::cd : Solver::newton};
    Minimum lower = minimise(problem_, method, verdict.lower, going_on(options_, found.iterations), {});
    lower.iterations += found.iterations;
    move(lower.point, options_.monitor);
    return lower;
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    found.interrupted = true;
    return found;
  }
}

// In a line from the last two points, as far as l1 goes on falling; a weight ends at zero where its line
// crosses it, and stays there. How far is read off the last feature's l1: those of all features are fixed
// multiples of the path's. Without two such points: the last one, and the bound of the strong rule, that
// no slope grows by more than l1 falls.
void PathSolver::foresee(const VectorXd& l1_before) {
  const Index last = problem_.width() - 1;
  const double step = problem_.l1[last] - l1_before[last], step_before = l1_before[last] - l1_earlier_;
  const double further = step_before != 0 ? step / step_before : 0;
  start_ = point_;
  if (slope_earlier_.size() > 0 && further > 0 && further < 3) {
    foreseen_ = (slope_ + further * (slope_ - slope_earlier_)).cwiseAbs();
    for (Index c = 0; c < start_.size(); ++c) {
      if (c >= problem_.scores && (point_[c] == 0 || point_earlier_[c] == 0)) continue;
      start_[c] += further * (point_[c] - point_earlier_[c]);
      if (c >= problem_.scores && start_[c] * point_[c] < 0) start_[c] = 0;
    }
  } else {
    foreseen_ = slope_.cwiseAbs();
    for (Index c = 0; c < foreseen_.size(); ++c)
      foreseen_[c] += std::max(0.0, l1_before[c / problem_.scores] - problem_.l1[c / problem_.scores]);
  }
  slope_earlier_ = slope_;
  point_earlier_ = point_;
  l1_earlier_ = l1_before[last];
}

void PathSolver::move(const VectorXd& point, const Monitor& monitor) {
  const Evaluation at = function_.evaluate(point, monitor);
  VectorXd pull = VectorXd::Zero(point.size());  // of l2, which is no part of the losses
  add_l2_gradient(problem_, point, pull);
  point_ = point;
  slope_ = at.gradient - pull;
  slopes_ = at.slopes;
  loss_ = at.value - 0.5 * pull.dot(point);
}

// The same when the scores of the rows are known; one pass less.
void PathSolver::move(const VectorXd& point, RowMajor scores, const Monitor& monitor) {
  RowMajor curvature(scores.rows(), scores.cols()), slopes = scores;
  const double loss = row_losses(problem_, function_.answers(0, scores.rows()), slopes, &curvature);
  slope_ = function_.transposed_times(slopes, monitor);
  slopes_ = slopes.cwiseAbs().sum();
  function_.set_rows(std::move(scores), std::move(curvature));
  point_ = point;
  loss_ = loss;
}

Evaluation PathSolver::at() const {
  VectorXd pull = VectorXd::Zero(point_.size());
  add_l2_gradient(problem_, point_, pull);
  return {loss_ + 0.5 * pull.dot(point_), slope_ + pull, slopes_};
}

// E and its certificate at the point, from the losses there.
void PathSolver::note(Minimum& found) const {
  const Evaluation here = at();
  found.point = point_;
  found.value = here.value + l1_value(problem_, point_);
  found.certificate = certificate(problem_, point_, here, scale_);
  found.certificate_kind = gradient_norm;
  found.converged = found.certificate <= options_.tol;
}

// One score and few weights: steps with a Hessian that is kept, and new ones where those do not converge.
Minimum PathSolver::smooth() {
  const bool few = problem_.width() * problem_.free_scores() <= limits::most_path_coordinates;
  std::vector<Stage> stages;
  if (few && !problem_.softmax())
    stages.push_back({"newton", [this](const Minimum&, const SolverOptions& options) {
                        return with_kept_hessian(options);
                      }});
  stages.push_back({few ? "newton" : "newton-cg", [&](const Minimum& so_far, const SolverOptions& options) {
                      return few ? newton(problem_, so_far.point, options)
                                 : newton_cg(function_, so_far.point, options);
                    }});
  Minimum before;
  note(before);
  before.converged = false;  // the point is that of another penalty
  Minimum found = relay(stages, before, options_);
  if (found.interrupted) return found;
  if (found.point != point_ || !few) move(found.point, {});
  note(found);
  return found;
}

Minimum PathSolver::with_kept_hessian(const SolverOptions& options) {
  Minimum found;
  try {
    ProximalNewton newton(problem_, nullptr, point_, options.monitor, &kept_);
    newton.run(0.3 * options.tol * scale_.at(slopes_), options.max_iter);
    move(newton.point(), newton.scores(), options.monitor);
    found.iterations = newton.steps();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    found.interrupted = true;
  }
  note(found);
  return found;
}

Minimum PathSolver::on_working_sets() {
  Minimum best;
  note(best);
  const Monitor during = [&](const Progress&) {
    return go_on(options_.monitor, progress_of(best, options_.max_iter));
  };
  try {
    VectorXd start = start_;
    while (!best.converged && best.iterations < options_.max_iter) {
      if (!during({})) throw Error(Code::interrupted, "interrupted");
      cover(during);
      const Problem& part = set_->problem();
      const bool few = ProximalNewton::keeps_hessian(part);
      const bool by_column = !few && part.source->sparse() && !part.softmax();
      ProximalNewton newton(part, by_column ? &set_->by_column() : nullptr, set_->to(start), during,
                            few ? &kept_ : nullptr);
      const bool more =
          newton.run(0.3 * options_.tol * scale_.at(slopes_), options_.max_iter - best.iterations);
      best.iterations += newton.steps();
      const double before = best.certificate;
      move(set_->from(newton.point()), newton.scores(), during);
      note(best);
      start = point_;
      if (!more && !(best.certificate < before)) break;
    }
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    best.interrupted = true;
  }
  return best;
}

// Makes the working set one that holds the features that are needed now.
void PathSolver::cover(const Monitor& monitor) {
  const Index d = problem_.features(), scores = problem_.scores;
  std::vector<Index> needed, spare;
  VectorXd reach(d);  // how near the slopes come to what the penalty holds at zero
  for (Index j = 0; j < d; ++j) {
    const Index at = (j + 1) * scores;
    const double l1 = problem_.l1[j + 1], slope = slope_.segment(at, scores).cwiseAbs().maxCoeff();
    const double foreseen = foreseen_.segment(at, scores).maxCoeff();
    reach[j] = std::max(slope, foreseen) / l1;
    const bool used = d <= limits::few_features || !point_.segment(at, scores).isZero(0);
    (used || slope > l1 || foreseen > 0.98 * l1 ? needed : spare).push_back(j);
  }
  if (set_ && std::includes(set_->features().begin(), set_->features().end(), needed.begin(), needed.end())) {
    set_->take_penalty();
    return;
  }
  const std::size_t more = std::min(spare.size(), std::max<std::size_t>(100, needed.size() / 2));
  std::nth_element(spare.begin(), spare.begin() + static_cast<std::ptrdiff_t>(more), spare.end(),
                   [&](Index a, Index b) { return reach[a] != reach[b] ? reach[a] > reach[b] : a < b; });
  needed.insert(needed.end(), spare.begin(), spare.begin() + static_cast<std::ptrdiff_t>(more));
  std::sort(needed.begin(), needed.end());
  auto set = std::make_unique<WorkingSet>(problem_, std::move(needed), monitor);
  if (set_) kept_ = carried_over(std::move(kept_), set_->features(), *set, function_.curvature(), monitor);
  set_ = std::move(set);
}

std::optional<double> PathSolver::freedom() const {
  const Index scores = problem_.scores;
  std::vector<Index> used;
  if (problem_.bias)
    for (Index c = 0; c < scores; ++c) used.push_back(c);
  const auto biases = static_cast<Index>(used.size());
  for (Index c = scores; c < point_.size(); ++c)
    if (point_[c] != 0) used.push_back(c);
  const Index weights = static_cast<Index>(used.size()) - biases;
  if (weights == 0 || problem_.l2.maxCoeff() == 0) return static_cast<double>(weights);
  const auto size = static_cast<double>(used.size());
  if (weights > most_freedom || size * size * static_cast<double>(problem_.source->rows()) > 4e9)
    return std::nullopt;
  const Eigen::MatrixXd h = coordinate_hessian(problem_, function_.curvature(), used, {});
  const Eigen::MatrixXd inverse =
      SemidefiniteFactor(h).solve(Eigen::MatrixXd::Identity(h.rows(), h.cols())).x;
  double freedom = static_cast<double>(weights);
  for (Index k = biases; k < h.rows(); ++k)
    freedom -= problem_.l2[used[static_cast<std::size_t>(k)] / scores] * inverse(k, k);
  return freedom;
}

}  // namespace discern
