// The coordinates in which a linear model is fitted: every feature centred and divided by its standard
// deviation, so that badly scaled data cost nothing. The answer does not change, because the penalty is
// carried over exactly:
//
//   z_j = (x_j - center_j) / scale_j,   u_j = w_j scale_j,   l2/2 sum_j w_j^2 = l2/2 sum_j penalty_j u_j^2
//
// with penalty_j = 1 when the penalty acts on the standardised feature and 1 / scale_j^2 when it acts on the
// feature as it is. Without a bias nothing may be centred. Sparse features stay sparse: only those are
// centred that are far from zero, which have an entry in nearly every row anyway (the bias makes up for the
// others).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern {

struct Scaling {
  Eigen::VectorXd center;  // empty when nothing is centred
  Eigen::VectorXd scale;   // infinite for a feature that is left out (problem.hpp)
  Eigen::VectorXd penalty;
  double weight = 0;  // sum of the sample weights
  // Some feature that nothing centres is more than a thousand deviations from zero: single precision has less
  // than five digits of what tells the rows apart.
  bool far = false;
  // What was taken off the rows before (shifted_source.hpp), which then have no centre; empty: nothing.
  Eigen::VectorXd origin = {};

  // The scales as shares of the deviations, in a rescaled problem (view/rescaled.hpp); empty: ones.
  Eigen::VectorXd units = {};

  // The features of the file at z = 0; empty: zero.
  const Eigen::VectorXd& at_zero() const { return origin.size() > 0 ? origin : center; }
};

struct ScalingOptions {
  bool bias = true;
  bool standardize = false;     // the penalty acts on standardised features
  std::vector<bool> indicator;  // features it never acts on in that way; empty: none
};

// From the moments of the features; `sparse`: only those far from zero are to be centred, by more than ten
// standard deviations (a feature of zeros and ones is, when 99 % of it are ones). At 30 the steps of sgd do
// no good any more, from 300 on coordinate descent takes hundreds of rounds for an l1, and near 1e9 the
// digits are gone that tell the rows apart.
Scaling scaling_of(const ColumnSummary& moments, bool sparse, const ScalingOptions& options);
Scaling fit_scaling(const Source& source, const ScalingOptions& options, const Monitor& monitor);

// Moves the centres of dense features to where some rows lie closest together, if the mean is further from
// there than a thousand times their width, as one cell of 1e15 among ones makes it. At the mean no digits
// would be left of what tells them apart. The answer does not depend on the centre.
void center_among_rows(Scaling& scaling, const Source& source);

}  // namespace discern
