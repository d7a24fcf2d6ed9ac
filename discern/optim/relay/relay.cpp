#include "discern/optim/relay/relay.hpp"

#include <algorithm>
#include <cmath>

#include "discern/optim/problem/certificate.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

bool ended(const Minimum& so_far, const SolverOptions& options) {
  return so_far.interrupted || so_far.unbounded || so_far.iterations >= options.max_iter;
}

SolverOptions options_of(const Stage& stage, const Minimum& so_far, const SolverOptions& options) {
  SolverOptions own = going_on(options, so_far.iterations);
  own.max_iter = std::min(own.max_iter, stage.max_iter);
  return own;
}

// The better one of two results, with what belongs to both.
Minimum kept(Minimum result, Minimum before) {
  const Index iterations = result.iterations;
  const bool interrupted = result.interrupted;
  const auto rank = before.rank ? before.rank : result.rank;  // of the first Hessian
  std::vector<StageReport> stages = std::move(before.stages);
  Minimum best = better(result, before) ? std::move(result) : std::move(before);
  best.iterations = iterations;
  best.interrupted = interrupted;
  best.rank = rank;
  best.stages = std::move(stages);
  return best;
}

}  // namespace

bool better(const Minimum& result, const Minimum& other) {
  constexpr double rounding = 1e-13;
  if (std::isinf(result.value) || std::isinf(other.value)) return std::isinf(other.value);
  if (result.converged != other.converged) return result.converged;
  const double tie = rounding * std::max(std::fabs(result.value), std::fabs(other.value));
  if (std::fabs(result.value - other.value) > tie) return result.value < other.value;
  if (result.certificate_kind != other.certificate_kind) return result.value <= other.value;
  return result.certificate <= other.certificate;
}

Minimum relay(const std::vector<Stage>& stages, Minimum so_far, const SolverOptions& options) {
  for (const Stage& stage : stages) {
    if (ended(so_far, options) || (so_far.converged && !stage.polishes)) break;
    Minimum found = stage.run(so_far, options_of(stage, so_far, options));
    if (std::isfinite(found.value))
      so_far.stages.push_back({stage.solver, found.iterations, found.certificate, found.certificate_kind});
    found.iterations += so_far.iterations;
    if (stage.rough) found.converged = false;
    so_far = kept(std::move(found), std::move(so_far));
  }
  return so_far;
}

Minimum relay(const Problem& problem, const std::vector<Stage>& stages, const VectorXd& start,
              const SolverOptions& options) {
  Minimum at_start;
  at_start.point = start.size() > 0 ? start : VectorXd::Zero(problem.size());
  at_start.value = std::numeric_limits<double>::infinity();  // not known
  Minimum found = relay({stages.front()}, at_start, options);
  // The value of the start matters only where another stage goes on from the better of the two.
  if (stages.size() > 1 && !found.converged && !ended(found, options)) {
    certify(problem, at_start);
    at_start.iterations = found.iterations;
    at_start.stages = found.stages;
    found = kept(std::move(found), std::move(at_start));
  }
  return relay({stages.begin() + 1, stages.end()}, std::move(found), options);
}

}  // namespace discern
