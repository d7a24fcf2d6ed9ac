#include "discern/optim/view/row_space.hpp"

#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/limits.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

RowMajor all_rows(const Source& source, const VectorXd& center, const VectorXd& scale) {
  RowMajor rows(source.rows(), source.cols()), part;
  Scratch scratch;
  for (Index k = 0; k < source.block_count(); ++k) {
    const Block block = source.block(k, scratch);
    dense_rows(block.x, center, scale, part);
    rows.middleRows(block.first, part.rows()) = part;
  }
  return rows;
}

}  // namespace

bool RowSpace::worth_making(const Problem& problem) {
  if (problem.source->sparse() || problem.has_l1() || !(problem.l2.tail(problem.features()).minCoeff() > 0))
    return false;
  return limits::row_space_pays(problem);
}

RowSpace::RowSpace(const Problem& whole) : whole_(&whole), answers_(answers_of(*whole.source)), part_(whole) {
  weight_ = whole.l2.tail(whole.features()).cwiseSqrt().cwiseInverse();
  rows_ = all_rows(*whole.source, whole.scaling.center, whole.scaling.scale.cwiseQuotient(weight_));
  const Index n = rows_.rows();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  k.selfadjointView<Eigen::Lower>().rankUpdate(rows_);
  const Spectrum eigen = spectrum(k);
  const double least = 1e-12 * std::max(eigen.values[0], 1e-300);
  const auto rank = static_cast<Index>((eigen.values.array() > least).count());
  const VectorXd root = eigen.values.head(rank).cwiseSqrt();
  DenseMatrix<double> features{Buffer<double>(n * rank), n, rank};
  Eigen::Map<RowMajor>(features.values.data(), n, rank) = eigen.vectors.leftCols(rank) * root.asDiagonal();
  back_ = eigen.vectors.leftCols(rank) * root.cwiseInverse().asDiagonal();
  features_ = std::move(features);
  part_.source = &source_;
  part_.scaling = Scaling{{}, VectorXd::Ones(rank), VectorXd::Ones(rank), whole.scaling.weight};
  part_.l1 = VectorXd::Zero(rank + 1);
  part_.l2 = VectorXd::Ones(rank + 1);
  part_.l2[0] = whole.l2[0];
}

VectorXd RowSpace::to(const VectorXd& whole_point) const {
  const Eigen::Map<const RowMajor> whole(whole_point.data(), whole_->width(), part_.scores);
  RowMajor point(part_.width(), part_.scores);
  point.row(0) = whole.row(0);
  const RowMajor scores =
      rows_ * (weight_.cwiseInverse().asDiagonal() * whole.bottomRows(whole_->features()));
  point.bottomRows(part_.features()).noalias() = back_.transpose() * scores;
  return point.reshaped<Eigen::RowMajor>();
}

VectorXd RowSpace::from(const VectorXd& part_point) const {
  const Eigen::Map<const RowMajor> part(part_point.data(), part_.width(), part_.scores);
  RowMajor point(whole_->width(), part_.scores);
  point.row(0) = part.row(0);
  const RowMajor a = back_ * part.bottomRows(part_.features());
  point.bottomRows(whole_->features()).noalias() = weight_.asDiagonal() * (rows_.transpose() * a);
  return Eigen::Map<const VectorXd>(point.data(), point.size());
}

}  // namespace discern
