// The minima of one Problem under a sequence of penalties, each found from the one before: a regularisation path.
//
// At the beginning of the path all weights are zero and the bias, if there is one, is the best for that. With l1 all
// weights remain zero for
//
//   l1 >= max_j |dL/du_j| / sqrt(penalty_j),     L the sum of the losses at the bias alone
//
// With l1 a point may need two kinds of features: those whose weights are not zero, and those whose slope, if it
// goes on in a straight line from the last two points, reaches l1_j. (At the first points the strong rule
// |dL/du_j| > 2 l1_j - l1_j(before) takes the place of the line, Tibshirani and others 2012.) Some features more
// are taken for the points to come. Their columns are gathered once and serve until a point needs another feature
// (working_set.hpp). Newton's method (proximal_newton.hpp) minimises over them, with a Hessian that is kept as long
// as its steps converge. A pass over all features then gives the certificate, and features that were left out
// wrongly are added. Without l1 every point is solved by Newton's method from the one before, with such a Hessian or
// with products. Every point is confirmed as a single fit is (confirm/confirm.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "discern/optim/l1/proximal_newton.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/view/working_set.hpp"

namespace discern {

class PathSolver {
 public:
  // A smooth convex loss; what penalties the problem has does not matter. The bias is not penalised.
  PathSolver(const Problem& problem, const SolverOptions& options);
  PathSolver(const PathSolver&) = delete;
  PathSolver& operator=(const PathSolver&) = delete;

  // The smallest l1 for which all weights are zero. Zero, as the largest l2, when no feature has a slope
  // beyond rounding at the bias alone.
  double largest_l1() const { return largest_l1_; }
  // sum_j H_jj / penalty_j of the Hessian at the bias alone. No eigenvalue is larger, so this l2 shrinks the weights
  // along every direction to half or less.
  double largest_l2() const { return largest_l2_; }
  double bias_only_loss() const { return bias_only_loss_; }

  // The minimum under these penalties; `strength.bias` must be false.
  Minimum next(const PenaltyStrength& strength);

  // At the minimum found last: the sum of the losses, and the degrees of freedom tr(H (H + l2)^-1) of the
  // weights that are not zero, H the Hessian of the losses there. These are as many as the weights without
  // l2; none when the matrix would take too long.
  double loss() const { return loss_; }
  std::optional<double> freedom() const;
  static constexpr Index most_freedom = 1000;  // weights of such a matrix

 private:
  void find_bias();
  void move(const Eigen::VectorXd& point, const Monitor& monitor);
  void move(const Eigen::VectorXd& point, RowMajor scores, const Monitor& monitor);
  void foresee(const Eigen::VectorXd& l1_before);
  Evaluation at() const;  // the smooth part of E at the point
  void note(Minimum& found) const;
  Minimum confirmed(Minimum found);
  Minimum on_working_sets();
  Minimum smooth();
  Minimum with_kept_hessian(const SolverOptions& options);
  void cover(const Monitor& monitor);

  Problem problem_;
  SolverOptions options_;
  LinearFunction function_;
  Eigen::VectorXd gradient_at_zero_;
  double slopes_at_zero_ = 0;
  CertificateScale scale_;  // under the penalties of now
  double slopes_ = 0;       // as an Evaluation has it, at the point
  Eigen::VectorXd point_;
  Eigen::VectorXd slope_;  // of the losses there
  double loss_ = 0;
  // At the point before, and what is expected of the next: where it is, and the sizes of the slopes there.
  Eigen::VectorXd point_earlier_, slope_earlier_;
  double l1_earlier_ = 0;
  Eigen::VectorXd start_, foreseen_;
  double bias_only_loss_ = 0, largest_l1_ = 0, largest_l2_ = 0;
  std::unique_ptr<WorkingSet> set_;
  KeptHessian kept_;
};

}  // namespace discern
