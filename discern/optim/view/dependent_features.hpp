// Features that are combinations of the others, up to the rounding of the data:
//
//   z_j = c_0j + sum_k c_kj z_k     (j: dependent, k: not)
//
// Without a penalty nothing says how they share their weight, and a solver wanders among weights that fit
// equally well until rounding is all that moves it (iris with a combination of two columns ended at twice the
// minimum). So the minimum is sought without them, and of the weights that make the same scores those of
// least norm are given, in the units a penalty would act in: what l2 tends to as it goes to zero, and the
// pseudo-inverse of least squares gives.
//
// Which they are is seen by a QR decomposition of the rows with pivots (stats/triangle.hpp), as in the closed
// form. Mostly a few rows are enough to see that there are none.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/optim/problem/problem.hpp"

namespace discern {

class DependentFeatures {
 public:
  // Whether they matter for a problem and can be found in little enough time.
  static bool worth_finding(const Problem& problem);
  DependentFeatures(const Problem& problem, const Monitor& monitor);

  const std::vector<Index>& features() const { return features_; }
  // A point of the problem without them, where rounding may have given weight to what is zero in every row.
  Eigen::VectorXd cleared(const Eigen::VectorXd& point) const;
  // Of the points that make the same scores: that where their weights are zero, and that of least norm.
  Eigen::VectorXd without(const Eigen::VectorXd& point) const;
  Eigen::VectorXd of_least_norm(const Eigen::VectorXd& point) const;

 private:
  const Problem* problem_;
  std::vector<Index> features_;
  Eigen::MatrixXd same_scores_;  // width x count: the directions along which no score changes
};

}  // namespace discern
