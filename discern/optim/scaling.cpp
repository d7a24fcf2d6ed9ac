#include "discern/optim/scaling.hpp"

#include <algorithm>
#include <cmath>

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

double gradient_scale(double norm_at_zero, double weight) { return std::max(norm_at_zero, 1e-6 * weight); }

}  // namespace discern
