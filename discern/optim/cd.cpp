#include "discern/optim/cd.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/quadratic_cd.hpp"
#include "discern/optim/working_set.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The quadratic problems have at most this many coordinates: their matrix takes 72 MB.
constexpr Index most_coordinates = 3000;

double l1_value(const Problem& problem, const VectorXd& point) {
  double sum = 0;
  for (Index j = 0; j < problem.width(); ++j)
    sum += problem.l1[j] * point.segment(j * problem.scores, problem.scores).cwiseAbs().sum();
  return sum;
}

// Newton steps on one problem (a working set) until its own certificate is reached.
class ProximalNewton {
 public:
  ProximalNewton(const Problem& problem, const VectorXd& start, const Monitor& monitor)
      : problem_(&problem), function_(problem), monitor_(monitor), point_(start) {
    at_ = function_.evaluate(point_, monitor_);
  }

  // One more step once the tolerance has been reached: it squares the error, for a little more work.
  void polish() {
    if (const double norm = residual().norm(); norm > 0) step(norm, 1e-3 * norm, 1e-4 * norm);
  }

  // Until the least subgradient is at most `enough`; false when rounding leaves nothing more to gain.
  bool run(double enough, Index max_steps) {
    for (Index k = 0; k < max_steps; ++k) {
      const double norm = residual().norm();
      if (norm <= enough) return true;
      if (!step(norm, enough, norm * std::min(0.1, norm / first_norm(norm)))) return false;
    }
    return true;
  }
  const VectorXd& point() const { return point_; }
  Index steps() const { return steps_; }

 private:
  VectorXd residual() const { return least_subgradient(*problem_, point_, at_.gradient); }

  // Coordinates that may move: not at zero, or not held there; the worst ones if there are too many.
  std::vector<Index> free_coordinates() const {
    const VectorXd r = residual();
    std::vector<Index> coordinates;
    for (Index c = problem_->bias ? 0 : problem_->scores; c < point_.size(); ++c)
      if (point_[c] != 0 || r[c] != 0 || problem_->l1[c / problem_->scores] == 0) coordinates.push_back(c);
    if (static_cast<Index>(coordinates.size()) > most_coordinates) {
      std::stable_sort(coordinates.begin(), coordinates.end(),
                       [&](Index a, Index b) { return std::fabs(r[a]) > std::fabs(r[b]); });
      coordinates.resize(static_cast<std::size_t>(most_coordinates));
      std::sort(coordinates.begin(), coordinates.end());
    }
    return coordinates;
  }

  // Solves the model to `accuracy`, but no further than well below `enough`.
  bool step(double norm, double enough, double accuracy) {
    const std::vector<Index> coordinates = free_coordinates();
    QuadraticProblem model;
    const auto size = static_cast<Index>(coordinates.size());
    model.h = coordinate_hessian(function_, coordinates, monitor_);
    model.g = at_.gradient(coordinates);
    model.u = point_(coordinates);
    model.l1.resize(size);
    for (Index k = 0; k < size; ++k)
      model.l1[k] = problem_->l1[coordinates[static_cast<std::size_t>(k)] / problem_->scores];
    const bool exact = std::holds_alternative<Squared>(problem_->loss);
    const VectorXd next = quadratic_cd(model, exact ? 0.1 * enough : std::max(0.05 * enough, accuracy));
    VectorXd direction = VectorXd::Zero(point_.size());
    direction(coordinates) = next - model.u;
    ++steps_;
    return search(direction, norm);
  }

  double first_norm(double norm) {
    if (first_norm_ == 0) first_norm_ = norm;
    return first_norm_;
  }

  // g'd + l1 |u + d| - l1 |u|, without the cancellation of sums where signs stay.
  double predicted_fall(const VectorXd& direction) const {
    double fall = 0;
    for (Index c = 0; c < direction.size(); ++c) {
      const double u = point_[c], d = direction[c], l1 = problem_->l1[c / problem_->scores];
      if (d == 0) continue;
      if (u * (u + d) > 0)
        fall += (at_.gradient[c] + (u > 0 ? l1 : -l1)) * d;
      else
        fall += at_.gradient[c] * d + l1 * (std::fabs(u + d) - std::fabs(u));
    }
    return fall;
  }

  // Armijo's rule with the l1 penalty inside; falls below the rounding of E are judged by the subgradient.
  bool search(const VectorXd& direction, double norm) {
    const double l1 = l1_value(*problem_, point_), start = at_.value + l1;
    const double fall = predicted_fall(direction);
    if (!(fall < 0)) return false;
    const bool drowned = -fall <= 1e-13 * std::fabs(start);
    double t = 1;
    if (!drowned) {
      const RowMajor scores = function_.scores();
      const RowMajor change = function_.scores_of(direction, monitor_);
      for (;; t /= 2) {
        if (t < 1e-10) return false;
        const VectorXd point = point_ + t * direction;
        const double value = function_.value(point, scores + t * change) + l1_value(*problem_, point);
        if (value <= start + 1e-4 * t * fall) break;
      }
    }
    const VectorXd before = point_;
    point_ = point_ + t * direction;
    at_ = function_.evaluate(point_, monitor_);
    if (!drowned || residual().norm() < norm) return true;
    point_ = before;
    at_ = function_.evaluate(point_, monitor_);
    return false;
  }

  const Problem* problem_;
  LinearFunction function_;
  Monitor monitor_;
  VectorXd point_;
  Evaluation at_;
  double first_norm_ = 0;
  Index steps_ = 0;
};

// The features in use and, as many again (100 at least), those that the penalty fails most to hold at zero.
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
  const std::size_t more = std::min(rest.size(), std::max<std::size_t>(used.size(), 100));
  std::stable_sort(rest.begin(), rest.end(), [&](Index a, Index b) { return violation[a] > violation[b]; });
  used.insert(used.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(more));
  std::sort(used.begin(), used.end());
  return used;
}

}  // namespace

Minimum coordinate_descent(const Problem& problem, const SolverOptions& options) {
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
      ProximalNewton newton(part, small ? best.point : set->part_of(best.point), during);
      const double enough =
          std::max(0.3 * options.tol, small ? 0 : 0.1 * std::min(1.0, best.certificate)) * scale;
      const bool more = newton.run(enough, options.max_iter - best.iterations);
      newton.polish();
      best.iterations += newton.steps();
      const double before = best.certificate;
      residual = note(small ? newton.point() : set->whole_of(newton.point()), during);
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
