// Features that are combinations of the others, up to the rounding of the data:
//
//   z_j = c_0j + sum_k c_kj z_k     (j: dependent, k: not)
//
// Without a penalty nothing determines how they share their weight. A solver then moves among weights that fit
// equally well, until its steps are rounding only (iris with a combination of two columns ended at twice the
// minimum). So the minimum is sought without the dependent features. Of all weights with the same scores those of
// least norm are given, in the units in which a penalty would act. They are the limit of the ridge as l2 goes to
// zero, and what the pseudo-inverse gives in least squares.
//
// They are found by a QR decomposition of the rows with pivots (stats/triangle.hpp), as in the closed form.
// Usually some of the rows are enough to prove that there are none.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "discern/optim/view/problem_view.hpp"

namespace discern {

struct DependentFeatures {
  std::vector<Index> features = {};
  Eigen::MatrixXd same_scores = {};  // width x count: the directions along which no score changes
};

// Those of a problem, whatever its classes; nothing where they do not matter or would take too long to find.
std::optional<DependentFeatures> find_dependent_features(const Problem& problem, const Monitor& monitor);

// The problem without them: of infinite scale they are zero in every row.
class IndependentProblem : public ProblemView {
 public:
  // Both must outlive it.
  IndependentProblem(const Problem& whole, const DependentFeatures& dependent);

  const Problem& problem() const override { return part_; }
  // The point with the same scores whose weights of dependent features are zero.
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  // Clears what rounding may have given to features that are zero in every row.
  Eigen::VectorXd from(const Eigen::VectorXd& view_point) const override;
  // Of the points with the same scores the one of least norm.
  Eigen::VectorXd of_least_norm(const Eigen::VectorXd& whole_point) const;

 private:
  const Problem* whole_;
  const DependentFeatures* dependent_;
  Problem part_;
};

}  // namespace discern
