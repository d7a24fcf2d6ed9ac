#include "discern/optim/proximal_newton_cg.hpp"

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/optim/scaling.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

// The model m around a point, and a point v of it that walks to its minimum.
class Model {
 public:
  Model(const LinearFunction& function, const VectorXd& point, const VectorXd& gradient,
        const VectorXd& diagonal, const Monitor& monitor)
      : function_(&function),
        problem_(&function.problem()),
        diagonal_(&diagonal),
        monitor_(&monitor),
        v_(point),
        slope_(gradient),
        change_(RowMajor::Zero(function.scores().rows(), 1)) {}

  // Until the least subgradient of m is at most `accuracy`; false when that takes more than a few faces.
  bool minimise(double accuracy) {
    for (int face = 0; face < 20; ++face) {
      const double norm = least_subgradient(*problem_, v_, slope_).norm();
      if (norm <= accuracy) return true;
      if (!walk_face(std::max(accuracy, 0.3 * norm)) && !diagonal_step()) return false;
    }
    return false;
  }
  const VectorXd& point() const { return v_; }
  const RowMajor& change() const { return change_; }  // of the scores since the start

 private:
  VectorXd product(const VectorXd& d, RowMajor& change) const {
    return function_->hessian_times(d, &change, *monitor_);
  }

  // The sign that each weight has on the face of v, zero for those that stay at zero.
  VectorXd face() const {
    VectorXd signs(v_.size());
    for (Index c = 0; c < signs.size(); ++c) {
      const double l1 = problem_->l1[c];
      signs[c] = v_[c] != 0 ? sign(v_[c]) : std::fabs(slope_[c]) > l1 ? -sign(slope_[c]) : 0.0;
    }
    if (!problem_->bias) signs[0] = 0;
    return signs;
  }

  // False when the face offers no fall.
  bool walk_face(double accuracy) {
    const VectorXd signs = face();
    const VectorXd mask = signs.cwiseAbs();
    VectorXd r = -(slope_ + problem_->l1.cwiseProduct(signs)).cwiseProduct(mask);
    VectorXd z = r.cwiseQuotient(*diagonal_), p = z;
    VectorXd d = VectorXd::Zero(v_.size()), hd = d;
    RowMajor change = RowMajor::Zero(change_.rows(), 1), along;
    double rz = r.dot(z);
    for (int k = 0; k < 100 && r.norm() > accuracy; ++k) {
      const VectorXd hp = product(p, along);
      const double curvature = p.dot(hp);
      if (!(curvature > 0)) break;
      const double a = rz / curvature;
      d += a * p;
      hd += a * hp;
      change += a * along;
      r -= a * hp.cwiseProduct(mask);
      z = r.cwiseQuotient(*diagonal_);
      const double next = r.dot(z);
      p = z + next / rz * p;
      rz = next;
    }
    bool clipped = false;
    for (Index c = 0; c < d.size(); ++c)
      if (problem_->l1[c] > 0 && (v_[c] + d[c]) * signs[c] < 0) {
        d[c] = -v_[c];
        clipped = true;
      }
    if (!clipped) return take(d, hd, change);
    const VectorXd short_hd = product(d, change);
    return take(d, short_hd, change);
  }

  // The minimum of m with the Hessian replaced by a multiple of its diagonal, large enough for m to fall.
  bool diagonal_step() {
    RowMajor change;
    for (int k = 0; k < 20; ++k, diagonals_ *= 2) {
      VectorXd d(v_.size());
      for (Index c = 0; c < d.size(); ++c)
        d[c] = ElasticNet{problem_->l1[c], 0}.step(v_[c], slope_[c], diagonals_ * (*diagonal_)[c]) - v_[c];
      if (!problem_->bias) d[0] = 0;
      const VectorXd hd = product(d, change);
      if (take(d, hd, change)) return true;
    }
    return false;
  }

  // The whole of a step, so that weights end at zero exactly, if m falls along it.
  bool take(const VectorXd& d, const VectorXd& hd, const RowMajor& change) {
    double fall = slope_.dot(d) + 0.5 * d.dot(hd);
    for (Index c = 0; c < d.size(); ++c)
      if (d[c] != 0) fall += problem_->l1[c] * (std::fabs(v_[c] + d[c]) - std::fabs(v_[c]));
    if (!(fall < 0)) return false;
    v_ += d;
    slope_ += hd;
    change_ += change;
    return true;
  }

  const LinearFunction* function_;
  const Problem* problem_;
  const VectorXd* diagonal_;
  const Monitor* monitor_;
  VectorXd v_, slope_;
  RowMajor change_;
  double diagonals_ = 1;
};

// From the model's minimum half way back to the point, and again, until E does not rise (beyond rounding).
VectorXd falling_point(const LinearFunction& function, const Minimum& best, const Model& model) {
  const double limit = best.value + 1e-13 * std::fabs(best.value);
  VectorXd point = model.point();
  for (double t = 1; t > 1e-10; t /= 2) {
    if (t < 1) point = best.point + t * (model.point() - best.point);
    const RowMajor scores = function.scores() + t * model.change();
    if (function.value(point, scores) + l1_value(function.problem(), point) <= limit) break;
  }
  return point;
}

}  // namespace

Minimum proximal_newton_cg(LinearFunction& function, const SolverOptions& options) {
  const Problem& problem = function.problem();
  Minimum best;
  best.point = VectorXd::Zero(problem.size());
  const Monitor during = [&](const Progress&) {
    return go_on(options.monitor, progress_of(best, options.max_iter));
  };
  Evaluation at = function.evaluate(best.point, {});
  const double scale = gradient_scale(at.gradient.norm(), problem.scaling.weight);
  const auto move = [&](const VectorXd& point, const Evaluation& there) {
    best.point = point;
    at = there;
    best.value = at.value + l1_value(problem, point);
    best.certificate = least_subgradient(problem, point, at.gradient).norm() / scale;
  };
  move(best.point, Evaluation(at));
  tell(options, best);
  VectorXd diagonal;
  int unsolved = 0;  // models
  try {
    while (best.certificate > options.tol && best.iterations < options.max_iter && unsolved < 3) {
      if (!during({})) throw Error(Code::interrupted, "interrupted");
      // After the first step it changes too little to be worth a pass.
      if (best.iterations < 2) diagonal = function.hessian_diagonal(during).cwiseMax(1e-300);
      Model model(function, best.point, at.gradient, diagonal, during);
      const double forcing = std::min(0.1, std::sqrt(best.certificate));
      if (!model.minimise(std::max(0.1 * options.tol, forcing * best.certificate) * scale)) ++unsolved;
      const VectorXd point = falling_point(function, best, model);
      const Evaluation there = function.evaluate(point, during);
      const double value = there.value + l1_value(problem, point);
      const double certificate = least_subgradient(problem, point, there.gradient).norm() / scale;
      const bool falls = value < best.value - 1e-13 * std::fabs(best.value);
      if (!falls && !(certificate < best.certificate)) break;
      move(point, there);
      ++best.iterations;
      tell(options, best);
    }
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    best.interrupted = true;
  }
  best.converged = best.certificate <= options.tol;
  return best;
}

}  // namespace discern
