#include "discern/model/logistic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/loss/logistic.hpp"
#include "discern/loss/softmax.hpp"
#include "discern/model/linear_fit.hpp"
#include "discern/optim/newton.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;

// The problem in its own coordinates. A point is a (1 + d) x S matrix, column by column: the bias and the
// weights of each of S scores. Two classes have one score. K classes have K - 1 coordinates a feature: the
// scores are Q times them, Q's orthonormal columns spanning the vectors that sum to zero, so the
// redundant direction is gone while |W|^2 stays the same.
struct Problem {
  const Training* training;
  const Scaling* scaling;
  bool bias;
  double l2;
  MatrixXd q;  // classes x S; empty for two classes
  Index features() const { return training->source.cols(); }
  Index scores() const { return q.size() == 0 ? 1 : q.cols(); }
  Index width() const { return features() + 1; }
};

// Helmert's orthonormal basis of the vectors that sum to zero.
MatrixXd sum_zero_basis(Index classes) {
  MatrixXd q = MatrixXd::Zero(classes, classes - 1);
  for (Index s = 0; s + 1 < classes; ++s) {
    const double length = std::sqrt(static_cast<double>((s + 1) * (s + 2)));
    q.col(s).head(s + 1).setConstant(1 / length);
    q(s + 1, s) = -static_cast<double>(s + 1) / length;
  }
  return q;
}

// Loss, gradient and Hessian over the data at one point: the normal equations of a Newton step.
class NewtonTerms {
 public:
  NewtonTerms(const Problem& problem, const MatrixXd& at)
      : problem_(&problem),
        at_(&at),
        gradient_(MatrixXd::Zero(problem.width(), problem.scores())),
        hessian_(MatrixXd::Zero(problem.width() * problem.scores(), problem.width() * problem.scores())) {}

  void add(const Block& block) {
    RowMajor z(block.rows(), problem_->width());
    RowMajor scaled;
    dense_rows(block.x, problem_->scaling->center, problem_->scaling->scale, scaled);
    z.col(0).setConstant(problem_->bias ? 1.0 : 0.0);
    z.rightCols(problem_->features()) = scaled;
    const RowMajor scores = z * *at_;
    if (problem_->q.size() == 0)
      add_two_classes(block, z, scores);
    else
      add_classes(block, z, scores);
  }

  void merge(const NewtonTerms& other) {
    value_ += other.value_;
    gradient_ += other.gradient_;
    hessian_ += other.hessian_;
    worst_margin_ = std::min(worst_margin_, other.worst_margin_);
  }
  double bytes() const { return 8.0 * static_cast<double>(hessian_.size()); }

  Expansion result() const {
    Expansion expansion{value_, gradient_.reshaped(), hessian_, false};
    const Index width = problem_->width();
    for (Index s = 0; s < problem_->scores(); ++s)
      for (Index j = 0; j < problem_->features(); ++j) {
        const double strength = problem_->l2 * problem_->scaling->penalty[j];
        const double u = (*at_)(j + 1, s);
        const Index at = s * width + j + 1;
        expansion.value += strength * u * u / 2;
        expansion.gradient[at] += strength * u;
        expansion.hessian(at, at) += strength;
      }
    expansion.unbounded = problem_->l2 == 0 && worst_margin_ > 0;
    return expansion;
  }

 private:
  void add_two_classes(const Block& block, RowMajor& z, const RowMajor& scores) {
    Eigen::VectorXd slope(z.rows()), root(z.rows());
    for (Index i = 0; i < z.rows(); ++i) {
      const bool positive = block.labels[static_cast<std::size_t>(i)] == 1;
      const double g = scores(i, 0), weight = block.weight(i);
      const Derivatives loss = logistic_loss(g, positive);
      value_ += weight * loss.value;
      slope[i] = weight * loss.slope;
      root[i] = std::sqrt(weight * loss.curvature);
      if (weight > 0) worst_margin_ = std::min(worst_margin_, positive ? g : -g);
    }
    gradient_.col(0).noalias() += z.transpose() * slope;
    z.array().colwise() *= root.array();
    hessian_.selfadjointView<Eigen::Lower>().rankUpdate(z.transpose());
  }

  // Slope Q'(p - e_y) and curvature M = Q'(diag(p) - p p')Q a row; block (a, b) of the Hessian is Z' M_ab Z.
  void add_classes(const Block& block, const RowMajor& z, const RowMajor& reduced) {
    const MatrixXd& q = problem_->q;
    const Index classes = q.rows(), scores = q.cols();
    RowMajor proba = reduced * q.transpose();
    for (Index i = 0; i < z.rows(); ++i) {
      const auto y = static_cast<Index>(block.labels[static_cast<std::size_t>(i)]);
      const double own = proba(i, y), weight = block.weight(i);
      double other = -std::numeric_limits<double>::infinity();
      for (Index k = 0; k < classes; ++k)
        if (k != y) other = std::max(other, proba(i, k));
      if (weight > 0) worst_margin_ = std::min(worst_margin_, own - other);
      value_ += weight * softmax_in_place(proba.row(i).data(), classes, y);
    }
    RowMajor slope = proba;
    for (Index i = 0; i < z.rows(); ++i) {
      slope(i, block.labels[static_cast<std::size_t>(i)]) -= 1;
      slope.row(i) *= block.weight(i);
    }
    gradient_.noalias() += z.transpose() * (slope * q);
    const RowMajor mean = proba * q;  // Q'p of each row
    Eigen::VectorXd m(z.rows());
    RowMajor weighted(z.rows(), z.cols());
    for (Index a = 0; a < scores; ++a)
      for (Index b = 0; b <= a; ++b) {
        m = proba * q.col(a).cwiseProduct(q.col(b)) - mean.col(a).cwiseProduct(mean.col(b));
        for (Index i = 0; i < z.rows(); ++i) m[i] *= block.weight(i);
        weighted = m.asDiagonal() * z;
        hessian_.block(a * z.cols(), b * z.cols(), z.cols(), z.cols()).noalias() += z.transpose() * weighted;
      }
  }

  const Problem* problem_;
  const MatrixXd* at_;
  double value_ = 0;
  MatrixXd gradient_;
  MatrixXd hessian_;
  double worst_margin_ = std::numeric_limits<double>::infinity();
};

// The features whose standardised weights the next step would still move most.
std::string moving_features(const Problem& problem, const Eigen::VectorXd& step) {
  const MatrixXd moves = step.reshaped(problem.width(), problem.scores()).cwiseAbs();
  Eigen::VectorXd size = moves.bottomRows(problem.features()).rowwise().maxCoeff();
  const double largest = size.maxCoeff();
  std::vector<std::string> names;
  for (int round = 0; round < 3; ++round) {
    Index j = 0;
    if (size.maxCoeff(&j) < 0.05 * largest || largest == 0) break;
    names.push_back(feature_name(*problem.training, j));
    size[j] = 0;
  }
  return join(names, ", ");
}

// Without a penalty a small gradient alone proves nothing: towards infinity it shrinks too, while the
// steps stay as long as they were.
bool still_moving(const NewtonResult& result) {
  const double size = result.point.cwiseAbs().maxCoeff();
  return result.next_step.cwiseAbs().maxCoeff() > 1e-3 * std::max(1.0, size);
}

Linear to_linear(const Problem& problem, const Eigen::VectorXd& point) {
  const MatrixXd at = point.reshaped(problem.width(), problem.scores());
  const MatrixXd scores = problem.q.size() == 0 ? at : MatrixXd(at * problem.q.transpose());
  const Matrix weights = scores.bottomRows(problem.features()).transpose();
  const Vector bias = scores.row(0).transpose();
  return unscale(*problem.scaling, weights, bias, problem.q.size() == 0 ? Link::logistic : Link::softmax);
}

}  // namespace

Fitted fit(const LogisticOptions& options, const Training& training) {
  const Scaling scaling = fit_scaling(training, !options.no_bias);
  Problem problem{&training, &scaling, !options.no_bias, options.l2, {}};
  if (training.classes > 2) problem.q = sum_zero_basis(training.classes);
  const Index size = problem.width() * problem.scores();
  check_matrix_size(size, "logistic regression by Newton's method");

  const auto expand = [&](const Eigen::VectorXd& point, const Monitor& monitor) {
    const MatrixXd at = point.reshaped(problem.width(), problem.scores());
    Expansion expansion = fold(training.source, NewtonTerms(problem, at), monitor).result();
    if (!problem.bias)  // the bias keeps a unit curvature so that it stays where it is
      for (Index s = 0; s < problem.scores(); ++s)
        expansion.hessian(s * problem.width(), s * problem.width()) = 1;
    return expansion;
  };
  NewtonOptions how{options.tol, options.max_iter, scaling.weight, training.monitor};
  const NewtonResult result = newton(expand, Eigen::VectorXd::Zero(size), how);

  Fitted fitted;
  fitted.predictor = to_linear(problem, result.point);
  Summary& summary = fitted.summary;
  summary.solver = "newton";
  summary.reason = fmt::format("{} weights: the Hessian is small enough to factorise", size);
  summary.objective = result.at.value;
  summary.iterations = result.iterations;
  summary.certificate = {"relative-gradient-norm", result.certificate};
  summary.tolerance = options.tol;
  summary.interrupted = result.interrupted;
  summary.converged = result.converged;
  const Index directions = size - (problem.bias ? 0 : problem.scores());
  const Index rank = result.rank - (problem.bias ? 0 : problem.scores());
  if (rank < directions)
    summary.warnings.push_back(rank_warning(rank / problem.scores(), directions / problem.scores()));
  const bool separated = result.unbounded || (options.l2 == 0 && !result.interrupted && still_moving(result));
  if (separated && (result.unbounded || result.converged)) {
    summary.converged = false;
    summary.warnings.push_back(
        fmt::format("the classes are {}separated: without a penalty there is no finite estimate and the "
                    "weights grow without "
                    "end (most for {}); use --l2",
                    result.unbounded ? "perfectly " : "partly ", moving_features(problem, result.next_step)));
  } else if (!summary.converged && !summary.interrupted) {
    summary.warnings.push_back(
        result.iterations >= options.max_iter
            ? fmt::format("stopped at the limit of {} iterations with a relative gradient norm of {:.2g}; "
                          "raise --max-iter or --tol",
                          options.max_iter, result.certificate)
            : fmt::format("no further progress is possible in double precision: the relative gradient norm "
                          "stays at {:.2g}",
                          result.certificate));
  }
  return fitted;
}

}  // namespace discern
