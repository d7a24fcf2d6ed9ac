#include "discern/optim/preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/sample.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The largest entries of the diagonal, ascending by place.
std::vector<Index> heaviest(const VectorXd& diagonal, Index count) {
  std::vector<Index> places(static_cast<std::size_t>(diagonal.size()));
  std::iota(places.begin(), places.end(), Index{0});
  if (count < diagonal.size()) {
    std::stable_sort(places.begin(), places.end(),
                     [&](Index a, Index b) { return diagonal[a] > diagonal[b]; });
    places.resize(static_cast<std::size_t>(count));
    std::sort(places.begin(), places.end());
  }
  return places;
}

// The same features with one score, whose curvature is the mean of the scores'.
Problem one_score(const Problem& problem) {
  Problem one = problem;
  one.loss = Squared{};
  one.scores = 1;
  return one;
}

VectorXd mean_curvature(const LinearFunction& function) {
  const RowMajor& curvature = function.curvature();
  if (!function.problem().softmax()) return curvature.col(0);
  VectorXd mean = (curvature.array() * (1 - curvature.array())).rowwise().mean();
  if (const auto& weights = function.answers().weights; !weights.empty())
    mean.array() *= Eigen::Map<const Eigen::ArrayXd>(weights.data(), mean.size());
  return mean;
}

}  // namespace

Preconditioner::Preconditioner(const LinearFunction& function, const VectorXd& point, Index block,
                               const Monitor& monitor)
    : scores_(function.problem().scores) {
  const Problem& problem = function.problem();
  const VectorXd all = function.hessian_diagonal(monitor);
  diagonal_ = Eigen::Map<const RowMajor>(all.data(), problem.width(), scores_).rowwise().mean();
  if (!problem.bias) diagonal_[0] = 1;
  diagonal_ = diagonal_.cwiseMax(1e-10 * std::max(diagonal_.maxCoeff(), 1e-300));

  // Fewer than ten rows a coordinate would make the block worse than its diagonal.
  block_ = heaviest(diagonal_, std::min({block, problem.width(), problem.source->rows() / 10}));
  if (!problem.bias && !block_.empty() && block_[0] == 0) block_.erase(block_.begin());
  // Ten rows a coordinate leave the block within a few tenths of what all rows would give.
  const double wanted =
      10.0 * static_cast<double>(block_.size()) / static_cast<double>(problem.source->rows());
  const SampledSource rows(*problem.source, std::min(1.0, std::max(wanted, 0.02)));
  const Problem sample = sampled_problem(problem, rows);
  LinearFunction part(sample);
  part.evaluate(point, monitor);
  const Problem single = one_score(sample);
  h_ = coordinate_hessian(single, mean_curvature(part), block_, monitor);
  h_ *= static_cast<double>(problem.source->rows()) / static_cast<double>(rows.rows());
  // The sample's diagonal is brought to that of all rows, so that block and diagonal agree.
  VectorXd fit(h_.rows());
  for (Index k = 0; k < fit.size(); ++k) {
    const double exact = diagonal_[block_[static_cast<std::size_t>(k)]];
    fit[k] = h_(k, k) > 1e-10 * exact ? std::sqrt(exact / h_(k, k)) : 0;
  }
  h_ = fit.asDiagonal() * h_ * fit.asDiagonal();
  for (Index k = 0; k < fit.size(); ++k)
    h_(k, k) = (1 + 1e-10) * diagonal_[block_[static_cast<std::size_t>(k)]];
  factor_.emplace(h_);
  if (factor_->regular()) return;
  h_ = MatrixXd(h_.diagonal().asDiagonal());
  factor_.emplace(h_);
}

VectorXd Preconditioner::solve(const VectorXd& r) const {
  const Eigen::Map<const RowMajor> right(r.data(), diagonal_.size(), scores_);
  RowMajor result = right.array().colwise() / diagonal_.array();
  const MatrixXd part = right(block_, Eigen::all);
  const MatrixXd solved = factor_->solve(part);
  result(block_, Eigen::all) = solved;
  return Eigen::Map<const VectorXd>(result.data(), result.size());
}

VectorXd Preconditioner::multiply(const VectorXd& r) const {
  const Eigen::Map<const RowMajor> right(r.data(), diagonal_.size(), scores_);
  RowMajor result = right.array().colwise() * diagonal_.array();
  const MatrixXd part = right(block_, Eigen::all);
  const MatrixXd product = h_ * part;
  result(block_, Eigen::all) = product;
  return Eigen::Map<const VectorXd>(result.data(), result.size());
}

}  // namespace discern
