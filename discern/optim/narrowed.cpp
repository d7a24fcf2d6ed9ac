#include "discern/optim/narrowed.hpp"

#include <cmath>

namespace discern {

using Eigen::VectorXd;

namespace {

constexpr double enough_left = 1e-4;
constexpr double narrowest = 1e-100;

// The diagonal's mean over the scores of a feature, each in units of its curvatures.
VectorXd left_of(const Problem& problem, const VectorXd& diagonal, double curvature) {
  const Eigen::Map<const RowMajor> entries(diagonal.data(), problem.width(), problem.scores);
  return entries.bottomRows(problem.features()).rowwise().mean() / curvature;
}

}  // namespace

VectorXd fitting_units(const Problem& problem, const Minimum& found) {
  const VectorXd ones = VectorXd::Ones(problem.features());
  if (found.diagonal.size() > 0 &&
      left_of(problem, found.diagonal, found.curvature).minCoeff() >= enough_left)
    return ones;
  LinearFunction function(problem);
  function.evaluate(found.point, {});
  function.drop_flat_rows();
  const double curvature = function.mean_curvature();
  if (!(curvature > 0)) return ones;
  const VectorXd left = left_of(problem, function.hessian_diagonal({}), curvature);
  VectorXd units = ones;
  for (Index j = 0; j < units.size(); ++j)
    if (left[j] > 0 && left[j] < enough_left) units[j] = std::max(std::sqrt(left[j]), narrowest);
  return units;
}

NarrowedProblem::NarrowedProblem(const Problem& whole, const VectorXd& units)
    : narrowed_(whole), units_(whole.size()) {
  Scaling& scaling = narrowed_.scaling;
  scaling.scale.array() *= units.array();
  scaling.penalty.array() /= units.array().square();
  scaling.units = units;
  narrowed_.l1.tail(units.size()).array() /= units.array();
  narrowed_.l2.tail(units.size()).array() /= units.array().square();
  Eigen::Map<RowMajor> all(units_.data(), whole.width(), whole.scores);
  all.row(0).setOnes();
  all.bottomRows(units.size()).colwise() = units;
}

VectorXd NarrowedProblem::point_of(const VectorXd& whole_point) const {
  return whole_point.cwiseProduct(units_);
}

Minimum NarrowedProblem::original(Minimum found) const {
  found.point = found.point.cwiseQuotient(units_);
  if (found.diagonal.size() > 0) found.diagonal = found.diagonal.cwiseQuotient(units_).cwiseQuotient(units_);
  return found;
}

SolverOptions NarrowedProblem::watched(const SolverOptions& options) const {
  SolverOptions watched = options;
  if (options.trace)
    watched.trace = [this, show = options.trace](const Minimum& so_far) { show(original(so_far)); };
  return watched;
}

std::optional<VectorXd> lower_point(const Problem& problem, const VectorXd& point) {
  constexpr double least_fall = 1e-10;
  LinearFunction function(problem);
  const Evaluation at = function.evaluate(point, {});
  const double start = at.value + l1_value(problem, point);
  const RowMajor scores = function.scores();
  function.drop_flat_rows();
  VectorXd diagonal = function.hessian_diagonal({});
  diagonal = diagonal.cwiseMax(1e-10 * std::max(diagonal.maxCoeff(), 1e-300));
  const VectorXd direction = -least_subgradient(problem, point, at.gradient).cwiseQuotient(diagonal);
  const RowMajor change = function.scores_of(direction, {});
  for (double t = 1; t > 1e-10; t /= 2) {
    const VectorXd there = point + t * direction;
    const double value = function.value(there, scores + t * change) + l1_value(problem, there);
    if (value < start - least_fall * std::fabs(start)) return there;
  }
  return std::nullopt;
}

}  // namespace discern
