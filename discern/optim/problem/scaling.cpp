#include "discern/optim/problem/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "discern/stats/block.hpp"

namespace discern {
namespace {

bool far_from_zero(const ColumnSummary& moments, Index j, double deviations) {
  return !moments.constant(j) && std::fabs(moments.mean[j]) > deviations * moments.deviation[j];
}

// The means of the features far from zero, zero for the others; empty when there are none.
Eigen::VectorXd far_centers(const ColumnSummary& moments) {
  Eigen::VectorXd center = Eigen::VectorXd::Zero(moments.mean.size());
  bool some = false;
  for (Index j = 0; j < center.size(); ++j)
    if (far_from_zero(moments, j, 10)) {
      center[j] = moments.mean[j];
      some = true;
    }
  return some ? center : Eigen::VectorXd();
}

}  // namespace

Scaling fit_scaling(const Source& source, const ScalingOptions& options, const Monitor& monitor) {
  return scaling_of(column_summary(source, monitor), source.sparse(), options);
}

Scaling scaling_of(const ColumnSummary& moments, bool sparse, const ScalingOptions& options) {
  Scaling scaling;
  scaling.weight = moments.weight;
  if (options.bias) scaling.center = sparse ? far_centers(moments) : moments.mean;
  scaling.scale = moments.deviation;
  scaling.penalty.setOnes(moments.mean.size());
  for (Index j = 0; j < moments.mean.size(); ++j) {
    if (moments.constant(j)) {
      // Centred it is zero and keeps a weight of zero; uncentred, as in sparse rows, it is scaled to one.
      const double size = options.bias && !sparse ? 1.0 : std::fabs(moments.mean[j]);
      scaling.scale[j] = size > 0 ? size : 1.0;
    }
    const bool standardized =
        options.standardize && (options.indicator.empty() || !options.indicator[static_cast<std::size_t>(j)]);
    if (!options.bias && far_from_zero(moments, j, 1000)) scaling.far = true;
    if (!standardized) scaling.penalty[j] = 1 / (scaling.scale[j] * scaling.scale[j]);
  }
  return scaling;
}

namespace {

constexpr double too_far = 1000;

// Up to `most` rows of dense features, at even distances.
RowMajor some_rows(const Source& source, Index most) {
  const Index blocks = source.block_count(), taken = std::min<Index>(blocks, 8);
  RowMajor sample(most, source.cols());
  Scratch scratch;
  Index count = 0;
  for (Index k = 0; k < taken; ++k) {
    const Block block = source.block(k * blocks / taken, scratch);
    const Index wanted = std::min(most / taken, block.rows());
    for (Index i = 0; i < wanted; ++i, ++count)
      std::visit(
          [&](const auto& rows) {
            for_each(rows.row(i * block.rows() / wanted), [&](Index j, double v) { sample(count, j) = v; });
          },
          block.x);
  }
  return sample.topRows(count);
}

// In how many rows a feature differs from the row before, but by less than a thousandth of what the center is
// away.
Eigen::VectorXi near_pairs(const RowMajor& rows, const Eigen::VectorXd& center) {
  Eigen::VectorXi count = Eigen::VectorXi::Zero(rows.cols());
  for (Index i = 1; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j) {
      const double difference = std::fabs(rows(i, j) - rows(i - 1, j));
      count[j] +=
          static_cast<int>((difference > 0) & (too_far * difference < std::fabs(rows(i, j) - center[j])));
    }
  return count;
}

// Where values lie closest together: the narrowest quarter of those that differ, two at least.
struct Densest {
  double middle = 0;
  double width = 0;  // zero: all are equal
};
Densest densest(const Eigen::VectorXd& values) {
  std::vector<double> v(values.begin(), values.end());
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
  const std::size_t steps = std::max<std::size_t>(1, v.size() / 4);
  Densest best{v[0], 0};
  for (std::size_t k = 0; k + steps < v.size(); ++k)
    if (const double width = v[k + steps] - v[k]; k == 0 || width < best.width)
      best = {v[k + steps / 2], width};
  return best;
}

}  // namespace

void center_among_rows(Scaling& scaling, const Source& source) {
  if (scaling.center.size() == 0 || source.sparse() || source.rows() == 0) return;
  const RowMajor rows = some_rows(source, 128);
  const Eigen::VectorXi near = near_pairs(rows, scaling.center);
  for (Index j = 0; j < rows.cols(); ++j) {
    if (near[j] == 0 || 20 * near[j] < rows.rows()) continue;  // as chance has it
    const auto [middle, width] = densest(rows.col(j));
    if (width > 0 && std::fabs(scaling.center[j] - middle) > too_far * width) scaling.center[j] = middle;
  }
}

}  // namespace discern
