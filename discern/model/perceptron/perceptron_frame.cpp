#include "discern/model/perceptron/perceptron_frame.hpp"

#include <cmath>

#include "discern/model/linear/linear_parts.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/ordinary_values.hpp"

namespace discern {

double PerceptronFrame::squared_length(const Linear& plane) const {
  double sum = plane.bias.squaredNorm();
  for (Index k = 0; k < plane.scores(); ++k)
    sum += plain() ? plane.weights.row(k).squaredNorm()
                   : (plane.weights.row(k).transpose().array().square() / metric.array()).sum();
  return sum;
}

PerceptronFrame fit_frame(const Training& training, bool bias) {
  const Index d = training.source.cols();
  PerceptronFrame frame;
  frame.bias = bias;
  if (!training.standardize && fold(training.source, OrdinaryValues(), training.monitor).all()) return frame;
  const ColumnSummary columns =
      training.columns != nullptr ? *training.columns : column_summary(training.source, training.monitor);
  check_spread(training, columns.deviation);
  if (!training.standardize) return frame;
  frame.metric.setOnes(d);
  if (bias) frame.center.setZero(d);
  for (Index j = 0; j < d; ++j) {
    if (!training.standardizes(j)) continue;
    if (bias) frame.center[j] = columns.mean[j];
    // A constant feature is zero when centred and keeps a weight of zero; uncentred it is scaled to one.
    double scale = columns.deviation[j];
    if (columns.constant(j)) scale = bias ? 1 : std::fabs(columns.mean[j]);
    if (scale > 0) frame.metric[j] = 1 / (scale * scale);
  }
  return frame;
}

}  // namespace discern
