#include "tests/support/known_optimum.hpp"

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/problems.hpp"

namespace discern::support {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

void set_unscaled(Problem& problem, const Source& source, const Targets& targets) {
  problem.source = &source;
  problem.scaling.scale = problem.scaling.penalty = VectorXd::Ones(source.cols());
  problem.scaling.weight = 0;
  for (const double weight : targets.weights) problem.scaling.weight += weight;
}

RowMajor stacked(const std::vector<VectorXd>& rows) {
  RowMajor all(static_cast<Index>(rows.size()), rows.front().size());
  for (std::size_t i = 0; i < rows.size(); ++i) all.row(static_cast<Index>(i)) = rows[i].transpose();
  return all;
}

// A (1 + features) x scores matrix with entries below 0.8. Under l1 every third feature has no weights. The
// scores of softmax sum to zero, under l1 with a zero among them, since their median is what l1 moves to zero.
RowMajor random_point(const OptimumShape& shape, Index scores, Random& random) {
  RowMajor point = RowMajor::Zero(shape.cols + 1, scores);
  for (Index j = 0; j <= shape.cols; ++j) {
    const double size = (j == 0 ? 0.1 : 0.3 + 0.4 * random.uniform()) * (random.below(2) == 0 ? 1 : -1);
    if (j > 0 && shape.l1 > 0 && j % 3 == 0) continue;
    point(j, 0) = size;
    if (scores > 1) point(j, 1) = -size;
  }
  return point;
}

}  // namespace

KnownOptimum::KnownOptimum(const Loss& loss, const OptimumShape& shape) {
  Random random(shape.seed);
  problem_.loss = loss;
  const Index scores = problem_.softmax() ? shape.classes : 1;
  problem_.scores = scores;
  const RowMajor point = random_point(shape, scores, random);
  optimum_ = point.reshaped<Eigen::RowMajor>();
  for (Index i = 0; i < shape.rows; ++i) {
    VectorXd z(shape.cols);
    for (double& cell : z) cell = shape.sparse && random.below(2) == 0 ? 0.0 : random.normal();
    add_row(z, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.classes))), 1);
  }
  const MatrixXd gradient = loss_gradient();
  VectorXd missing_bias = -gradient.row(0);
  for (Index j = 1; j <= shape.cols; ++j) {
    const double inside = shape.l1 * (random.uniform() - 0.5);  // the slope where the weights are zero
    VectorXd missing = -gradient.row(j);
    for (Index k = 0; k < scores; ++k) {
      missing[k] -= shape.l2 * point(j, k) + shape.l1 * sign(point(j, k));
      if (point.row(j).isZero(0)) missing[k] += k == 0 ? inside : k == 1 ? -inside : 0;
    }
    add_anchor(VectorXd::Unit(shape.cols, j - 1), missing);
    missing_bias -= missing;
  }
  add_anchor(VectorXd::Zero(shape.cols), missing_bias);
  x_ = shape.sparse ? sparse_features(stacked(rows_)) : dense_features(stacked(rows_));
  set_unscaled(problem_, source_, targets_);
  set_penalty(problem_, {.l1 = shape.l1, .l2 = shape.l2});
}

VectorXd KnownOptimum::scores_at_optimum(const VectorXd& z) const {
  const Eigen::Map<const RowMajor> point(optimum_.data(), optimum_.size() / problem_.scores, problem_.scores);
  return point.row(0).transpose() + point.bottomRows(z.size()).transpose() * z;
}

// L' of every score.
VectorXd KnownOptimum::slope(const VectorXd& scores, std::int32_t label) const {
  if (problem_.softmax()) {
    const VectorXd weights = scores.array().exp();
    return weights / weights.sum() - VectorXd::Unit(scores.size(), label);
  }
  const double g = scores[0], y = label == 1 ? 1 : -1;
  if (std::holds_alternative<SquaredLoss>(problem_.loss)) return VectorXd::Constant(1, g - y);
  if (std::holds_alternative<LogisticLoss>(problem_.loss))
    return VectorXd::Constant(1, -y / (1 + std::exp(y * g)));
  return VectorXd::Constant(1, -2 * y * std::max(0.0, 1 - y * g));
}

double KnownOptimum::value(const VectorXd& point) const {
  const Eigen::Map<const RowMajor> u(point.data(), point.size() / problem_.scores, problem_.scores);
  double sum = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const VectorXd g = u.row(0).transpose() + u.bottomRows(rows_[i].size()).transpose() * rows_[i];
    const double m = targets_.labels[i] == 1 ? g[0] : -g[0];
    double loss = 0;
    if (problem_.softmax())
      loss = std::log(g.array().exp().sum()) - g[targets_.labels[i]];
    else if (std::holds_alternative<SquaredLoss>(problem_.loss))
      loss = 0.5 * (1 - m) * (1 - m);
    else if (std::holds_alternative<LogisticLoss>(problem_.loss))
      loss = std::log1p(std::exp(-m));
    else
      loss = std::pow(std::max(0.0, 1 - m), 2);
    sum += targets_.weights[i] * loss;
  }
  for (Index j = 1; j < u.rows(); ++j)
    sum += 0.5 * problem_.l2[j] * u.row(j).squaredNorm() + problem_.l1[j] * u.row(j).lpNorm<1>();
  return sum;
}

MatrixXd KnownOptimum::loss_gradient() const {
  MatrixXd gradient = MatrixXd::Zero(rows_.front().size() + 1, problem_.scores);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const VectorXd s = targets_.weights[i] * slope(scores_at_optimum(rows_[i]), targets_.labels[i]);
    gradient.row(0) += s.transpose();
    gradient.bottomRows(rows_[i].size()) += rows_[i] * s.transpose();
  }
  return gradient;
}

void KnownOptimum::add_row(const VectorXd& z, std::int32_t label, double weight) {
  rows_.push_back(z);
  targets_.labels.push_back(label);
  targets_.weights.push_back(weight);
}

// Rows z whose weighted slopes sum to the one that is asked for. One score: the label that pulls to that side
// (scores are below 1 in size, so no margin is beyond the kink). Softmax, whose slopes are p - e_y: for all
// labels y the weights S p_y - slope_y, with S so large that none is negative.
void KnownOptimum::add_anchor(const VectorXd& z, const VectorXd& slope) {
  const VectorXd scores = scores_at_optimum(z);
  if (!problem_.softmax()) {
    const std::int32_t label = slope[0] > 0 ? 0 : 1;
    add_row(z, label, slope[0] / this->slope(scores, label)[0]);
    return;
  }
  const VectorXd p = scores.array().exp() / scores.array().exp().sum();
  const double total = (slope.array() / p.array()).maxCoeff() + 1;
  for (Index y = 0; y < p.size(); ++y)
    add_row(z, static_cast<std::int32_t>(y), std::max(total, 1.0) * p[y] - slope[y]);
}

KnownHinge::KnownHinge(const std::vector<double>& weights, double l2) {
  const auto cols = static_cast<Index>(weights.size());
  RowMajor rows(2 * cols, cols);
  rows << RowMajor::Identity(cols, cols), -RowMajor::Identity(cols, cols);
  targets_.labels.assign(weights.size(), 1);
  targets_.labels.resize(2 * weights.size(), 0);
  targets_.weights = weights;
  targets_.weights.insert(targets_.weights.end(), weights.begin(), weights.end());
  x_ = dense_features(rows);
  problem_.loss = HingeLoss{};
  set_unscaled(problem_, source_, targets_);
  set_penalty(problem_, {.l2 = l2});
  optimum_ = VectorXd::Zero(cols + 1);
  for (Index j = 0; j < cols; ++j)
    optimum_[j + 1] = std::min(1.0, 2 * weights[static_cast<std::size_t>(j)] / l2);
}

}  // namespace discern::support
