// The coordinates in which a linear model is fitted: every feature centred and divided by its standard
// deviation, so that badly scaled data cost nothing. The answer does not change, because the penalty is
// carried over exactly:
//
//   z_j = (x_j - center_j) / scale_j,   u_j = w_j scale_j,   l2/2 sum_j w_j^2 = l2/2 sum_j penalty_j u_j^2
//
// with penalty_j = 1 when the penalty acts on the standardised feature and 1 / scale_j^2 when it acts on the
// feature as it is. Without a bias nothing may be centred; sparse features are not centred so that they
// stay sparse (the bias makes up for it).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern {

struct Scaling {
  Eigen::VectorXd center;  // empty when nothing is centred
  Eigen::VectorXd scale;
  Eigen::VectorXd penalty;
  double weight = 0;  // sum of the sample weights
};

struct ScalingOptions {
  bool bias = true;
  bool standardize = false;     // the penalty acts on standardised features
  std::vector<bool> indicator;  // features it never acts on in that way; empty: none
};

// From the moments of the features; `sparse`: they are not to be centred.
Scaling scaling_of(const ColumnSummary& moments, bool sparse, const ScalingOptions& options);
Scaling fit_scaling(const Source& source, const ScalingOptions& options, const Monitor& monitor);

// What a gradient norm is compared with: |grad E(0)|, or a millionth of the sample weight when that is
// larger, since a gradient that starts at zero up to rounding has nothing to shrink from.
double gradient_scale(double norm_at_zero, double weight);

}  // namespace discern
