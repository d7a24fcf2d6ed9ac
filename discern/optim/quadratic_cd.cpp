#include "discern/optim/quadratic_cd.hpp"

#include <Eigen/Cholesky>
#include <vector>

#include "discern/penalty/elastic_net.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

class Sweeps {
 public:
  explicit Sweeps(const QuadraticProblem& problem) : p_(&problem), v_(problem.u), q_(problem.g) {}

  // One step in every coordinate; true when no coordinate became zero, left zero or changed sign.
  bool sweep() {
    bool same = true;
    for (Index c = 0; c < v_.size(); ++c) {
      const double curvature = p_->h(c, c);
      if (!(curvature > 0)) continue;
      const double before = v_[c], after = ElasticNet{p_->l1[c], 0}.step(before, q_[c], curvature);
      if (after == before) continue;
      if (p_->l1[c] > 0 && sign(after) != sign(before)) same = false;
      q_ += (after - before) * p_->h.col(c);
      v_[c] = after;
    }
    return same;
  }

  double residual() const {
    double sum = 0;
    for (Index c = 0; c < v_.size(); ++c) {
      const double r = ElasticNet{p_->l1[c], 0}.residual(v_[c], q_[c]);
      sum += r * r;
    }
    return std::sqrt(sum);
  }

  // Solves for the coordinates that are not zero with their signs as they are. Taken when the signs survive.
  void solve_support() {
    std::vector<Index> support;
    for (Index c = 0; c < v_.size(); ++c)
      if (p_->h(c, c) > 0 && (v_[c] != 0 || p_->l1[c] == 0)) support.push_back(c);
    if (support.empty()) return;
    const Eigen::LLT<Eigen::MatrixXd> cholesky(p_->h(support, support));
    if (cholesky.info() != Eigen::Success) return;
    VectorXd right(static_cast<Index>(support.size()));
    for (Index k = 0; k < right.size(); ++k) {
      const Index c = support[static_cast<std::size_t>(k)];
      right[k] = -q_[c] - p_->l1[c] * sign(v_[c]);
    }
    const VectorXd step = cholesky.solve(right);
    for (Index k = 0; k < step.size(); ++k) {
      const Index c = support[static_cast<std::size_t>(k)];
      if (p_->l1[c] > 0 && sign(v_[c] + step[k]) != sign(v_[c])) return;
    }
    const Sweeps before = *this;
    for (Index k = 0; k < step.size(); ++k) v_[support[static_cast<std::size_t>(k)]] += step[k];
    q_ = p_->g + p_->h * (v_ - p_->u);
    if (!(residual() < before.residual())) *this = before;
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
  Index next_solve = 2;  // a factorisation costs many sweeps; each one that did not end it waits longer
  for (Index k = 0; k < 10000; ++k) {
    const bool same = sweeps.sweep();
    if (sweeps.residual() <= accuracy) break;
    if (!same || k < next_solve) continue;
    sweeps.solve_support();
    if (sweeps.residual() <= accuracy) break;
    next_solve = 2 * k + 2;
  }
  return sweeps.v();
}

}  // namespace discern
