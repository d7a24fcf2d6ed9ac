#include "discern/optim/stochastic/lazy_weights.hpp"

#include <algorithm>

namespace discern {

using Eigen::VectorXd;

namespace {

double common_value(const VectorXd& l2) {
  if (l2.size() < 2) return 0;
  const auto features = l2.tail(l2.size() - 1);
  return features.minCoeff() == features.maxCoeff() ? features[0] : -1;
}

}  // namespace

LazyWeights::LazyWeights(const Problem& problem, const VectorXd& start)
    : problem_(&problem), has_l1_(problem.has_l1()), uniform_l2_(common_value(problem.l2)), weights_(start) {
  if (has_l1_) received_.setZero(start.size());
}

void LazyWeights::shrink(double share) {
  owed_ += share;
  const Index scores = problem_->scores;
  if (problem_->l2[0] > 0) weights_.head(scores) *= 1 - share * problem_->l2[0];
  if (uniform_l2_ < 0) {
    settle();
    for (Index j = 1; j < problem_->width(); ++j)
      weights_.segment(j * scores, scores) *= 1 - share * problem_->l2[j];
    return;
  }
  factor_ *= 1 - share * uniform_l2_;
  if (std::fabs(factor_) < 1e-30) settle();  // in time for 1/factor and S/factor to be finite
}

// A weight is pulled towards zero by what it has not got of the penalty yet, and never across; what it could
// not take at zero is kept for later, which is what leaves weights at zero that only noise moves.
void LazyWeights::clip_at(Index row, double factor) {
  const double l1 = problem_->l1[row];
  if (l1 == 0) return;
  for (Index c = row * problem_->scores; c < (row + 1) * problem_->scores; ++c) {
    const double u = factor * weights_[c];
    if (u == 0) continue;
    const double clipped = u > 0 ? std::max(0.0, u - (l1 * owed_ + received_[c]))
                                 : std::min(0.0, u + (l1 * owed_ - received_[c]));
    received_[c] += clipped - u;
    const double v = clipped / factor;
    if (steps_ >= 0 && row > 0) correction_[c] += sum_ * (v - weights_[c]);
    weights_[c] = v;
  }
}

void LazyWeights::settle() {
  const Index rest = weights_.size() - problem_->scores;
  if (steps_ >= 0) correction_.tail(rest) -= sum_ * weights_.tail(rest);
  weights_.tail(rest) *= factor_;
  sum_ = 0;
  factor_ = 1;
}

void LazyWeights::normalize() {
  settle();
  Eigen::Map<RowMajor> weights(weights_.data(), problem_->width(), problem_->scores);
  for (Index k = 0; k < problem_->scores; ++k)
    if (const double length = weights.col(k).norm(); length > 0) weights.col(k) /= length;
}

void LazyWeights::start_average() {
  steps_ = 0;
  sum_ = 0;
  correction_.setZero(weights_.size());
  bias_sum_.setZero(problem_->scores);
}

VectorXd LazyWeights::result() {
  if (has_l1_) {
    clip_at(0, 1);
    for (Index j = 1; j < problem_->width(); ++j) clip_at(j, factor_);
  }
  settle();
  if (steps_ <= 0) return weights_;
  VectorXd mean = -correction_ / static_cast<double>(steps_);
  mean.head(problem_->scores) = bias_sum_ / static_cast<double>(steps_);
  return mean;
}

}  // namespace discern
