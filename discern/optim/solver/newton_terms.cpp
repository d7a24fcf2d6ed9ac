#include "discern/optim/solver/newton_terms.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;

// The normal equations of a Newton step.
class NewtonTerms {
 public:
  NewtonTerms(const Problem& problem, const MatrixXd& q, const MatrixXd& at)
      : problem_(&problem), q_(&q), at_(&at) {
    gradient_.setZero(at.rows(), at.cols());
    hessian_.setZero(at.size(), at.size());
  }

  void add(const Block& block) {
    if (is_sparse(block.x) && q_->size() == 0) {
      std::visit([&](const auto& rows) { add_sparse_rows(rows, block); }, block.x);
      return;
    }
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z_, 1);
    if (!problem_->bias) z_.col(0).setZero();
    if (q_->size() == 0)
      add_one_score(block);
    else
      add_classes(block);
  }

  void merge(const NewtonTerms& other) {
    value_ += other.value_;
    gradient_ += other.gradient_;
    hessian_ += other.hessian_;
    worst_margin_ = std::min(worst_margin_, other.worst_margin_);
    slopes_ += other.slopes_;
    row_curvature_ += other.row_curvature_;
    flat_ += other.flat_;
  }
  double bytes() const { return 8.0 * static_cast<double>(hessian_.size()); }
  Expansion result() const {
    return {value_, gradient_.reshaped(), hessian_, worst_margin_, slopes_, row_curvature_, flat_};
  }

 private:
  // Row by row: the square of the few entries of a row costs less than a product of mostly zeros.
  template <class R>
  void add_sparse_rows(const R& rows, const Block& block) {
    const Eigen::VectorXd& scale = problem_->scaling.scale;
    factors_.resize(rows.rows, 1);
    for (Index i = 0; i < rows.rows; ++i) {
      double score = problem_->bias ? (*at_)(0, 0) : 0.0;
      for_each(rows.row(i), [&](Index j, double v) { score += v / scale[j] * (*at_)(j + 1, 0); });
      factors_(i, 0) = score;
    }
    note_margins(block);
    add_losses(block);
    std::vector<std::pair<Index, double>> z;
    for (Index i = 0; i < rows.rows; ++i) {
      z.clear();
      if (problem_->bias) z.emplace_back(0, 1.0);
      for_each(rows.row(i), [&](Index j, double v) { z.emplace_back(j + 1, v / scale[j]); });
      const double slope = factors_(i, 0), curvature = curvature_(i, 0);
      for (std::size_t a = 0; a < z.size(); ++a) {
        gradient_(z[a].first, 0) += slope * z[a].second;
        if (curvature == 0) continue;
        const double factor = curvature * z[a].second;
        double* column = hessian_.col(z[a].first).data();
        for (std::size_t b = a; b < z.size(); ++b) column[z[b].first] += factor * z[b].second;
      }
    }
  }

  // The scores become slopes.
  void add_losses(const Block& block) {
    value_ += row_losses(*problem_, block, factors_, &curvature_);
    slopes_ += factors_.cwiseAbs().sum();
    if (q_->size() > 0) return;
    row_curvature_ += curvature_.sum();
    for (Index i = 0; i < factors_.rows(); ++i)
      if (const double weight = block.weight(i); std::fabs(factors_(i, 0)) < flat_slope * weight)
        flat_ += curvature_(i, 0) / weight;
  }

  // Before the scores become slopes.
  void note_margins(const Block& block) {
    if (block.labels.empty()) return;
    for (Index i = 0; i < factors_.rows(); ++i)
      if (block.weight(i) > 0)
        worst_margin_ = std::min(worst_margin_, problem_->target(block, i) * factors_(i, 0));
  }

  void add_one_score(const Block& block) {
    factors_ = z_ * *at_;
    note_margins(block);
    add_losses(block);
    gradient_.col(0).noalias() += z_.transpose() * factors_.col(0);
    // Of a hinge most rows are beyond the margin and have no curvature.
    Index curved = 0;
    for (Index i = 0; i < z_.rows(); ++i)
      if (curvature_(i, 0) != 0) z_.row(curved++) = std::sqrt(curvature_(i, 0)) * z_.row(i);
    if (curved > 0) hessian_.selfadjointView<Eigen::Lower>().rankUpdate(z_.topRows(curved).transpose());
  }

  // Slope Q'(p - e_y) and curvature M = Q'(diag(p) - p p')Q a row; block (a, b) of the Hessian is Z' M_ab Z.
  void add_classes(const Block& block) {
    factors_ = z_ * *at_ * q_->transpose();
    for (Index i = 0; i < z_.rows(); ++i) {
      const auto y = static_cast<Index>(block.labels[static_cast<std::size_t>(i)]);
      double other = -std::numeric_limits<double>::infinity();
      for (Index k = 0; k < factors_.cols(); ++k)
        if (k != y) other = std::max(other, factors_(i, k));
      if (block.weight(i) > 0) worst_margin_ = std::min(worst_margin_, factors_(i, y) - other);
    }
    add_losses(block);
    gradient_.noalias() += z_.transpose() * (factors_ * *q_);
    set_offsets();
    Eigen::VectorXd m(z_.rows());
    RowMajor weighted(z_.rows(), z_.cols());
    for (Index a = 0; a < q_->cols(); ++a)
      for (Index b = 0; b <= a; ++b) {
        for (Index i = 0; i < z_.rows(); ++i) m[i] = block.weight(i) * curvature_between(i, a, b);
        weighted = m.asDiagonal() * z_;
        hessian_.block(a * z_.cols(), b * z_.cols(), z_.cols(), z_.cols()).noalias() +=
            z_.transpose() * weighted;
      }
  }

  // The rows of Q are taken from that of the likeliest class t: with r_k = q_k - q_t
  //
  //   M = sum_k p_k r_k r_k' - o o',     o = sum_k p_k r_k
  //
  // has terms of the size of 1 - p_t alone, and so its digits where a row is nearly certain.
  void set_offsets() {
    likeliest_.resize(static_cast<std::size_t>(z_.rows()));
    offsets_.resize(z_.rows(), q_->cols());
    for (Index i = 0; i < z_.rows(); ++i) {
      Index& t = likeliest_[static_cast<std::size_t>(i)];
      curvature_.row(i).maxCoeff(&t);
      offsets_.row(i) = curvature_.row(i) * (q_->rowwise() - q_->row(t));
    }
  }
  double curvature_between(Index i, Index a, Index b) const {
    const Index t = likeliest_[static_cast<std::size_t>(i)];
    const double* p = curvature_.data() + i * curvature_.cols();
    const double *left = q_->data() + a * q_->rows(), *right = q_->data() + b * q_->rows();
    double sum = 0;
    for (Index k = 0; k < q_->rows(); ++k) sum += p[k] * (left[k] - left[t]) * (right[k] - right[t]);
    return sum - offsets_(i, a) * offsets_(i, b);
  }

  const Problem* problem_;
  const MatrixXd* q_;
  const MatrixXd* at_;
  RowMajor z_, factors_, curvature_, offsets_;
  std::vector<Index> likeliest_;
  double value_ = 0, slopes_ = 0, row_curvature_ = 0, flat_ = 0;
  MatrixXd gradient_;
  MatrixXd hessian_;
  double worst_margin_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Expansion expand(const NewtonCoordinates& view, const Eigen::VectorXd& coordinates, const Monitor& monitor) {
  const Problem& problem = view.problem();
  const MatrixXd at = view.matrix(coordinates);
  Expansion expansion = fold(*problem.source, NewtonTerms(problem, view.basis(), at), monitor).result();
  for (Index s = 0; s < at.cols(); ++s)
    for (Index j = 0; j < at.rows(); ++j) {
      const Index k = s * at.rows() + j;
      const double u = at(j, s), strength = problem.l2[j];
      expansion.value += 0.5 * strength * u * u;
      expansion.gradient[k] += strength * u;
      expansion.hessian(k, k) += strength;
      // What is not there keeps a unit curvature, so that it stays where it is.
      if (j == 0 ? !problem.bias : is_left_out(problem, j - 1)) expansion.hessian(k, k) = 1;
    }
  return expansion;
}

ExpansionAt expansion_of(const Problem& problem) {
  return [view = NewtonCoordinates(problem)](const Eigen::VectorXd& coordinates, const Monitor& monitor) {
    return expand(view, coordinates, monitor);
  };
}

}  // namespace discern
