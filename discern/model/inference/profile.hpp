// The profile of a likelihood: its best value when one linear form of the parameters is held at a number.
//
//   E(v) = min { E(theta) : c.theta = v }
//
// by Newton's method within the plane c.theta = v: the step is H^-1 (-g + m c) with m such that it stays in
// the plane, and at the minimum m = dE/dv.
#pragma once

#include <Eigen/Core>

#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

struct ProfilePoint {
  Eigen::VectorXd theta;
  double value = 0;  // E(v)
  double slope = 0;  // dE/dv
};

class Profile {
 public:
  // `best` minimises E, whose expansion there is `at`.
  Profile(ExpansionAt expansion, const Eigen::VectorXd& best, const Expansion& at, Monitor monitor);

  // 2 (E(v) - E), at least zero.
  double likelihood_ratio(const Eigen::VectorXd& form, double v) const;
  // The v on one side of the estimate (+1 above, -1 below) where 2 (E(v) - E) = reach^2; infinite when
  // there is none.
  double end(const Eigen::VectorXd& form, double reach, int side) const;

 private:
  ProfilePoint point_at(const Eigen::VectorXd& form, double v, const Eigen::VectorXd& from) const;

  ExpansionAt expansion_;
  Eigen::VectorXd best_;
  Eigen::MatrixXd inverse_;
  double value_ = 0;
  Monitor monitor_;
};

}  // namespace discern
