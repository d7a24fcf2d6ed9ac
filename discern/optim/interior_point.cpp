#include "discern/optim/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/optim/coordinate_hessian.hpp"
#include "discern/optim/dual_cd.hpp"
#include "discern/optim/function.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::ArrayXd;
using Eigen::VectorXd;

class InteriorPoint {
 public:
  InteriorPoint(const Problem& problem, const SolverOptions& options)
      : problem_(&problem), function_(problem), options_(options) {
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
      const double gap = (p_ * z_ + (s_ - p_) * x_).sum();
      const double value = 0.5 * problem_->l2.dot(u_.cwiseAbs2()) + (s_ * x_).sum();
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
  const ArrayXd& p() const { return p_; }
  Index steps() const { return steps_; }

 private:
  struct Change {
    VectorXd u;
    ArrayXd g, p, x, z;
  };

  // The point of a step: the slack of a hinge is as far as its score lacks of the margin, whatever x says.
  Minimum now(double gap) const {
    Minimum here;
    here.point = u_;
    here.value = 0.5 * problem_->l2.dot(u_.cwiseAbs2()) + (s_ * (1 - y_ * g_).cwiseMax(0.0)).sum();
    here.certificate = gap / std::max(here.value, 1e-300);
    here.certificate_kind = "relative-duality-gap";
    here.iterations = steps_;
    return here;
  }

  double infeasibility() const { return (y_ * g_ + x_ - z_ - 1).abs().maxCoeff(); }

  // A predictor that aims at zero says how far the barrier may fall; the corrector aims there and makes
  // up for the predictor's second order.
  bool step() {
    const ArrayXd t = 1 / (x_ / (s_ - p_) + z_ / p_);
    function_.set_curvature(t.matrix());
    const Cholesky factor(
        coordinate_hessian(*problem_, function_.curvature(), coordinates_, options_.monitor));
    if (!factor.regular()) return false;
    const ArrayXd none = ArrayXd::Zero(p_.size());
    const double barrier = (p_ * z_ + (s_ - p_) * x_).sum() / (2 * static_cast<double>(p_.size()));
    const Change predictor = solve(factor, t, none, none);
    const double far = length(predictor);
    const double then = ((p_ + far * predictor.p) * (z_ + far * predictor.z) +
                         (s_ - p_ - far * predictor.p) * (x_ + far * predictor.x))
                            .sum() /
                        (2 * static_cast<double>(p_.size()));
    const double target = barrier * std::pow(then / barrier, 3);
    const Change c = solve(factor, t, target - predictor.p * predictor.z, target + predictor.p * predictor.x);
    const double a = 0.995 * length(c);
    if (!(a > 1e-10)) return false;
    u_ += a * c.u;
    g_ += a * c.g;
    p_ += a * c.p;
    x_ += a * c.x;
    z_ += a * c.z;
    return p_.isFinite().all() && x_.isFinite().all() && z_.isFinite().all();
  }

  // The change for p z -> lower, (s - p) x -> upper.
  Change solve(const Cholesky& factor, const ArrayXd& t, const ArrayXd& lower, const ArrayXd& upper) const {
    const ArrayXd r = y_ * g_ - 1 + x_ - z_;
    const ArrayXd rho = -r - upper / (s_ - p_) + x_ + lower / p_ - z_;
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
    c.x = upper / (s_ - p_) - x_ + x_ * c.p / (s_ - p_);
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
    limit(s_ - p_, -c.p);
    limit(x_, c.x);
    limit(z_, c.z);
    return a;
  }

  const Problem* problem_;
  LinearFunction function_;
  SolverOptions options_;
  std::vector<Index> coordinates_;
  Index steps_ = 0;
  ArrayXd y_, s_, g_, p_, x_, z_;
  VectorXd u_;
};

}  // namespace

Minimum hinge_by_interior_point(const Problem& problem, std::uint64_t seed, const SolverOptions& options) {
  InteriorPoint interior(problem, options);
  bool interrupted = false;
  try {
    interior.run();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    interrupted = true;
  }
  SolverOptions rest = going_on(options, interior.steps());
  if (interrupted) rest.max_iter = 0;
  Minimum minimum = dual_coordinate_descent(problem, seed, rest, interior.p().matrix());
  minimum.iterations += interior.steps();
  minimum.interrupted = minimum.interrupted || interrupted;
  return minimum;
}

}  // namespace discern
