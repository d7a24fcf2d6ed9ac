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

// From the moments of the features. `sparse`: only features far from zero are centred, those whose mean is more
// than ten standard deviations from zero (a feature of zeros and ones with 99 % ones is one). What happens to
// uncentred features: at 30 deviations the steps of sgd bring no progress, from 300 on coordinate descent with
// l1 takes hundreds of rounds, and near 1e9 double precision no longer distinguishes the rows.
Scaling scaling_of(const ColumnSummary& moments, bool sparse, const ScalingOptions& options);
Scaling fit_scaling(const Source& source, const ScalingOptions& options, const Monitor& monitor);

// One cell of 1e15 among ones moves the mean of a column so far that x - mean loses all digits in which the other
// rows differ. So the centre of a dense feature becomes the place where its values lie closest together, if the
// mean is more than a thousand widths of that group away from it. The answer does not depend on the centre.
void center_among_rows(Scaling& scaling, const Source& source);

}  // namespace discern
