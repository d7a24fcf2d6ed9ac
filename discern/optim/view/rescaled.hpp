// A problem with its features in units that fit a point.
//
// A feature is scaled by its standard deviation, which a few extreme cells may determine (a 1e9 that stands for a
// missing value). If these rows are far on their side of the plane, their loss is flat, and among all other rows the
// feature hardly varies in units of its deviation. The gradient of its weight is then nearly zero whatever the
// weight, and proves nothing: a squared hinge ended at one and a half times its minimum. The diagonal of the
// Hessian shows this case,
//
//   left_j = H_jj / sum_i s_i L''(g_i),     about 1 in units of the deviation,
//
// and where left_j < 1e-4 the unit of the feature becomes sqrt(left_j) of its deviation. (The error of E goes
// with the square of a slope over its curvature, so larger values cost no digits that matter.) Rows of
// vanishing slope (flat_slope in problem.hpp) do not count. The scale of certificates stays in units of the
// deviations (problem/certificate.hpp).
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/candidate.hpp"
#include "discern/optim/view/problem_view.hpp"

namespace discern {

// The unit of each feature that fits a candidate, as a share of the deviation: 1 where enough is left. From
// the Hessian's diagonal that the solver has found, or where it has none in two passes.
Eigen::VectorXd fitting_units(Candidate& candidate);

class RescaledProblem : public ProblemView {
 public:
  // What `whole` refers to must outlive it.
  RescaledProblem(const Problem& whole, const Eigen::VectorXd& units);

  const Problem& problem() const override { return rescaled_; }
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  Eigen::VectorXd from(const Eigen::VectorXd& view_point) const override;
  Eigen::VectorXd diagonal_from(const Eigen::VectorXd& diagonal) const override;

 private:
  Problem rescaled_;
  Eigen::VectorXd units_;  // of every coordinate
};

}  // namespace discern
