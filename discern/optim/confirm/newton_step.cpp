#include "discern/optim/confirm/newton_step.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// What the scores of the rows change by along directions.
class Changes {
 public:
  Changes(const LinearFunction& function, const MatrixXd& directions)
      : problem_(&function.problem()), curvature_(&function.curvature()) {
    for (Index s = 0; s < problem_->scores; ++s)
      directions_.emplace_back(directions(Eigen::seqN(s, problem_->width(), problem_->scores), Eigen::all));
  }

 protected:
  // Of all rows of a block, for each score. Those of softmax are taken from the likeliest class, so that what
  // moves all scores alike leaves nothing.
  void load(const Block& block) {
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z_, 1);
    if (!problem_->bias) z_.col(0).setZero();
    change_.resize(directions_.size());
    for (std::size_t s = 0; s < change_.size(); ++s) change_[s].noalias() = z_ * directions_[s];
    if (!problem_->softmax()) return;
    for (Index i = 0; i < z_.rows(); ++i) {
      Index likeliest = 0;
      curvature_->row(block.first + i).maxCoeff(&likeliest);
      const Eigen::RowVectorXd origin = change_[static_cast<std::size_t>(likeliest)].row(i);
      for (RowMajor& change : change_) change.row(i) -= origin;
    }
  }
  // Less their mean over the classes, by the probabilities of row i.
  void center(const Block& block, Index i) {
    const auto p = curvature_->row(block.first + i);
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(change_[0].cols());
    for (Index k = 0; k < p.size(); ++k) mean += p[k] * change_[static_cast<std::size_t>(k)].row(i);
    for (RowMajor& change : change_) change.row(i) -= mean;
  }
  // s L'', or s p of one class.
  double curvature(const Block& block, Index i, std::size_t score) const {
    const double curvature = (*curvature_)(block.first + i, static_cast<Index>(score));
    return problem_->softmax() ? block.weight(i) * curvature : curvature;
  }
  double bytes_a_block() const {
    return 8.0 *
           static_cast<double>(problem_->source->rows_per_block() * problem_->scores * directions_[0].cols());
  }

  const Problem* problem_;
  const RowMajor* curvature_;
  RowMajor z_;
  std::vector<RowMajor> change_;

 private:
  std::vector<MatrixXd> directions_;  // of every score
};

// The curvature and the slope of the loss along directions. With the mean m of the changes t_k of a row,
// T'(diag(p) - p p')T = sum_k p_k (t_k - m)(t_k - m)'.
class DirectionTerms : public Changes {
 public:
  DirectionTerms(const LinearFunction& function, const RowMajor& slopes, const MatrixXd& directions)
      : Changes(function, directions), slopes_(&slopes) {
    second_.setZero(directions.cols(), directions.cols());
    first_.setZero(directions.cols());
  }

  void add(const Block& block) {
    load(block);
    const auto slopes = slopes_->middleRows(block.first, z_.rows());
    for (std::size_t s = 0; s < change_.size(); ++s)
      first_.noalias() += change_[s].transpose() * slopes.col(static_cast<Index>(s));
    if (problem_->softmax())
      for (Index i = 0; i < z_.rows(); ++i) center(block, i);
    for (std::size_t s = 0; s < change_.size(); ++s) {
      for (Index i = 0; i < z_.rows(); ++i) change_[s].row(i) *= std::sqrt(curvature(block, i, s));
      second_.selfadjointView<Eigen::Lower>().rankUpdate(change_[s].transpose());
    }
  }
  void merge(const DirectionTerms& other) {
    second_ += other.second_;
    first_ += other.first_;
  }
  double bytes() const { return 8.0 * static_cast<double>(second_.size()) + bytes_a_block(); }
  MatrixXd second() const { return second_.selfadjointView<Eigen::Lower>(); }
  const VectorXd& first() const { return first_; }

 private:
  const RowMajor* slopes_;
  MatrixXd second_;  // lower triangle
  VectorXd first_;
};

// The products of the loss's Hessian with directions.
class DirectionProducts : public Changes {
 public:
  DirectionProducts(const LinearFunction& function, const MatrixXd& directions)
      : Changes(function, directions) {
    products_.assign(static_cast<std::size_t>(problem_->scores),
                     MatrixXd::Zero(problem_->width(), directions.cols()));
  }

  void add(const Block& block) {
    load(block);
    if (problem_->softmax())
      for (Index i = 0; i < z_.rows(); ++i) center(block, i);
    for (std::size_t s = 0; s < change_.size(); ++s) {
      for (Index i = 0; i < z_.rows(); ++i) change_[s].row(i) *= curvature(block, i, s);
      products_[s].noalias() += z_.transpose() * change_[s];
    }
  }
  void merge(const DirectionProducts& other) {
    for (std::size_t s = 0; s < products_.size(); ++s) products_[s] += other.products_[s];
  }
  double bytes() const {
    return 8.0 * static_cast<double>(problem_->scores * products_[0].size()) + bytes_a_block();
  }
  MatrixXd result() const {
    MatrixXd all(problem_->size(), products_[0].cols());
    for (std::size_t s = 0; s < products_.size(); ++s)
      all(Eigen::seqN(static_cast<Index>(s), problem_->width(), problem_->scores), Eigen::all) = products_[s];
    return all;
  }

 private:
  std::vector<MatrixXd> products_;  // of every score
};

// The step from a point along directions.
class StepAlong {
 public:
  // `kink`: the slope of l1 at the point.
  StepAlong(const LinearFunction& function, const VectorXd& point, const RowMajor& slopes,
            const VectorXd& kink, const Monitor& monitor)
      : function_(&function),
        slopes_(&slopes),
        monitor_(&monitor),
        penalty_(point.size()),
        penalty_slope_(kink),
        diagonal_(function.hessian_diagonal(monitor)) {
    const Problem& problem = function.problem();
    for (Index c = 0; c < point.size(); ++c) penalty_[c] = problem.l2[c / problem.scores];
    penalty_slope_ += penalty_.cwiseProduct(point);
  }

  VectorXd operator()(const MatrixXd& directions) const {
    const DirectionTerms terms = fold(source(), DirectionTerms(*function_, *slopes_, directions), *monitor_);
    const MatrixXd curvature = terms.second() + directions.transpose() * penalty_.asDiagonal() * directions;
    const VectorXd slope = terms.first() + directions.transpose() * penalty_slope_;
    const Places seen = seen_along(directions, curvature);
    if (seen.size() == 0) return VectorXd::Zero(directions.rows());
    return solved(directions(Eigen::all, seen), curvature(seen, seen), slope(seen));
  }

 private:
  using Places = Eigen::Array<Index, Eigen::Dynamic, 1>;

  const Source& source() const { return *function_->problem().source; }
  // Those with more curvature than the rounding of their terms makes.
  Places seen_along(const MatrixXd& directions, const MatrixXd& curvature) const {
    constexpr double rounding = 1e-15;
    const double share = rounding * rounding * static_cast<double>(directions.rows());
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
    MatrixXd left = directions * factor.flat();
    if (left.cols() == 0) return step;
    // The spectrum has them with a share of the others, which shows in their products with H.
    const MatrixXd products = fold(source(), DirectionProducts(*function_, left), *monitor_).result() +
                              penalty_.asDiagonal() * left;
    left -= directions * factor.solve(directions.transpose() * products).x;
    return step + (*this)(left);
  }

  const LinearFunction* function_;
  const RowMajor* slopes_;
  const Monitor* monitor_;
  VectorXd penalty_, penalty_slope_, diagonal_;
};

}  // namespace

MatrixXd free_directions(const Problem& problem, const VectorXd& point, const VectorXd& residual) {
  const Index absent = problem.bias ? 0 : 1;
  if (problem.has_l1()) {
    std::vector<Index> places;
    for (Index c = absent * problem.scores; c < problem.size(); ++c)
      if (point[c] != 0 || residual[c] != 0) places.push_back(c);
    MatrixXd free = MatrixXd::Zero(problem.size(), static_cast<Index>(places.size()));
    for (std::size_t k = 0; k < places.size(); ++k) free(places[k], static_cast<Index>(k)) = 1;
    return free;
  }
  const MatrixXd classes = problem.softmax() ? sum_zero_basis(problem.scores) : MatrixXd::Ones(1, 1);
  MatrixXd free = MatrixXd::Zero(problem.size(), (problem.width() - absent) * classes.cols());
  Index columns = 0;
  for (Index j = absent; j < problem.width(); ++j) {
    if (j > 0 && is_left_out(problem, j - 1)) continue;
    free.block(j * classes.rows(), columns, classes.rows(), classes.cols()) = classes;
    columns += classes.cols();
  }
  return free.leftCols(columns);
}

MatrixXd free_hessian(const Problem& problem, const RowMajor& curvature, const MatrixXd& free,
                      const Monitor& monitor) {
  std::vector<Index> all(static_cast<std::size_t>(problem.size()));
  std::iota(all.begin(), all.end(), 0);
  return free.transpose() * coordinate_hessian(problem, curvature, all, monitor) * free;
}

VectorXd newton_step(const LinearFunction& function, const VectorXd& point, const RowMajor& slopes,
                     const Monitor& monitor) {
  const Problem& problem = function.problem();
  VectorXd gradient = function.transposed_times(slopes, monitor);
  add_l2_gradient(problem, point, gradient);
  const VectorXd residual = least_subgradient(problem, point, gradient);
  const MatrixXd free = free_directions(problem, point, residual);
  if (free.cols() == 0) return VectorXd::Zero(point.size());
  return StepAlong(function, point, slopes, residual - gradient, monitor)(free);
}

}  // namespace discern
