#include "discern/optim/l1/quadratic_cd.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "discern/penalty/elastic_net.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Sweeps {
 public:
  Sweeps(const MatrixXd& h, UpdatedCholesky& factor, const QuadraticProblem& problem, double accuracy)
      : h_(&h),
        factor_(&factor),
        p_(&problem),
        negligible_(0.1 * accuracy / std::sqrt(static_cast<double>(std::max<Index>(problem.u.size(), 1)))),
        v_(problem.u),
        q_(problem.g) {}

  // One step in every coordinate whose slope matters.
  void sweep() {
    for (Index c = 0; c < v_.size(); ++c) {
      const double curvature = (*h_)(c, c);
      const ElasticNet penalty{p_->l1[c], 0};
      if (!(curvature > 0) && !penalty.holds(q_[c])) continue;
      const double before = v_[c];
      if (std::fabs(penalty.residual(before, q_[c])) <= negligible_) continue;
      const double after = penalty.step(before, q_[c], curvature);
      if (after == before) continue;
      q_ += (after - before) * h_->col(c);
      v_[c] = after;
    }
  }

  double residual() const {
    double sum = 0;
    for (Index c = 0; c < v_.size(); ++c) {
      const double r = ElasticNet{p_->l1[c], 0}.residual(v_[c], q_[c]);
      sum += r * r;
    }
    return std::sqrt(sum);
  }

  // Newton's step for the coordinates that are not zero, with their signs as they are; those that would
  // change sign stop at zero. Shortened until the function falls; false if it never does.
  bool solve_support() {
    std::vector<Index> support;
    for (Index c = 0; c < v_.size(); ++c)
      if ((*h_)(c, c) > 0 && (v_[c] != 0 || p_->l1[c] == 0)) support.push_back(c);
    if (support.empty() || !factor_->cover(*h_, support)) return false;
    const std::vector<Index>& order = factor_->order();
    VectorXd right(static_cast<Index>(order.size()));
    for (Index k = 0; k < right.size(); ++k) {
      const Index c = order[static_cast<std::size_t>(k)];
      right[k] = -q_[c] - p_->l1[c] * sign(v_[c]);
    }
    const VectorXd step = factor_->solve(right);
    for (double t = 1; t > 0.1; t /= 2) {
      VectorXd change = VectorXd::Zero(v_.size());
      double penalty = 0;
      for (Index k = 0; k < step.size(); ++k) {
        const Index c = order[static_cast<std::size_t>(k)];
        change[c] = t * step[k];
        if (p_->l1[c] > 0 && sign(v_[c] + change[c]) != sign(v_[c])) change[c] = -v_[c];
        penalty += p_->l1[c] * change[c] * sign(v_[c]);
      }
      VectorXd slope = VectorXd::Zero(v_.size());
      for (const Index c : order) slope += change[c] * h_->col(c);
      if (!(q_.dot(change) + 0.5 * slope.dot(change) + penalty < 0)) continue;
      v_ += change;
      q_ += slope;
      return true;
    }
    return false;
  }

  const VectorXd& v() const { return v_; }

 private:
  static int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

  const MatrixXd* h_;
  UpdatedCholesky* factor_;
  const QuadraticProblem* p_;
  double negligible_;
  VectorXd v_, q_;  // the point and the slope of the quadratic there
};

VectorXd minimise(Sweeps& sweeps, double accuracy, Index first_solve) {
  Index next_solve = first_solve, wait = 1;  // a solution costs many sweeps: one that gained little waits
  for (Index k = 0; k < 10000; ++k) {
    sweeps.sweep();
    const double before = sweeps.residual();
    if (before <= accuracy) break;
    if (k < next_solve) continue;
    const bool fell = sweeps.solve_support();
    const double after = sweeps.residual();
    if (after <= accuracy) break;
    wait = fell && after < 0.5 * before ? 1 : 2 * wait;
    next_solve = k + wait;
  }
  return sweeps.v();
}

}  // namespace

VectorXd quadratic_cd(const MatrixXd& h, const QuadraticProblem& problem, double accuracy) {
  UpdatedCholesky factor;
  Sweeps sweeps(h, factor, problem, accuracy);
  return minimise(sweeps, accuracy, 1);
}

VectorXd quadratic_cd(const MatrixXd& h, UpdatedCholesky& factor, const QuadraticProblem& problem,
                      double accuracy) {
  Sweeps sweeps(h, factor, problem, accuracy);
  sweeps.solve_support();
  return minimise(sweeps, accuracy, 0);
}

}  // namespace discern
