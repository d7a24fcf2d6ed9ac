#include "discern/optim/newton_step.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/newton_terms.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The curvature and the slope of the loss along directions, from the rows.
class DirectionTerms {
 public:
  DirectionTerms(const LinearFunction& function, const RowMajor& slopes, const MatrixXd& directions)
      : problem_(&function.problem()), curvature_(&function.curvature()), slopes_(&slopes) {
    for (Index s = 0; s < problem_->scores; ++s)
      directions_.emplace_back(directions(Eigen::seqN(s, problem_->width(), problem_->scores), Eigen::all));
    second_.setZero(directions.cols(), directions.cols());
    first_.setZero(directions.cols());
  }

  void add(const Block& block) {
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z_, 1);
    if (!problem_->bias) z_.col(0).setZero();
    change_.resize(directions_.size());
    for (std::size_t s = 0; s < change_.size(); ++s) change_[s].noalias() = z_ * directions_[s];
    for (Index i = 0; i < z_.rows(); ++i)
      problem_->softmax() ? add_classes(block, i) : add_one_score(block, i);
    for (const RowMajor& rows : change_) second_.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  }
  void merge(const DirectionTerms& other) {
    second_ += other.second_;
    first_ += other.first_;
  }
  double bytes() const { return 8.0 * static_cast<double>(second_.size()); }
  MatrixXd second() const { return second_.selfadjointView<Eigen::Lower>(); }
  const VectorXd& first() const { return first_; }

 private:
  // The changes of row i, which become the rows of a square root of its part.
  void add_one_score(const Block& block, Index i) {
    auto change = change_[0].row(i);
    first_ += (*slopes_)(block.first + i, 0) * change.transpose();
    change *= std::sqrt((*curvature_)(block.first + i, 0));
  }
  // T'(diag(p) - p p')T = sum_k p_k (t_k - m)(t_k - m)' with the mean m, all taken from the likeliest class,
  // so that what moves all scores alike leaves nothing.
  void add_classes(const Block& block, Index i) {
    const auto p = curvature_->row(block.first + i);
    Index likeliest = 0;
    p.maxCoeff(&likeliest);
    const Eigen::RowVectorXd origin = change_[static_cast<std::size_t>(likeliest)].row(i);
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(origin.size());
    for (Index k = 0; k < p.size(); ++k) {
      auto change = change_[static_cast<std::size_t>(k)].row(i);
      change -= origin;
      mean += p[k] * change;
      first_ += (*slopes_)(block.first + i, k) * change.transpose();
    }
    for (Index k = 0; k < p.size(); ++k) {
      auto change = change_[static_cast<std::size_t>(k)].row(i);
      change = std::sqrt(block.weight(i) * p[k]) * (change - mean);
    }
  }

  const Problem* problem_;
  const RowMajor *curvature_, *slopes_;
  std::vector<MatrixXd> directions_;  // of every score
  RowMajor z_;
  std::vector<RowMajor> change_;
  MatrixXd second_;  // lower triangle
  VectorXd first_;
};

// The step from a point along directions.
class StepAlong {
 public:
  StepAlong(const LinearFunction& function, const VectorXd& point, const RowMajor& slopes)
      : function_(&function), point_(&point), slopes_(&slopes), diagonal_(function.hessian_diagonal({})) {
    const Problem& problem = function.problem();
    penalty_.resize(point.size());
    for (Index c = 0; c < point.size(); ++c) penalty_[c] = problem.l2[c / problem.scores];
  }

  VectorXd operator()(const MatrixXd& directions) const {
    const DirectionTerms terms =
        fold(*function_->problem().source, DirectionTerms(*function_, *slopes_, directions));
    const MatrixXd held = penalty_.asDiagonal() * directions;
    const MatrixXd curvature = terms.second() + directions.transpose() * held;
    const VectorXd slope = terms.first() + held.transpose() * *point_;
    const Places seen = seen_along(directions, curvature);
    if (seen.size() == 0) return VectorXd::Zero(point_->size());
    return solved(directions(Eigen::all, seen), curvature(seen, seen), slope(seen));
  }

 private:
  // Those with more curvature than the rounding of their terms makes.
  using Places = Eigen::Array<Index, Eigen::Dynamic, 1>;
  Places seen_along(const MatrixXd& directions, const MatrixXd& curvature) const {
    constexpr double rounding = 1e-15;
    const double share = rounding * rounding * static_cast<double>(point_->size());
    Places seen(directions.cols());
    Index count = 0;
    for (Index k = 0; k < directions.cols(); ++k)
      if (curvature(k, k) > share * diagonal_.dot(directions.col(k).cwiseAbs2())) seen[count++] = k;
    return seen.head(count);
  }
  VectorXd solved(const MatrixXd& directions, const MatrixXd& curvature, const VectorXd& slope) const {
    constexpr double faint = 1e-9;
    const SemidefiniteFactor factor(curvature, faint);
    const VectorXd step = directions * factor.solve(-slope).x;
    if (factor.flat().cols() == 0) return step;
    MatrixXd left = directions * factor.flat();
    // The spectrum has them with a share of the others, which shows in their products with H.
    left -= directions * factor.solve(directions.transpose() * hessian_times(left)).x;
    return step + (*this)(left);
  }
  MatrixXd hessian_times(const MatrixXd& directions) const {
    MatrixXd products(directions.rows(), directions.cols());
    for (Index k = 0; k < products.cols(); ++k)
      products.col(k) = function_->hessian_times(directions.col(k), nullptr, {});
    return products;
  }

  const LinearFunction* function_;
  const VectorXd* point_;
  const RowMajor* slopes_;
  VectorXd diagonal_, penalty_;
};

}  // namespace

MatrixXd free_directions(const Problem& problem) {
  const MatrixXd classes = problem.softmax() ? sum_zero_basis(problem.scores) : MatrixXd::Ones(1, 1);
  const Index absent = problem.bias ? 0 : 1;
  MatrixXd free = MatrixXd::Zero(problem.size(), (problem.width() - absent) * classes.cols());
  for (Index j = absent; j < problem.width(); ++j)
    free.block(j * classes.rows(), (j - absent) * classes.cols(), classes.rows(), classes.cols()) = classes;
  return free;
}

MatrixXd free_hessian(const Problem& problem, const RowMajor& curvature, const MatrixXd& free) {
  std::vector<Index> all(static_cast<std::size_t>(problem.size()));
  std::iota(all.begin(), all.end(), 0);
  return free.transpose() * coordinate_hessian(problem, curvature, all, {}) * free;
}

VectorXd newton_step(const LinearFunction& function, const VectorXd& point, const RowMajor& slopes) {
  return StepAlong(function, point, slopes)(free_directions(function.problem()));
}

}  // namespace discern
