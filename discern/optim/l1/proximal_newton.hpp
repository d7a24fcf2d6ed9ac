// Newton's method on a smooth convex loss with l1 (and l2) penalties, for the few features of a working set:
//
//   u <- u + t d,   u + d = the minimum of the quadratic model of the loss around u, plus the penalties
//
// The minimum of the model is found by coordinate descent: on its matrix (quadratic_cd.hpp), or on sparse columns
// (column_cd.hpp) as long as that makes progress. A line search on the scores gives t. On squared loss one step is
// exact.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "discern/optim/l1/column_cd.hpp"
#include "discern/optim/l1/kept_hessian.hpp"
#include "discern/optim/problem/function.hpp"

namespace discern {

class ProximalNewton {
 public:
  // `columns`: of the problem's features where they are sparse and many, or null. `kept`: where to keep a
  // Hessian, or null; for problems of few coordinates (keeps_hessian).
  ProximalNewton(const Problem& problem, const SparseColumns* columns, const Eigen::VectorXd& start,
                 const Monitor& monitor, KeptHessian* kept = nullptr);

  // Until the least subgradient is at most `enough`; false when rounding leaves nothing more to gain.
  // `watch`: called after every step, or empty.
  bool run(double enough, Index max_steps, const std::function<void()>& watch = {});
  // One more step once the tolerance has been reached: it squares the error, for a little more work. Then sets to
  // zero the weights that only rounding keeps from it, if the least subgradient stays within `enough`.
  void polish(double enough);

  static bool keeps_hessian(const Problem& problem);
  const Eigen::VectorXd& point() const { return point_; }
  const RowMajor& scores() const { return function_.scores(); }  // of the rows at the point
  Index steps() const { return steps_; }

 private:
  Eigen::VectorXd residual() const { return least_subgradient(*problem_, point_, at_.gradient); }
  std::vector<Index> free_coordinates() const;
  void make_kept();
  void count_gain(bool moved, double norm);  // of the step before which the subgradient was of this length
  bool crawls() const { return crawled_ >= 2; }
  void drop_small(double enough);
  void go(const Eigen::VectorXd& point);
  bool step(double norm, double enough, double accuracy);
  Eigen::VectorXd gram_step(const std::vector<Index>& coordinates, double accuracy) const;
  Eigen::VectorXd kept_step(double accuracy);
  Eigen::VectorXd column_step(double accuracy) const;
  Eigen::VectorXd support_cg(Eigen::VectorXd v, double accuracy) const;
  double first_norm(double norm);
  double predicted_fall(const Eigen::VectorXd& direction) const;
  bool search(const Eigen::VectorXd& direction, double norm);

  const Problem* problem_;
  const SparseColumns* columns_;
  KeptHessian* kept_;
  LinearFunction function_;
  Monitor monitor_;
  Eigen::VectorXd point_;
  Evaluation at_;
  double first_norm_ = 0;
  int crawled_ = 0;  // steps in a row that gained little
  Index steps_ = 0;
};

}  // namespace discern
