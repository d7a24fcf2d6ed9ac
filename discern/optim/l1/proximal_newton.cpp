#include "discern/optim/l1/proximal_newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/l1/quadratic_cd.hpp"
#include "discern/optim/problem/limits.hpp"

namespace discern {
using Eigen::VectorXd;

ProximalNewton::ProximalNewton(const Problem& problem, const SparseColumns* columns, const VectorXd& start,
                               const Monitor& monitor, KeptHessian* kept)
    : problem_(&problem),
      columns_(columns),
      kept_(kept),
      function_(problem),
      monitor_(monitor),
      point_(start) {
  at_ = function_.evaluate(point_, monitor_);
}

bool ProximalNewton::keeps_hessian(const Problem& problem) {
  return problem.size() <= limits::most_quadratic_coordinates;
}

void ProximalNewton::polish(double enough) {
  if (const double norm = residual().norm(); norm > enough) step(norm, 1e-3 * norm, 1e-4 * norm);
  if (columns_ == nullptr) drop_small(enough);
}

// Features that say the same, as the two 0/1 columns of yes and no do, may share a weight in any way, and
// rounding gives one of them a little. Such weights go to zero, and the others make up for it.
void ProximalNewton::drop_small(double enough) {
  const VectorXd before = point_;
  const double small = 1e-9 * before.tail(before.size() - problem_->scores).lpNorm<Eigen::Infinity>();
  VectorXd point = before;
  std::vector<Index> rest;
  for (Index c = problem_->bias ? 0 : problem_->scores; c < point.size(); ++c) {
    const bool penalised = problem_->l1[c / problem_->scores] > 0;
    if (penalised && std::fabs(point[c]) <= small) point[c] = 0;
    if (!penalised || point[c] != 0) rest.push_back(c);
  }
  if (point == before || static_cast<Index>(rest.size()) > limits::most_quadratic_coordinates) return;
  const double limit = std::max(enough, residual().norm());
  go(point);
  go(point + gram_step(rest, 0.1 * enough));
  ++steps_;
  if (!(residual().norm() <= limit)) go(before);
}

void ProximalNewton::go(const VectorXd& point) {
  point_ = point;
  at_ = function_.evaluate(point_, monitor_);
}

bool ProximalNewton::run(double enough, Index max_steps, const std::function<void()>& watch) {
  for (Index k = 0; k < max_steps; ++k) {
    const double norm = residual().norm();
    if (norm <= enough) return true;
    const bool fresh = kept_ == nullptr || kept_->matrix.size() == 0;
    const bool moved = step(norm, enough, norm * std::min(0.1, norm / first_norm(norm)));
    if (watch) watch();
    if (columns_ != nullptr) {
      count_gain(moved, norm);
      if (!moved || crawls()) {
        columns_ = nullptr;
        continue;
      }
    }
    if (!moved && fresh) return false;
    if (!fresh && (!moved || residual().norm() > 0.3 * norm)) kept_->matrix.resize(0, 0);
  }
  return true;
}

// With more weights in use than the rows can tell apart the model has no minimum among those that are not
// zero: conjugate gradients run away and sweeps crawl, where the matrix of the coordinates still serves.
void ProximalNewton::count_gain(bool moved, double norm) {
  crawled_ = moved && residual().norm() <= 0.9 * norm ? 0 : crawled_ + 1;
}

// The Hessian here, or the one kept with the l2 of now.
void ProximalNewton::make_kept() {
  const Index first = problem_->bias ? 0 : problem_->scores, count = point_.size() - first;
  if (kept_->matrix.rows() != count) {
    std::vector<Index> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), first);
    kept_->matrix = coordinate_hessian(*problem_, function_.curvature(), all, monitor_);
    kept_->factor.clear();
  } else if (kept_->l2 != problem_->l2) {
    for (Index k = 0; k < count; ++k) {
      const Index j = (first + k) / problem_->scores;
      kept_->matrix(k, k) += problem_->l2[j] - kept_->l2[j];
    }
    kept_->factor.clear();
  }
  kept_->l2 = problem_->l2;
}

// Coordinates that may move: not at zero, or not held there; the worst ones if there are too many.
std::vector<Index> ProximalNewton::free_coordinates() const {
  const VectorXd r = residual();
  std::vector<Index> coordinates;
  for (Index c = problem_->bias ? 0 : problem_->scores; c < point_.size(); ++c)
    if (point_[c] != 0 || r[c] != 0 || problem_->l1[c / problem_->scores] == 0) coordinates.push_back(c);
  if (static_cast<Index>(coordinates.size()) > limits::most_quadratic_coordinates) {
    std::stable_sort(coordinates.begin(), coordinates.end(),
                     [&](Index a, Index b) { return std::fabs(r[a]) > std::fabs(r[b]); });
    coordinates.resize(static_cast<std::size_t>(limits::most_quadratic_coordinates));
    std::sort(coordinates.begin(), coordinates.end());
  }
  return coordinates;
}

// Solves the model to `accuracy`, but no further than well below `enough`.
bool ProximalNewton::step(double norm, double enough, double accuracy) {
  const bool exact = std::holds_alternative<SquaredLoss>(problem_->loss);
  const double below = exact ? 0.1 * enough : std::max(0.05 * enough, accuracy);
  const VectorXd direction = kept_ != nullptr      ? kept_step(below)
                             : columns_ != nullptr ? column_step(below)
                                                   : gram_step(free_coordinates(), below);
  ++steps_;
  return search(direction, norm);
}

// The minimum of the model, less the point: with the matrix of some coordinates ...
VectorXd ProximalNewton::gram_step(const std::vector<Index>& coordinates, double accuracy) const {
  QuadraticProblem model;
  const Eigen::MatrixXd h = coordinate_hessian(*problem_, function_.curvature(), coordinates, monitor_);
  model.g = at_.gradient(coordinates);
  model.u = point_(coordinates);
  model.l1.resize(model.u.size());
  for (Index k = 0; k < model.l1.size(); ++k)
    model.l1[k] = problem_->l1[coordinates[static_cast<std::size_t>(k)] / problem_->scores];
  VectorXd direction = VectorXd::Zero(point_.size());
  direction(coordinates) = quadratic_cd(h, model, accuracy) - model.u;
  return direction;
}
// ... with one that is kept, of all coordinates ...
VectorXd ProximalNewton::kept_step(double accuracy) {
  make_kept();
  const Index count = kept_->matrix.rows(), first = point_.size() - count;
  QuadraticProblem model{at_.gradient.tail(count), point_.tail(count), VectorXd(count)};
  for (Index k = 0; k < count; ++k) model.l1[k] = problem_->l1[(first + k) / problem_->scores];
  VectorXd direction = VectorXd::Zero(point_.size());
  direction.tail(count) = quadratic_cd(kept_->matrix, kept_->factor, model, accuracy) - model.u;
  return direction;
}
// ... or column by column: a few sweeps find which weights are zero, conjugate gradients over the rest then
// converge where sweeps would crawl.
VectorXd ProximalNewton::column_step(double accuracy) const {
  const ColumnModel model{columns_,     problem_->bias, function_.curvature().col(0), at_.gradient, point_,
                          problem_->l1, problem_->l2};
  const ColumnMinimum swept = column_cd(model, accuracy, 10);
  if (swept.residual <= accuracy) return swept.v - point_;
  return support_cg(swept.v, accuracy) - point_;
}

// Goes on minimising the model from v over the weights that are not zero, with their signs as they are;
// those that would change sign end at zero.
VectorXd ProximalNewton::support_cg(VectorXd v, double accuracy) const {
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

double ProximalNewton::first_norm(double norm) {
  if (first_norm_ == 0) first_norm_ = norm;
  return first_norm_;
}

// g'd + l1 |u + d| - l1 |u|, without the cancellation of sums where signs stay.
double ProximalNewton::predicted_fall(const VectorXd& direction) const {
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

// Armijo's rule with the l1 penalty inside; falls below the rounding of E are judged by the subgradient. The
// whole step is tried first: it is nearly always taken, and one pass then does for both.
bool ProximalNewton::search(const VectorXd& direction, double norm) {
  const double start = at_.value + l1_value(*problem_, point_);
  const double fall = predicted_fall(direction);
  if (!(fall < 0)) return false;
  const bool drowned = -fall <= 1e-13 * std::fabs(start);
  const VectorXd before = point_;
  const RowMajor scores = function_.scores();
  go(before + direction);
  if (drowned ? residual().norm() < norm : at_.value + l1_value(*problem_, point_) <= start + 1e-4 * fall)
    return true;
  const RowMajor change = function_.scores() - scores;
  for (double t = 0.5; !drowned && t > 1e-10; t /= 2) {
    const VectorXd point = before + t * direction;
    const double value = function_.value(point, scores + t * change) + l1_value(*problem_, point);
    if (!(value <= start + 1e-4 * t * fall)) continue;
    go(point);
    return true;
  }
  go(before);
  return false;
}

}  // namespace discern
