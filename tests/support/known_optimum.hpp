// Problems that are made around a point so that it is their minimum, to test solvers by a direct call.
//
// The slopes of random rows at the point are evened out by anchors. Row e_j gives the weight of feature j the
// slope that is missing there,
//
//   sum_i s_i L'(g_i, y_i) z_ij + l2 u_j + l1 sign(u_j) = 0,
//
// and a row of zeros does the same for the bias. Where u_j = 0 the slope of the losses is inside [-l1, l1].
// Labels and weights of the anchors follow from the formulas of the losses alone, not from any solver.
#pragma once

#include "discern/optim/problem/problem.hpp"

namespace discern::support {

struct OptimumShape {
  Index rows = 60;
  Index cols = 5;
  Index classes = 2;
  bool sparse = false;
  double l1 = 0, l2 = 0.7;
  std::uint64_t seed = 1;
};

class KnownOptimum {
 public:
  // Squared, logistic, squared hinge and softmax losses.
  KnownOptimum(const Loss& loss, const OptimumShape& shape);
  KnownOptimum(const KnownOptimum&) = delete;
  KnownOptimum& operator=(const KnownOptimum&) = delete;

  const Problem& problem() const { return problem_; }
  const Eigen::VectorXd& optimum() const { return optimum_; }
  // E from its definition, row by row.
  double value(const Eigen::VectorXd& point) const;

 private:
  void add_row(const Eigen::VectorXd& z, std::int32_t label, double weight);
  void add_anchor(const Eigen::VectorXd& z, const Eigen::VectorXd& slope);
  Eigen::VectorXd scores_at_optimum(const Eigen::VectorXd& z) const;
  Eigen::VectorXd slope(const Eigen::VectorXd& scores, std::int32_t label) const;
  Eigen::MatrixXd loss_gradient() const;

  std::vector<Eigen::VectorXd> rows_;
  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
  Eigen::VectorXd optimum_;
};

// The hinge, whose minimum lies on its kinks: rows e_j of class +1 and -e_j of class -1, both with the weight
// s_j, have their minimum at b = 0 and
//
//   w_j = min(1, 2 s_j / l2)
class KnownHinge {
 public:
  KnownHinge(const std::vector<double>& weights, double l2);
  KnownHinge(const KnownHinge&) = delete;
  KnownHinge& operator=(const KnownHinge&) = delete;

  const Problem& problem() const { return problem_; }
  const Eigen::VectorXd& optimum() const { return optimum_; }

 private:
  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
  Eigen::VectorXd optimum_;
};

}  // namespace discern::support
