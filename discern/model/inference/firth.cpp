#include "discern/model/inference/firth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/model/inference/likelihood_inference.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/optim/problem/shifted_source.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// sum_i h_i (p_i - 1/2) z_i, and its derivative sum_i h_i p_i (1 - p_i) z_i z_i' with the leverages held.
class LeveragePull {
 public:
  LeveragePull(const Problem& problem, const VectorXd& point, const MatrixXd& inverse)
      : problem_(&problem),
        point_(&point),
        inverse_(&inverse),
        sum_(VectorXd::Zero(point.size())),
        curvature_(MatrixXd::Zero(point.size(), point.size())) {}

  void add(const Block& block) {
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z_, 1);
    if (!problem_->bias) z_.col(0).setZero();
    const VectorXd scores = z_ * *point_;
    const VectorXd length = (z_ * *inverse_).cwiseProduct(z_).rowwise().sum();  // z' I^-1 z
    for (Index i = 0; i < z_.rows(); ++i) {
      const double lean = std::tanh(scores[i] / 2) / 2;  // p - 1/2
      const double variance = 0.25 - lean * lean, leverage = block.weight(i) * variance * length[i];
      sum_ += leverage * lean * z_.row(i).transpose();
      z_.row(i) *= std::sqrt(leverage * variance);
    }
    curvature_.selfadjointView<Eigen::Lower>().rankUpdate(z_.transpose());
  }
  void merge(const LeveragePull& other) {
    sum_ += other.sum_;
    curvature_ += other.curvature_;
  }
  double bytes() const { return 8.0 * static_cast<double>(curvature_.size()); }
  const VectorXd& result() const { return sum_; }
  const MatrixXd& curvature() const { return curvature_; }

 private:
  const Problem* problem_;
  const VectorXd* point_;
  const MatrixXd* inverse_;
  VectorXd sum_;
  MatrixXd curvature_;
  RowMajor z_;
};

enum class Curvature { information, steps };

// The expansion of E. Where I is singular E is infinite, which a line search steps back from. The curvature
// is I, which the errors come from, or that of steps, which adds what the pull has of its own.
ExpansionAt firth_expansion(const Problem& problem, Curvature kind) {
  return [&problem, kind, likelihood = expansion_of(problem)](const VectorXd& point, const Monitor& monitor) {
    Expansion expansion = likelihood(point, monitor);
    expansion.worst_margin = -std::numeric_limits<double>::infinity();  // separation is no obstacle
    const Cholesky factor(expansion.hessian);
    if (!factor.regular()) {
      expansion.value = std::numeric_limits<double>::infinity();
      return expansion;
    }
    const MatrixXd inverse = factor.solve(MatrixXd(MatrixXd::Identity(point.size(), point.size())));
    expansion.value -= factor.log_determinant() / 2;
    const LeveragePull pull = fold(*problem.source, LeveragePull(problem, point, inverse), monitor);
    expansion.gradient += pull.result();
    if (kind == Curvature::steps) expansion.hessian += pull.curvature();
    return expansion;
  };
}

void check(const Logistic& options, const Training& training) {
  if (training.classes != 2)
    throw Error(Code::usage, fmt::format("`firth` is for two classes, and there are {}", training.classes));
  if (options.l1 > 0 || options.l2 > 0)
    throw Error(Code::usage, "`firth` is a penalty of its own: it excludes `l1` and `l2`");
  if (options.solver != Solver::automatic && options.solver != Solver::newton)
    throw Error(Code::usage, "`firth` needs the solver newton, which is its default");
  if (options.penalize_bias || options.normalize_criterion || options.normalize_weights)
    throw Error(Code::usage,
                "`firth` excludes `penalize_bias`, `normalize_criterion` and `normalize_weights`");
}

}  // namespace

VectorXd leverage_pull(const Problem& problem, const VectorXd& point, const MatrixXd& inverse,
                       const Monitor& monitor) {
  return fold(*problem.source, LeveragePull(problem, point, inverse), monitor).result();
}

Fitted fit_firth(const Logistic& options, const Training& training) {
  check(options, training);
  Problem problem;
  problem.source = &training.source;
  problem.bias = !options.no_bias;
  problem.scaling = fit_scaling(training, problem.bias);
  std::optional<ShiftedSource> shifted;
  shift_sparse_rows(problem, shifted);
  set_penalty(problem, {});
  check_matrix_size(problem.width(), "Firth's correction");
  const VectorXd zero = VectorXd::Zero(problem.width());
  if (SemidefiniteFactor(expansion_of(problem)(zero, training.monitor).hessian).rank() < problem.width())
    throw Error(Code::data,
                "the features are linearly dependent, and `firth` needs those that are not: leave some out "
                "with `ignore`");

  const auto predictor = [&](const VectorXd& point) {
    return unscale(problem.scaling, point.tail(problem.features()).transpose(), point.head(1),
                   Link::logistic);
  };
  SolverOptions how{options.tol, options.max_iter, training.monitor, {}, training.trace.every};
  if (training.trace.show)
    how.trace = [&](const Minimum& so_far) {
      const Predictor now = predictor(so_far.point);
      training.trace.show({so_far.iterations, so_far.value, so_far.certificate, so_far.step, now});
    };
  const ExpansionAt expansion = firth_expansion(problem, Curvature::steps);
  const Minimum found = newton(problem, how, expansion);
  // log |I| in the units of the file: of the weights w = u / scale, and the bias.
  const double units = problem.scaling.scale.array().log().sum();

  Fitted fitted;
  fitted.predictor = predictor(found.point);
  Summary& summary = fitted.summary;
  summary.solver = "newton";
  summary.reason = "Firth's correction";
  summary.objective = found.value - units;
  summary.iterations = found.iterations;
  summary.certificate = {std::string(found.certificate_kind), found.certificate};
  summary.tolerance = options.tol;
  summary.converged = found.converged;
  summary.interrupted = found.interrupted;
  summary.rank = problem.features();
  if (!found.converged && !found.interrupted)
    summary.warnings.push_back(stopped_short(found, options.max_iter));
  if (training.inference.intervals == Intervals::none) return fitted;
  if (!found.converged) {
    fitted.inference = Inference{.absent = "the fit has not converged"};
    return fitted;
  }
  const Expansion at = firth_expansion(problem, Curvature::information)(found.point, training.monitor);
  Likelihood likelihood{&problem, {}, found.point, at, 0, expansion};
  likelihood.log_likelihood = -expansion_of(problem)(found.point, training.monitor).value;
  fitted.inference = infer(likelihood, training);
  return fitted;
}

}  // namespace discern
