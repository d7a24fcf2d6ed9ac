#include "discern/model/inference/likelihood_inference.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/model/inference/firth.hpp"
#include "discern/optim/confirm/separation.hpp"
#include "discern/optim/problem/function.hpp"
#include "discern/stats/distributions.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// M = sum_i s_i grad_i grad_i' of the rows' own gradients (p - e_y)'Q (x) z, or slope z for one score.
class LikelihoodMeat {
 public:
  LikelihoodMeat(const Problem& problem, const MatrixXd& q, const MatrixXd& at)
      : problem_(&problem), q_(&q), at_(&at), sum_(MatrixXd::Zero(at.size(), at.size())) {}

  void add(const Block& block) {
    dense_rows(block.x, problem_->scaling.center, problem_->scaling.scale, z_, 1);
    if (!problem_->bias) z_.col(0).setZero();
    factors_ = z_ * *at_;
    if (q_->size() > 0) factors_ = (factors_ * q_->transpose()).eval();
    row_losses(*problem_, block, factors_, nullptr);  // now s_i times the slopes
    RowMajor slopes = q_->size() > 0 ? RowMajor(factors_ * *q_) : factors_;
    for (Index i = 0; i < z_.rows(); ++i)
      if (block.weight(i) > 0) slopes.row(i) /= std::sqrt(block.weight(i));
    const Index width = z_.cols();
    RowMajor gradients(z_.rows(), width * slopes.cols());
    for (Index s = 0; s < slopes.cols(); ++s)
      gradients.middleCols(s * width, width) = slopes.col(s).asDiagonal() * z_;
    sum_.selfadjointView<Eigen::Lower>().rankUpdate(gradients.transpose());
  }
  void merge(const LikelihoodMeat& other) { sum_ += other.sum_; }
  double bytes() const { return 8.0 * static_cast<double>(sum_.size()); }
  MatrixXd result() const { return sum_.selfadjointView<Eigen::Lower>(); }

 private:
  const Problem* problem_;
  const MatrixXd* q_;
  const MatrixXd* at_;
  MatrixXd sum_;
  RowMajor z_, factors_;
};

// A coefficient of the user as a linear form of Newton's coordinates: the contrast of the scores times the
// weight in the file's units, or the bias at the origin.
class Forms {
 public:
  explicit Forms(const Likelihood& likelihood) : scaling_(&likelihood.problem->scaling) {
    const Index free = likelihood.at.cols();
    contrasts_ = MatrixXd::Identity(free, free);
    if (likelihood.q.size() > 0)
      for (Index k = 0; k < free; ++k) contrasts_.row(k) = likelihood.q.row(k + 1) - likelihood.q.row(0);
  }
  Index contrasts() const { return contrasts_.rows(); }

  VectorXd operator()(Index contrast, Index column) const {
    VectorXd one = VectorXd::Zero(1 + scaling_->scale.size());
    if (column > 0) {
      one[column] = 1 / scaling_->scale[column - 1];
    } else {
      one[0] = 1;
      if (scaling_->at_zero().size() > 0)
        one.tail(scaling_->scale.size()) = -scaling_->at_zero().cwiseQuotient(scaling_->scale);
    }
    return (one * contrasts_.row(contrast)).reshaped();
  }
  // c'Cc of a form c. That of a weight touches one row of each score.
  double variance(const MatrixXd& covariance, Index contrast, Index column) const {
    if (column == 0) {
      const VectorXd c = (*this)(contrast, 0);
      return c.dot(covariance * c);
    }
    const Index width = 1 + scaling_->scale.size();
    const double scale = scaling_->scale[column - 1];
    double sum = 0;
    for (Index a = 0; a < contrasts_.cols(); ++a)
      for (Index b = 0; b < contrasts_.cols(); ++b)
        sum += contrasts_(contrast, a) * contrasts_(contrast, b) *
               covariance(a * width + column, b * width + column);
    return sum / (scale * scale);
  }

 private:
  const Scaling* scaling_;
  MatrixXd contrasts_;
};

// The log-likelihood of the best constant probabilities: the class shares, or equal ones without a bias.
double null_log_likelihood(const Problem& problem, const Training& training) {
  const Targets answers = answers_of(*problem.source);
  std::vector<double> weight(static_cast<std::size_t>(training.classes), 0.0);
  double all = 0;
  for (std::size_t i = 0; i < answers.labels.size(); ++i) {
    const double s = answers.weights.empty() ? 1.0 : answers.weights[i];
    weight[static_cast<std::size_t>(answers.labels[i])] += s;
    all += s;
  }
  if (!problem.bias) return -all * std::log(static_cast<double>(training.classes));
  double sum = 0;
  for (const double w : weight) sum += w > 0 ? w * std::log(w / all) : 0.0;
  return sum;
}

void add_profiles(const Likelihood& likelihood, const Forms& form, const Training& training,
                  Inference& inference) {
  const Profile profile(likelihood.expand, likelihood.at.reshaped(), likelihood.expansion, training.monitor);
  const double reach = normal_central(training.inference.confidence);
  inference.low = inference.high = inference.likelihood_ratio =
      Matrix::Zero(inference.estimates.rows(), inference.estimates.cols());
  for (Index k = 0; k < form.contrasts(); ++k)
    for (Index j = inference.bias ? 0 : 1; j < inference.estimates.cols(); ++j) {
      inference.low(k, j) = profile.end(form(k, j), reach, -1);
      inference.high(k, j) = profile.end(form(k, j), reach, 1);
      inference.likelihood_ratio(k, j) = profile.likelihood_ratio(form(k, j), 0);
    }
}

}  // namespace

std::optional<Likelihood> likelihood_at(const Problem& problem, const VectorXd& point,
                                        const Expansion* expansion, const Monitor& monitor) {
  if (!expansion_is_affordable(problem)) return std::nullopt;
  const NewtonCoordinates newton(problem);
  Likelihood likelihood;
  likelihood.problem = &problem;
  likelihood.q = newton.basis();
  likelihood.at = newton.matrix(newton.to(point));
  likelihood.expand = expansion_of(problem);
  likelihood.expansion =
      expansion != nullptr ? *expansion : likelihood.expand(likelihood.at.reshaped(), monitor);
  likelihood.log_likelihood = -likelihood.expansion.value;
  return likelihood;
}

std::string small_sample_warning(const Likelihood& likelihood, const Training& training) {
  const Problem& problem = *likelihood.problem;
  const Index rows = problem.source->rows();
  if (problem.softmax() || rows >= 500) return "";
  const Index size = problem.width();
  const SemidefiniteFactor factor(likelihood.expansion.hessian);
  if (factor.rank() < size) return "";
  const VectorXd point = likelihood.at.reshaped();
  const MatrixXd inverse = factor.solve(MatrixXd::Identity(size, size)).x;
  const VectorXd bias = inverse * leverage_pull(problem, point, inverse, training.monitor);
  // How much too long the weights are, measured by the information.
  const MatrixXd information = likelihood.expansion.hessian.selfadjointView<Eigen::Lower>();
  VectorXd weights = point;
  weights[0] = 0;
  const VectorXd reached = information * weights;
  const double share = reached.dot(bias) / reached.dot(weights);
  if (!(share >= 0.05)) return "";
  return fmt::format(
      "with {} rows for {} weights the odds are overestimated: the weights are about {:.0f} % too large; "
      "`firth` corrects that",
      rows, problem.features(), 100 * share);
}

Inference infer(const Likelihood& likelihood, const Training& training) {
  const Problem& problem = *likelihood.problem;
  const Index size = likelihood.at.size(), width = problem.width();
  Inference inference;
  const SemidefiniteFactor factor(likelihood.expansion.hessian);
  if (factor.rank() < size) {
    inference.absent = "the features are linearly dependent, so the weights are not unique";
    return inference;
  }
  MatrixXd covariance = factor.solve(MatrixXd::Identity(size, size)).x;
  if (training.inference.robust) {
    const LikelihoodMeat meat =
        fold(*problem.source, LikelihoodMeat(problem, likelihood.q, likelihood.at), training.monitor);
    covariance = covariance * meat.result() * covariance;
    inference.robust = true;
  }
  const Forms form(likelihood);
  inference.bias = problem.bias;
  inference.estimates = inference.errors = Matrix::Zero(form.contrasts(), width);
  const VectorXd theta = likelihood.at.reshaped();
  for (Index k = 0; k < form.contrasts(); ++k)
    for (Index j = problem.bias ? 0 : 1; j < width; ++j) {
      inference.estimates(k, j) = form(k, j).dot(theta);
      inference.errors(k, j) = std::sqrt(form.variance(covariance, k, j));
    }
  if (!inference.errors.allFinite())
    return Inference{.absent =
                         "the features depend on each other up to what double precision can tell apart"};
  inference.confidence = training.inference.confidence;
  inference.samples = problem.scaling.weight;
  inference.parameters = static_cast<double>(form.contrasts() * (problem.bias ? width : width - 1));
  if (!(inference.degrees() > 0))
    return Inference{.absent = "there are not more rows than weights, so none are left over"};
  inference.log_likelihood = likelihood.log_likelihood;
  inference.deviance = -2 * likelihood.log_likelihood;
  inference.null_deviance = -2 * null_log_likelihood(problem, training);
  if (training.inference.intervals == Intervals::profile) add_profiles(likelihood, form, training, inference);
  return inference;
}

}  // namespace discern
