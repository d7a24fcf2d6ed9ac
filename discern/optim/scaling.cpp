#include "discern/optim/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "discern/stats/fold.hpp"

namespace discern {

Scaling fit_scaling(const Source& source, const ScalingOptions& options, const Monitor& monitor) {
  return scaling_of(fold(source, ColumnMoments(source.cols()), monitor).result(), source.sparse(), options);
}

Scaling scaling_of(const ColumnSummary& moments, bool sparse, const ScalingOptions& options) {
  Scaling scaling;
  scaling.weight = moments.weight;
  if (options.bias && !sparse) scaling.center = moments.mean;
  scaling.scale = moments.deviation;
  scaling.penalty.setOnes(moments.mean.size());
  for (Index j = 0; j < moments.mean.size(); ++j) {
    if (moments.constant(j)) {
      // Centred it is zero and keeps a weight of zero; uncentred it is scaled to one.
      const double size = scaling.center.size() > 0 ? 1.0 : std::fabs(moments.mean[j]);
      scaling.scale[j] = size > 0 ? size : 1.0;
    }
    const bool standardized =
        options.standardize && (options.indicator.empty() || !options.indicator[static_cast<std::size_t>(j)]);
    if (!standardized) scaling.penalty[j] = 1 / (scaling.scale[j] * scaling.scale[j]);
  }
  return scaling;
}

double gradient_scale(double norm_at_zero, double weight) { return std::max(norm_at_zero, 1e-6 * weight); }

}  // namespace discern
