#include "discern/optim/quadratic_cd.hpp"

#include <vector>

#include "discern/penalty/elastic_net.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

class Sweeps {
 public:
  explicit Sweeps(const QuadraticProblem& problem) : p_(&problem), v_(problem.u), q_(problem.g) {}

  // One step in every coordinate.
  void sweep() {
    for (Index c = 0; c < v_.size(); ++c) {
      const double curvature = p_->h(c, c);
      if (!(curvature > 0)) continue;
      const double before = v_[c], after = ElasticNet{p_->l1[c], 0}.step(before, q_[c], curvature);
      if (after == before) continue;
      q_ += (after - before) * p_->h.col(c);
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
      if (p_->h(c, c) > 0 && (v_[c] != 0 || p_->l1[c] == 0)) support.push_back(c);
    if (support.empty()) return false;
    const Cholesky cholesky(p_->h(support, support));
    if (!cholesky.regular()) return false;
    VectorXd right(static_cast<Index>(support.size()));
    for (Index k = 0; k < right.size(); ++k) {
      const Index c = support[static_cast<std::size_t>(k)];
      right[k] = -q_[c] - p_->l1[c] * sign(v_[c]);
    }
    const VectorXd step = cholesky.solve(right);
    for (double t = 1; t > 0.1; t /= 2) {
      VectorXd change = VectorXd::Zero(v_.size());
      double penalty = 0;
      for (Index k = 0; k < step.size(); ++k) {
        const Index c = support[static_cast<std::size_t>(k)];
        change[c] = t * step[k];
        if (p_->l1[c] > 0 && sign(v_[c] + change[c]) != sign(v_[c])) change[c] = -v_[c];
        penalty += p_->l1[c] * change[c] * sign(v_[c]);
      }
      const VectorXd slope = p_->h * change;
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

  const QuadraticProblem* p_;
  VectorXd v_, q_;  // the point and the slope of the quadratic there
};

}  // namespace

VectorXd quadratic_cd(const QuadraticProblem& problem, double accuracy) {
  Sweeps sweeps(problem);
  Index next_solve = 1, wait = 1;  // a factorisation costs many sweeps: one that gained little waits longer
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

}  // namespace discern
