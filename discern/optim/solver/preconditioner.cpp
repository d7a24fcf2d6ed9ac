#include "discern/optim/solver/preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/base/threads.hpp"
#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/problem/sample.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The part h of each diagonal entry h + l2 that comes from the rows, times its share h / (h + l2): what the
// penalty alone holds is coupled to nothing.
VectorXd held_by_rows(const RowMajor& diagonal, const VectorXd& l2) {
  const auto entries = diagonal.array();
  return ((entries.colwise() - l2.array()).square() / entries).rowwise().sum();
}

// The largest of these, ascending by place.
std::vector<Index> heaviest(const VectorXd& weights, Index count) {
  std::vector<Index> places(static_cast<std::size_t>(weights.size()));
  std::iota(places.begin(), places.end(), Index{0});
  if (count < weights.size()) {
    std::nth_element(places.begin(), places.begin() + count, places.end(), [&](Index a, Index b) {
      return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
    });
    places.resize(static_cast<std::size_t>(count));
    std::sort(places.begin(), places.end());
  }
  return places;
}

// The curvature of every row along one score.
VectorXd curvature_along(const LinearFunction& function, Index score) {
  VectorXd along = function.curvature().col(score);
  if (!function.problem().softmax()) return along;
  along.array() *= 1 - along.array();
  if (const auto& weights = function.answers().weights; !weights.empty())
    along.array() *= Eigen::Map<const Eigen::ArrayXd>(weights.data(), along.size());
  return along;
}

// Without the rows of least curvature that hold a twentieth of it together: of fitted classes most rows are
// nearly certain, and the block, whose diagonal is put right below, hardly needs them (MNIST: its blocks
// take 1.1 instead of 4.3 s and conjugate gradients no more iterations).
void drop_flattest(VectorXd& curvature) {
  constexpr double share = 0.05;
  VectorXd sorted = curvature;
  std::sort(sorted.begin(), sorted.end());
  const double most = share * sorted.sum();
  double sum = 0;
  const auto least = std::find_if(sorted.begin(), sorted.end(), [&](double c) { return (sum += c) > most; });
  if (least != sorted.end()) curvature = (curvature.array() >= *least).select(curvature, 0);
}

// Of dense rows 100 a coordinate make conjugate gradients ten times shorter than 10 do (MNIST); sparse ones,
// where their block is a small part of all coordinates, gain nothing from more than 10. Where it is all of
// them and rows are short it takes no longer than some passes: then it is the Hessian itself, which collinear
// features with hardly a penalty need (a9a at l2 = 1e-4: 0.04 instead of 2 s).
double share_of_rows(const Problem& problem, Index block) {
  const auto rows = static_cast<double>(problem.source->rows());
  double rows_a_coordinate = 100;
  if (problem.source->sparse()) {
    if (block < problem.width() - 1)
      rows_a_coordinate = 10;
    else if (estimated_entries(*problem.source) < 100 * rows)
      return 1;
  }
  return std::clamp(rows_a_coordinate * static_cast<double>(block) / rows, 0.02, 1.0);
}

// The sample's block brought to the diagonal of all rows, so that block and diagonal agree.
MatrixXd fitted_block(MatrixXd h, const VectorXd& diagonal) {
  VectorXd fit(h.rows());
  for (Index k = 0; k < fit.size(); ++k)
    fit[k] = h(k, k) > 1e-10 * diagonal[k] ? std::sqrt(diagonal[k] / h(k, k)) : 0;
  h = fit.asDiagonal() * h * fit.asDiagonal();
  h.diagonal() = (1 + 1e-10) * diagonal;
  return h;
}

// That of the centred features, by what the column of ones has in common with them.
MatrixXd centered_hessian(const Problem& single, const VectorXd& curvature, const std::vector<Index>& block,
                          const Monitor& monitor) {
  std::vector<Index> with_ones{0};
  with_ones.insert(with_ones.end(), block.begin(), block.end());
  const MatrixXd h = coordinate_hessian(single, curvature, with_ones, monitor);
  const Index size = h.rows() - 1;
  const double weight = curvature.sum();
  if (!(weight > 0)) return h.bottomRightCorner(size, size);
  const VectorXd sums = h.col(0).tail(size);
  return h.bottomRightCorner(size, size) - sums * sums.transpose() / weight;
}

}  // namespace

Preconditioner::Preconditioner(const LinearFunction& function, const VectorXd& diagonal, const VectorXd& sums,
                               Index block, const Monitor& monitor)
    : scores_(function.problem().scores) {
  const Problem& problem = function.problem();
  diagonal_ = Eigen::Map<const RowMajor>(diagonal.data(), problem.width(), scores_);
  if (!problem.bias) diagonal_.row(0).setOnes();
  diagonal_ = diagonal_.cwiseMax(1e-10 * std::max(diagonal_.maxCoeff(), 1e-300));
  VectorXd held = held_by_rows(diagonal_, problem.l2);
  if (sums.size() > 0)
    means_ = MeanCorrection(sums, function.mean_curvature(), problem.bias, problem.l2,
                            Eigen::Map<VectorXd>(diagonal_.data(), diagonal_.rows()));
  if (means_.any()) held[0] = 0;

  // Fewer than ten rows a coordinate would make the block worse than its diagonal.
  block_ = heaviest(held, std::min({block, problem.width(), problem.source->rows() / 10}));
  if ((!problem.bias || means_.any()) && !block_.empty() && block_[0] == 0) block_.erase(block_.begin());
  factorise(function, monitor);
  means_.set_inverse([&](const VectorXd& r) { return solve_parts(r); });
}

void Preconditioner::factorise(const LinearFunction& function, const Monitor& monitor) {
  const Problem& problem = function.problem();
  const double share = share_of_rows(problem, static_cast<Index>(block_.size()));
  const SampledSource rows(*problem.source, share);
  const Problem single = one_score(sampled_problem(problem, rows));
  const double factor = static_cast<double>(problem.source->rows()) / static_cast<double>(rows.rows());
  VectorXd first;
  for (Index s = 0; s < scores_; ++s) {
    const VectorXd exact = diagonal_.col(s)(block_);
    VectorXd along = rows.sampled(curvature_along(function, s));
    if (s == 0) first = along;
    if (s > 0 && along == first) {  // at zero all classes look the same
      factors_.push_back(factors_.front());
      continue;
    }
    const bool whole = share == 1 && scores_ == 1 && !means_.any();
    if (!whole) drop_flattest(along);
    const MatrixXd found = factor * (means_.any() ? centered_hessian(single, along, block_, monitor)
                                                  : coordinate_hessian(single, along, block_, monitor));
    factors_.emplace_back(whole ? found : fitted_block(found, exact));
    if (!factors_.back().regular()) factors_.back() = Cholesky(exact.asDiagonal());
  }
}

VectorXd Preconditioner::solve_parts(const VectorXd& r) const {
  VectorXd result(r.size());
  const Eigen::Map<const RowMajor> right(r.data(), diagonal_.rows(), scores_);
  Eigen::Map<RowMajor> z(result.data(), diagonal_.rows(), scores_);
  z = right.array() / diagonal_.array();
  parallel_for(scores_, [&](Index s) {
    const VectorXd part = right.col(s)(block_);
    const VectorXd solved = factors_[static_cast<std::size_t>(s)].solve(part);
    z.col(s)(block_) = solved;
  });
  if (scores_ > 1) z.colwise() -= z.rowwise().mean().eval();
  return result;
}

VectorXd Preconditioner::solve(const VectorXd& r) const {
  return means_.solve(r, [&](const VectorXd& part) { return solve_parts(part); });
}

VectorXd RenewedPreconditioner::solve(const VectorXd& r) {
  is_new_ = !m_ || solutions_ == enough_;
  if (is_new_) {
    const Problem& problem = function_->problem();
    constexpr Index block = 500;
    const bool centers = Preconditioner::centers(problem, block);
    m_.emplace(*function_, function_->hessian_diagonal(monitor_),
               centers ? function_->transposed_times(function_->curvature(), monitor_) : VectorXd(), block,
               monitor_);
    solutions_ = 0;
    enough_ *= 2;
  }
  ++solutions_;
  return m_->solve(r);
}

}  // namespace discern
