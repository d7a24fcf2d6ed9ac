#include "discern/optim/cd.hpp"

#include <algorithm>
#include <memory>

#include "discern/base/error.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/proximal_newton.hpp"
#include "discern/optim/working_set.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The features in use and those that the penalty fails most to hold at zero: as many again, 100 at least,
// where the matrix of all of them has to be formed; three times as many, 1,000 at least, where columns are
// sparse.
std::vector<Index> choose(const Problem& problem, const VectorXd& point, const VectorXd& residual) {
  const Index d = problem.features(), scores = problem.scores;
  std::vector<Index> used, rest;
  VectorXd violation(d);
  for (Index j = 0; j < d; ++j) {
    const Index at = (j + 1) * scores;
    violation[j] = residual.segment(at, scores).norm();
    if (!point.segment(at, scores).isZero(0) || problem.l1[j + 1] == 0)
      used.push_back(j);
    else if (violation[j] > 0)
      rest.push_back(j);
  }
  const bool by_column = problem.source->sparse() && !problem.softmax();
  const std::size_t wanted =
      by_column ? std::max<std::size_t>(3 * used.size(), 1000) : std::max<std::size_t>(used.size(), 100);
  const std::size_t more = std::min(rest.size(), wanted);
  std::stable_sort(rest.begin(), rest.end(), [&](Index a, Index b) { return violation[a] > violation[b]; });
  used.insert(used.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(more));
  std::sort(used.begin(), used.end());
  return used;
}

}  // namespace

Minimum coordinate_descent(const Problem& problem, const VectorXd& start, const SolverOptions& options) {
  Minimum best;
  best.point = VectorXd::Zero(problem.size());
  const Monitor during = [&](const Progress&) {
    return go_on(options.monitor, progress_of(best, options.max_iter));
  };
  LinearFunction function(problem);
  double scale = 0;
  const auto note = [&](const VectorXd& point, const Monitor& monitor) {
    const Evaluation at = function.evaluate(point, monitor);
    const VectorXd residual = least_subgradient(problem, point, at.gradient);
    if (scale == 0) scale = gradient_scale(at.gradient.norm(), problem.scaling.weight);
    best.point = point;
    best.value = at.value + l1_value(problem, point);
    best.certificate = residual.norm() / scale;
    return residual;
  };
  VectorXd residual = note(best.point, {});
  if (!start.isZero(0)) residual = note(start, {});
  tell(options, best);
  try {
    // Few features are all taken at once, without a copy.
    const bool small = problem.features() <= 200;
    std::unique_ptr<WorkingSet> set;
    while (best.certificate > options.tol && best.iterations < options.max_iter) {
      if (!during({})) throw Error(Code::interrupted, "interrupted");
      if (!small) {
        std::vector<Index> features = choose(problem, best.point, residual);
        if (!set || set->features() != features)
          set = std::make_unique<WorkingSet>(problem, std::move(features), during);
      }
      const Problem& part = small ? problem : set->problem();
      const bool by_column = !small && part.source->sparse() && !part.softmax() && part.features() > 500;
      ProximalNewton newton(part, by_column ? &set->by_column() : nullptr,
                            small ? best.point : set->part_of(best.point), during);
      const double enough =
          std::max(0.3 * options.tol, small ? 0 : 0.1 * std::min(1.0, best.certificate)) * scale;
      const Index taken = best.iterations;
      const bool more = newton.run(enough, options.max_iter - best.iterations);
      best.iterations += newton.steps();
      const double before = best.certificate;
      const auto whole_of = [&](const VectorXd& part_point) {
        return small ? part_point : set->whole_of(part_point);
      };
      residual = note(whole_of(newton.point()), during);
      tell(options, best);
      if (best.certificate <= options.tol) {
        newton.polish(1e-4 * options.tol * scale);
        best.iterations = taken + newton.steps();
        note(whole_of(newton.point()), during);
        tell(options, best);
        break;
      }
      if (!more && !(best.certificate < before)) break;
    }
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    best.interrupted = true;
  }
  best.converged = best.certificate <= options.tol;
  return best;
}

}  // namespace discern
