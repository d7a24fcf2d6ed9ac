#include "discern/optim/cd.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/optim/column_cd.hpp"
#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/quadratic_cd.hpp"
#include "discern/optim/working_set.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

// The quadratic problems have at most this many coordinates: their matrix takes 72 MB.
constexpr Index most_coordinates = 3000;

// Newton steps on one problem (a working set) until its own certificate is reached.
class ProximalNewton {
 public:
  // `columns`: of the problem's features where they are sparse and many, or null.
  ProximalNewton(const Problem& problem, const SparseColumns* columns, const VectorXd& start,
                 const Monitor& monitor)
      : problem_(&problem), columns_(columns), function_(problem), monitor_(monitor), point_(start) {
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
    const bool exact = std::holds_alternative<Squared>(problem_->loss);
    const double below = exact ? 0.1 * enough : std::max(0.05 * enough, accuracy);
    const VectorXd direction = columns_ != nullptr ? column_step(below) : gram_step(below);
    ++steps_;
    return search(direction, norm);
  }

  // The minimum of the model, less the point: with the matrix of the free coordinates ...
  VectorXd gram_step(double accuracy) const {
    const std::vector<Index> coordinates = free_coordinates();
    QuadraticProblem model;
    model.h = coordinate_hessian(*problem_, function_.curvature(), coordinates, monitor_);
    model.g = at_.gradient(coordinates);
    model.u = point_(coordinates);
    model.l1.resize(model.u.size());
    for (Index k = 0; k < model.l1.size(); ++k)
      model.l1[k] = problem_->l1[coordinates[static_cast<std::size_t>(k)] / problem_->scores];
    VectorXd direction = VectorXd::Zero(point_.size());
    direction(coordinates) = quadratic_cd(model, accuracy) - model.u;
    return direction;
  }
  // ... or column by column: a few sweeps find which weights are zero, conjugate gradients over the rest then
  // converge where sweeps would crawl.
  VectorXd column_step(double accuracy) const {
    const ColumnModel model{columns_,     problem_->bias, function_.curvature().col(0), at_.gradient, point_,
                            problem_->l1, problem_->l2};
    const ColumnMinimum swept = column_cd(model, accuracy, 10);
    if (swept.residual <= accuracy) return swept.v - point_;
    return support_cg(swept.v, accuracy) - point_;
  }

  // Goes on minimising the model from v over the weights that are not zero, with their signs as they are;
  // those that would change sign end at zero.
  VectorXd support_cg(VectorXd v, double accuracy) const {
    VectorXd sign = v.cwiseSign();
    VectorXd mask = sign.cwiseAbs();
    for (Index c = problem_->bias ? 0 : 1; c < v.size(); ++c)
      if (problem_->l1[c] == 0) mask[c] = 1;
    const VectorXd diagonal = function_.hessian_diagonal(monitor_).cwiseMax(1e-300);
    const VectorXd start = v;
    VectorXd r = -(at_.gradient + function_.hessian_times(v - point_, nullptr, monitor_) +
                   problem_->l1.cwiseProduct(sign))
                      .cwiseProduct(mask);
    VectorXd z = r.cwiseQuotient(diagonal), p = z;
    double rz = r.dot(z);
    for (int k = 0; k < 100 && r.norm() > accuracy; ++k) {
      const VectorXd hp = function_.hessian_times(p, nullptr, monitor_).cwiseProduct(mask);
      const double curvature = p.dot(hp);
      if (!(curvature > 0)) break;
      const double a = rz / curvature;
      v += a * p;
      r -= a * hp;
      z = r.cwiseQuotient(diagonal);
      const double next = r.dot(z);
      p = z + next / rz * p;
      rz = next;
    }
    for (Index c = 0; c < v.size(); ++c)
      if (problem_->l1[c] > 0 && v[c] * start[c] < 0) v[c] = 0;
    return v;
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
  const SparseColumns* columns_;
  LinearFunction function_;
  Monitor monitor_;
  VectorXd point_;
  Evaluation at_;
  double first_norm_ = 0;
  Index steps_ = 0;
};

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
        newton.polish();
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
