// The matrix of a quadratic model, kept for use in later models: at later points, as long as the curvature of the
// losses has changed little (that of squared loss never changes), and in later problems that have other penalties,
// or for squared loss other features, too.
#pragma once

#include <Eigen/Core>

#include "discern/optim/view/working_set.hpp"
#include "discern/stats/updated_cholesky.hpp"

namespace discern {

struct KeptHessian {
  Eigen::MatrixXd matrix;  // of the bias, where there is one, and all weights; empty: not made yet
  Eigen::VectorXd l2;      // that it contains, as in Problem
  UpdatedCholesky factor;
};

// What a kept Hessian of squared loss becomes when the working set changes: what both sets have is taken
// over, the columns of new features come from a pass over the rows. Empty where it cannot be kept, as when l2
// has changed. `curvature`: of the rows, as row_losses gives it.
KeptHessian carried_over(KeptHessian kept, const std::vector<Index>& features_before, const WorkingSet& set,
                         const RowMajor& curvature, const Monitor& monitor);

}  // namespace discern
