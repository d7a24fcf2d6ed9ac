#include "discern/optim/view/narrowed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace discern {

using Eigen::VectorXd;

namespace {

constexpr double enough_left = 1e-4;
constexpr double narrowest = 1e-100;

// The least of the diagonal over the scores of a feature, in units of the curvatures; infinity where the
// penalty alone makes it, since no row has anything to say there.
VectorXd left_of(const Problem& problem, const VectorXd& diagonal, double curvature) {
  const Eigen::Map<const RowMajor> entries(diagonal.data(), problem.width(), problem.scores);
  VectorXd left(problem.features());
  for (Index j = 0; j < left.size(); ++j) {
    const double least = entries.row(j + 1).minCoeff();
    left[j] =
        least > 0 && least == problem.l2[j + 1] ? std::numeric_limits<double>::infinity() : least / curvature;
  }
  return left;
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

}  // namespace discern
