#include "discern/optim/view/rescaled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace discern {

using Eigen::VectorXd;

namespace {

constexpr double enough_left = 1e-4;
constexpr double smallest_unit = 1e-100;

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

VectorXd fitting_units(Candidate& candidate) {
  const Problem& problem = candidate.problem();
  const Minimum& found = candidate.found();
  VectorXd units = VectorXd::Ones(problem.features());
  if (found.diagonal.size() > 0 &&
      left_of(problem, found.diagonal, found.curvature).minCoeff() >= enough_left)
    return units;
  if (!(candidate.total_curvature() > 0)) return units;
  const VectorXd left = left_of(problem, candidate.diagonal(), candidate.total_curvature());
  for (Index j = 0; j < units.size(); ++j)
    if (left[j] > 0 && left[j] < enough_left) units[j] = std::max(std::sqrt(left[j]), smallest_unit);
  return units;
}

RescaledProblem::RescaledProblem(const Problem& whole, const VectorXd& units)
    : rescaled_(whole), units_(whole.size()) {
  Scaling& scaling = rescaled_.scaling;
  scaling.scale.array() *= units.array();
  scaling.penalty.array() /= units.array().square();
  scaling.units = units;
  rescaled_.l1.tail(units.size()).array() /= units.array();
  rescaled_.l2.tail(units.size()).array() /= units.array().square();
  Eigen::Map<RowMajor> all(units_.data(), whole.width(), whole.scores);
  all.row(0).setOnes();
  all.bottomRows(units.size()).colwise() = units;
}

VectorXd RescaledProblem::to(const VectorXd& whole_point) const { return whole_point.cwiseProduct(units_); }

VectorXd RescaledProblem::from(const VectorXd& view_point) const { return view_point.cwiseQuotient(units_); }

VectorXd RescaledProblem::diagonal_from(const VectorXd& diagonal) const {
  return diagonal.cwiseQuotient(units_).cwiseQuotient(units_);
}

}  // namespace discern
