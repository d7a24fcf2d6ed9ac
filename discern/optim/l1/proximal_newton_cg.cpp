#include "discern/optim/l1/proximal_newton_cg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/optim/kernel/hessian_products.hpp"
#include "discern/optim/problem/certificate.hpp"
#include "discern/optim/solver/mean_correction.hpp"

namespace discern {
namespace {

using Eigen::VectorXd;

double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

// The coordinates of weights that are not zero, and those whose slope is more than `share` of what l1 holds
// at zero.
std::vector<Index> free_coordinates(const Problem& problem, const VectorXd& point, const VectorXd& slope,
                                    double share) {
  std::vector<Index> free;
  for (Index c = problem.bias ? 0 : 1; c < point.size(); ++c)
    if (point[c] != 0 || std::fabs(slope[c]) > share * problem.l1[c]) free.push_back(c);
  return free;
}

// What is known of the Hessian on some coordinates: its diagonal, and where features are sparse, so not
// centred, what their means tie together, with the diagonal of the rest.
struct Approximation {
  VectorXd diagonal, centered;
  MeanCorrection means = {};
};

Approximation approximate(const LinearFunction& function, HessianProducts& hessian, const Monitor& monitor) {
  const Problem& problem = function.problem();
  const std::vector<Index>& coordinates = hessian.coordinates();
  Approximation result;
  result.diagonal = result.centered = hessian.diagonal(monitor).cwiseMax(1e-300);
  if (!needs_mean_correction(problem) || coordinates.empty()) return result;
  const bool bias = problem.bias && coordinates.front() == 0;
  result.means = MeanCorrection(hessian.sums(monitor), function.mean_curvature(), bias,
                                problem.l2(coordinates), result.centered);
  return result;
}

// The model m around a point, and a point v of it that walks to its minimum, on some coordinates.
class Model {
 public:
  Model(HessianProducts& hessian, const Problem& problem, const VectorXd& point, const VectorXd& gradient,
        const Approximation& approximation, const Monitor& monitor)
      : hessian_(&hessian),
        monitor_(&monitor),
        approximation_(&approximation),
        v_(point(hessian.coordinates())),
        slope_(gradient(hessian.coordinates())),
        l1_(problem.l1(hessian.coordinates())) {}

  // Until the least subgradient of m is at most `accuracy`; false when that takes more than a few faces.
  bool minimise(double accuracy) {
    for (int face = 0; face < 20; ++face) {
      const double norm = residual().norm();
      if (norm <= accuracy) return true;
      if (!walk_face(std::max(accuracy, 0.3 * norm)) && !diagonal_step()) return false;
    }
    return false;
  }
  const VectorXd& point() const { return v_; }

 private:
  // The least subgradient of m at v.
  VectorXd residual() const {
    VectorXd result(v_.size());
    for (Index c = 0; c < v_.size(); ++c) result[c] = ElasticNet{l1_[c], 0}.residual(v_[c], slope_[c]);
    return result;
  }

  // The sign that each weight has on the face of v, zero for those that stay at zero.
  VectorXd face() const {
    VectorXd signs(v_.size());
    for (Index c = 0; c < signs.size(); ++c)
      signs[c] = v_[c] != 0 ? sign(v_[c]) : std::fabs(slope_[c]) > l1_[c] ? -sign(slope_[c]) : 0.0;
    return signs;
  }

  // False when the face offers no fall.
  bool walk_face(double accuracy) {
    const VectorXd signs = face();
    const VectorXd mask = signs.cwiseAbs();
    const auto inverse = [&](const VectorXd& part) -> VectorXd {
      return part.cwiseQuotient(approximation_->centered);
    };
    MeanCorrection means = approximation_->means.among(mask);
    means.set_inverse(inverse);
    VectorXd r = -(slope_ + l1_.cwiseProduct(signs)).cwiseProduct(mask);
    VectorXd z = means.solve(r, inverse), p = z;
    VectorXd d = VectorXd::Zero(v_.size()), hd = d;
    double rz = r.dot(z);
    for (int k = 0; k < 100 && r.norm() > accuracy; ++k) {
      const VectorXd hp = hessian_->times(p, *monitor_);
      const double curvature = p.dot(hp);
      if (!(curvature > 0)) break;
      const double a = rz / curvature;
      d += a * p;
      hd += a * hp;
      r -= a * hp.cwiseProduct(mask);
      z = means.solve(r, inverse);
      const double next = r.dot(z);
      p = z + next / rz * p;
      rz = next;
    }
    bool clipped = false;
    for (Index c = 0; c < d.size(); ++c)
      if (l1_[c] > 0 && (v_[c] + d[c]) * signs[c] < 0) {
        d[c] = -v_[c];
        clipped = true;
      }
    return take(d, clipped ? hessian_->times(d, *monitor_) : hd);
  }

  // The minimum of m with the Hessian replaced by a multiple of its diagonal, large enough for m to fall.
  bool diagonal_step() {
    for (int k = 0; k < 20; ++k, diagonals_ *= 2) {
      VectorXd d(v_.size());
      for (Index c = 0; c < d.size(); ++c)
        d[c] = ElasticNet{l1_[c], 0}.step(v_[c], slope_[c], diagonals_ * approximation_->diagonal[c]) - v_[c];
      if (take(d, hessian_->times(d, *monitor_))) return true;
    }
    return false;
  }

  // The whole of a step, so that weights end at zero exactly, if m falls along it.
  bool take(const VectorXd& d, const VectorXd& hd) {
    double fall = slope_.dot(d) + 0.5 * d.dot(hd);
    for (Index c = 0; c < d.size(); ++c)
      if (d[c] != 0) fall += l1_[c] * (std::fabs(v_[c] + d[c]) - std::fabs(v_[c]));
    if (!(fall < 0)) return false;
    v_ += d;
    slope_ += hd;
    return true;
  }

  HessianProducts* hessian_;
  const Monitor* monitor_;
  const Approximation* approximation_;
  VectorXd v_, slope_, l1_;
  double diagonals_ = 1;
};

// Makes the products ones on coordinates that hold all that are free now; true when they were not. The new
// ones also hold those that may become free soon, when slopes have changed. (In the first step they change so
// much that its coordinates serve for no other.)
bool cover_free(std::optional<HessianProducts>& hessian, const LinearFunction& function,
                const VectorXd& point, const VectorXd& slope, const Monitor& monitor) {
  const Problem& problem = function.problem();
  const std::vector<Index> free = free_coordinates(problem, point, slope, 1);
  if (hessian &&
      std::includes(hessian->coordinates().begin(), hessian->coordinates().end(), free.begin(), free.end()))
    return false;
  if (hessian)
    hessian->restrict_to(free_coordinates(problem, point, slope, 0.6), monitor);
  else
    hessian.emplace(function, free, monitor);
  return true;
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
  const CertificateScale scale(problem, at.gradient, at.slopes);
  const auto move = [&](const VectorXd& point, Evaluation there) {
    best.point = point;
    at = std::move(there);
    best.value = at.value + l1_value(problem, point);
    best.certificate = certificate(problem, point, at, scale);
  };
  move(best.point, Evaluation(at));
  tell(options, best);
  Approximation approximation;
  std::optional<HessianProducts> hessian;
  int unsolved = 0;  // models
  try {
    while (best.certificate > options.tol && best.iterations < options.max_iter && unsolved < 3) {
      if (!during({})) throw Error(Code::interrupted, "interrupted");
      // After the first step the diagonal changes too little to be worth a pass.
      if (cover_free(hessian, function, best.point, at.gradient, during) || best.iterations < 2)
        approximation = approximate(function, *hessian, during);
      Model model(*hessian, problem, best.point, at.gradient, approximation, during);
      const double forcing =
          std::max(std::min(0.1, std::sqrt(best.certificate)), 0.3 * options.tol / best.certificate);
      if (!model.minimise(std::max(0.1 * options.tol, forcing * best.certificate) * scale.at(at.slopes)))
        ++unsolved;
      // From the model's minimum half way back, and again, until E does not rise (beyond rounding).
      VectorXd point = best.point;
      point(hessian->coordinates()) = model.point();
      const VectorXd step = point - best.point;
      Evaluation there = function.evaluate(point, during);
      const double limit = best.value + 1e-13 * std::fabs(best.value);
      for (double t = 0.5; t > 1e-10 && !(there.value + l1_value(problem, point) <= limit); t /= 2) {
        point = best.point + t * step;
        there = function.evaluate(point, during);
      }
      const double value = there.value + l1_value(problem, point);
      const bool falls = value < best.value - 1e-13 * std::fabs(best.value);
      if (!falls && !(certificate(problem, point, there, scale) < best.certificate)) break;
      move(point, std::move(there));
      ++best.iterations;
      tell(options, best);
    }
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    best.interrupted = true;
  }
  best.converged = best.certificate <= options.tol;
  if (best.converged && hessian) {
    // What l1 holds at zero needs no curvature; that of others beside the coordinates is looked up if need
    // be.
    const VectorXd residual = least_subgradient(problem, best.point, at.gradient);
    best.diagonal = (residual.array() == 0)
                        .select(VectorXd::Constant(residual.size(), std::numeric_limits<double>::infinity()),
                                VectorXd::Zero(residual.size()));
    function.drop_flat_rows();
    best.diagonal(hessian->coordinates()) = hessian->diagonal({});
    best.curvature = function.mean_curvature();
  }
  return best;
}

}  // namespace discern
