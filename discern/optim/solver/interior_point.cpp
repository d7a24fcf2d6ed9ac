#include "discern/optim/solver/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/optim/kernel/coordinate_hessian.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::ArrayXd;
using Eigen::VectorXd;

class InteriorPoint {
 public:
  InteriorPoint(const Problem& problem, const SolverOptions& options)
      : problem_(&problem),
        function_(problem),
        options_(options),
        squared_(std::holds_alternative<SquaredHingeLoss>(problem.loss)) {
    const Targets& answers = function_.answers();
    const Index n = problem.source->rows();
    y_.resize(n);
    for (Index i = 0; i < n; ++i)
      y_[i] = answers.labels[static_cast<std::size_t>(i)] == problem.positive ? 1.0 : -1.0;
    s_ = ArrayXd::Ones(n);
    if (!answers.weights.empty()) s_ = Eigen::Map<const ArrayXd>(answers.weights.data(), n);
    u_ = VectorXd::Zero(problem.size());
    g_ = ArrayXd::Zero(n);
    p_ = 0.5 * s_;
    x_ = z_ = ArrayXd::Ones(n);
    coordinates_.resize(static_cast<std::size_t>(problem.size() - (problem.bias ? 0 : 1)));
    std::iota(coordinates_.begin(), coordinates_.end(), problem.bias ? 0 : 1);
  }

  // Until the products have fallen far below the tolerance.
  void run() {
    const Index most = std::min<Index>(100, options_.max_iter);
    for (; steps_ < most; ++steps_) {
      const double gap = products(p_, x_, z_);
      const double value = 0.5 * problem_->l2.dot(u_.cwiseAbs2()) + loss(slack());
      const Progress progress{.stage = "fitting",
                              .done = steps_,
                              .total = 0,
                              .objective = value,
                              .certificate = gap / std::max(value, 1e-300),
                              .iterative = true};
      if (!go_on(options_.monitor, progress)) break;
      if (options_.traces(steps_)) options_.trace(now(gap));
      if (gap <= 1e-3 * options_.tol * std::max(value, 1e-300) && infeasibility() < 1e-10) break;
      if (!step()) break;
    }
  }
  // u, with the products as its gap.
  Minimum now() const { return now(products(p_, x_, z_)); }

  // u, with the gap between its objective and the dual one of p. Below zero it is rounding, which proves no
  // more than as much above.
  Minimum result() {
    g_ = function_.scores_of(u_, options_.monitor).col(0).array();
    reach_margins();
    Minimum here = now(0);
    here.certificate = std::fabs(here.value - dual_value()) / std::max(here.value, 1e-300);
    here.converged = here.certificate <= options_.tol;
    return here;
  }

 private:
  struct Change {
    VectorXd u;
    ArrayXd g, p, x, z;
  };

  // Rounding leaves margins of separated classes a little short of one, and under a weak penalty that is more
  // than the tolerance allows of E. Weights that are longer by as much lose nothing.
  void reach_margins() {
    constexpr double rounding = 1e-13;
    const double least = (s_ > 0).select(y_ * g_, 1.0).minCoeff();
    if (!(least < 1 && least > 1 - rounding)) return;
    u_ *= 1 + rounding;
    g_ *= 1 + rounding;
  }

  // The point of a step: the slack of a hinge is as far as its score lacks of the margin, whatever x says.
  Minimum now(double gap) const {
    Minimum here;
    here.point = u_;
    here.value = 0.5 * problem_->l2.dot(u_.cwiseAbs2()) + loss((1 - y_ * g_).cwiseMax(0.0));
    here.certificate = gap / std::max(here.value, 1e-300);
    here.certificate_kind = duality_gap;
    here.iterations = steps_;
    here.dual = p_.matrix();
    return here;
  }

  // sum_i p_i - 1/2 sum_j (sum_i p_i y_i z_ij)^2 / l2_j; of a bias without a penalty sum_i p_i y_i = 0, for
  // which one side is scaled down.
  double dual_value() const {
    ArrayXd p = p_;
    if (problem_->bias && problem_->l2[0] == 0) {
      const double own = (y_ > 0).select(p, 0.0).sum(), other = p.sum() - own;
      p *= (y_ > 0).select(ArrayXd::Constant(p.size(), std::min(1.0, other / own)),
                           std::min(1.0, own / other));
    }
    const VectorXd pull = function_.transposed_times((y_ * p).matrix(), options_.monitor);
    double value = p.sum();
    for (const Index c : coordinates_)
      if (problem_->l2[c] > 0) value -= 0.5 * pull[c] * pull[c] / problem_->l2[c];
    return value;
  }

  double loss(const ArrayXd& slacks) const { return (s_ * (squared_ ? slacks.square() : slacks)).sum(); }
  ArrayXd slack() const { return squared_ ? ArrayXd(p_ / (2 * s_)) : x_; }
  // How much a slack gives when p grows.
  ArrayXd give() const { return squared_ ? ArrayXd(0.5 / s_) : ArrayXd(x_ / (s_ - p_)); }
  // The sum of what must vanish.
  double products(const ArrayXd& p, const ArrayXd& x, const ArrayXd& z) const {
    return squared_ ? (p * z).sum() : (p * z + (s_ - p) * x).sum();
  }
  ArrayXd lack() const { return y_ * g_ - 1 + slack() - z_; }
  double infeasibility() const { return lack().abs().maxCoeff(); }

  // A predictor that aims at zero says how far the barrier may fall; the corrector aims there and makes
  // up for the predictor's second order.
  bool step() {
    const ArrayXd t = 1 / (give() + z_ / p_);
    function_.set_curvature(t.matrix());
    const Cholesky factor(
        coordinate_hessian(*problem_, function_.curvature(), coordinates_, options_.monitor));
    if (!factor.regular()) return false;
    const ArrayXd none = ArrayXd::Zero(p_.size());
    const double count = (squared_ ? 1 : 2) * static_cast<double>(p_.size());
    const double barrier = products(p_, x_, z_) / count;
    const Change predictor = solve(factor, t, none, none);
    const double far = length(predictor);
    const double then =
        products(p_ + far * predictor.p, x_ + far * predictor.x, z_ + far * predictor.z) / count;
    const double target = barrier * std::pow(then / barrier, 3);
    const Change c = solve(factor, t, target - predictor.p * predictor.z, target + predictor.p * predictor.x);
    const double a = 0.995 * length(c);
    if (!(a > 1e-10) || !finite(c)) return false;
    u_ += a * c.u;
    g_ += a * c.g;
    p_ += a * c.p;
    x_ += a * c.x;
    z_ += a * c.z;
    return true;
  }

  static bool finite(const Change& c) {
    return c.u.allFinite() && c.g.isFinite().all() && c.p.isFinite().all() && c.x.isFinite().all() &&
           c.z.isFinite().all();
  }

  // The change for p z -> lower, (s - p) x -> upper; the latter only without the square.
  Change solve(const Cholesky& factor, const ArrayXd& t, const ArrayXd& lower, const ArrayXd& upper) const {
    ArrayXd rho = lower / p_ - z_ - lack();
    if (!squared_) rho += x_ - upper / (s_ - p_);
    // Z'(y p) - l2 u + Z'(y t rho), in one product.
    VectorXd right = function_.transposed_times((y_ * (p_ + t * rho)).matrix(), options_.monitor);
    right -= problem_->l2.cwiseProduct(u_);
    Change c;
    c.u = VectorXd::Zero(u_.size());
    const VectorXd known = right(coordinates_);
    const VectorXd found = factor.solve(known);
    c.u(coordinates_) = found;
    c.g = function_.scores_of(c.u, options_.monitor).col(0).array();
    c.p = t * (rho - y_ * c.g);
    c.z = lower / p_ - z_ - z_ * c.p / p_;
    c.x = squared_ ? ArrayXd::Zero(p_.size()) : ArrayXd(upper / (s_ - p_) - x_ + x_ * c.p / (s_ - p_));
    return c;
  }

  // The largest a <= 1 that keeps everything positive.
  double length(const Change& c) const {
    double a = 1;
    const auto limit = [&](const ArrayXd& at, const ArrayXd& change) {
      for (Index i = 0; i < at.size(); ++i)
        if (change[i] < 0) a = std::min(a, -at[i] / change[i]);
    };
    limit(p_, c.p);
    limit(z_, c.z);
    if (squared_) return a;
    limit(s_ - p_, -c.p);
    limit(x_, c.x);
    return a;
  }

  const Problem* problem_;
  LinearFunction function_;
  SolverOptions options_;
  bool squared_;
  std::vector<Index> coordinates_;
  Index steps_ = 0;
  ArrayXd y_, s_, g_, p_, x_, z_;
  VectorXd u_;
};

}  // namespace

Minimum interior_point(const Problem& problem, const SolverOptions& options) {
  InteriorPoint interior(problem, options);
  try {
    interior.run();
    return std::holds_alternative<HingeLoss>(problem.loss) ? interior.result() : interior.now();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    Minimum found = interior.now();
    found.interrupted = true;
    return found;
  }
}

}  // namespace discern
