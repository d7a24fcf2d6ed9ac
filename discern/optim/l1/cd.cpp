#include "discern/optim/l1/cd.hpp"

#include <algorithm>
#include <memory>

#include "discern/base/error.hpp"
#include "discern/optim/l1/kept_hessian.hpp"
#include "discern/optim/l1/proximal_newton.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/optim/view/working_set.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The Hessian of squared loss is the same everywhere: what a set gains is all that its matrix lacks.
bool keeps_hessian(const Problem& problem) {
  return std::holds_alternative<SquaredLoss>(problem.loss) && !problem.source->sparse();
}

// The features in use and those that the penalty has most trouble to hold at zero, by the slopes of the
// smooth part: as many again, 100 at least, where the matrix of all of them has to be formed; 400, with some
// that are still held, where most of the matrix is at hand; three times as many, 1,000 at least, where
// columns are sparse.
std::vector<Index> choose(const Problem& problem, const VectorXd& point, const VectorXd& slope) {
  const Index d = problem.features(), scores = problem.scores;
  const double held = keeps_hessian(problem) ? 0.9 : 1;
  std::vector<Index> used, rest;
  VectorXd reach = VectorXd::Zero(d);  // how near the slopes come to what the penalty holds
  for (Index j = 0; j < d; ++j) {
    const Index at = (j + 1) * scores;
    const double l1 = problem.l1[j + 1];
    if (!point.segment(at, scores).isZero(0) || l1 == 0) {
      used.push_back(j);
      continue;
    }
    reach[j] = slope.segment(at, scores).cwiseAbs().maxCoeff() / l1;
    if (reach[j] > held) rest.push_back(j);
  }
  const bool by_column = problem.source->sparse() && !problem.softmax();
  const std::size_t wanted = by_column                ? std::max<std::size_t>(3 * used.size(), 1000)
                             : keeps_hessian(problem) ? 400
                                                      : std::max<std::size_t>(used.size(), 100);
  const std::size_t more = std::min(rest.size(), wanted);
  std::stable_sort(rest.begin(), rest.end(), [&](Index a, Index b) { return reach[a] > reach[b]; });
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
  Evaluation at = function.evaluate(best.point, {});
  const CertificateScale scales(problem, at.gradient, at.slopes);
  double scale = 1;
  VectorXd slope;
  const auto note = [&](const VectorXd& point, const Evaluation& there) {
    scale = scales.at(there.slopes);
    best.point = point;
    best.value = there.value + l1_value(problem, point);
    best.certificate = certificate(problem, point, there, scales);
    slope = there.gradient;
  };
  note(best.point, at);
  if (!start.isZero(0)) note(start, function.evaluate(start, {}));
  tell(options, best);
  try {
    // Few features are all taken at once, without a copy.
    const bool small = problem.features() <= limits::few_features;
    std::unique_ptr<WorkingSet> set;
    KeptHessian kept;
    while (best.certificate > options.tol && best.iterations < options.max_iter) {
      if (!during({})) throw Error(Code::interrupted, "interrupted");
      if (!small) {
        std::vector<Index> features = choose(problem, best.point, slope);
        if (!set || set->features() != features) {
          auto next = std::make_unique<WorkingSet>(problem, std::move(features), during, set.get());
          if (set) kept = carried_over(std::move(kept), set->features(), *next, function.curvature(), during);
          set = std::move(next);
        }
      }
      const Problem& part = small ? problem : set->problem();
      const bool keep = !small && keeps_hessian(problem) && ProximalNewton::keeps_hessian(part);
      const bool by_column = !small && part.source->sparse() && !part.softmax() && part.features() > 500;
      ProximalNewton newton(part, by_column ? &set->by_column() : nullptr,
                            small ? best.point : set->to(best.point), during, keep ? &kept : nullptr);
      // With a matrix at hand a set is solved as well as the tolerance asks at the price of a few sweeps.
      const double loose = small || keep ? 0 : 0.1 * std::min(1.0, best.certificate);
      const double enough = std::max(0.3 * options.tol, loose) * scale;
      const Index taken = best.iterations;
      const double before = best.certificate;
      const auto note_newton = [&] {
        const VectorXd point = small ? newton.point() : set->from(newton.point());
        best.iterations = taken + newton.steps();
        note(point, function.evaluate(point, newton.scores(), during));
      };
      const auto show = [&] {
        note_newton();
        tell(options, best);
      };
      const bool more = newton.run(enough, options.max_iter - best.iterations,
                                   options.trace ? std::function<void()>(show) : nullptr);
      note_newton();
      if (best.certificate <= options.tol) {
        const VectorXd before_polish = newton.point();
        newton.polish(1e-4 * options.tol * scale);
        if (newton.point() == before_polish) break;
        show();
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
