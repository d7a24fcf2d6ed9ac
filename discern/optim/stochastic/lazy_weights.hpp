// The point of a stochastic solver, kept so that a step touches only the features of its samples:
//
//   u_j = factor v_j                            a shrinkage of all weights is one product
//   sum_t u_j(t) = S v_j - correction_j         the sum over past steps, with S = sum_t factor(t): a
//                                               change d of v_j at any time adds S d to the correction
//   clipping of u_j when it is next used        by what the l1 penalty has summed up to since then
//
// The bias (row 0, see problem.hpp) is kept as it is: it is used in every step.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "discern/optim/problem/problem.hpp"

namespace discern {

class LazyWeights {
 public:
  LazyWeights(const Problem& problem, const Eigen::VectorXd& start);

  // The scores of a row of scaled features; `scores` has room for one of each class.
  template <class Row>
  void scores_of(Row row, double* scores) {
    if (has_l1_) clip(row);
    const Index classes = problem_->scores;
    if (classes == 1) {
      scores[0] = weights_[0] + factor_ * dot(row, weights_.data() + 1);
      return;
    }
    std::fill_n(scores, classes, 0.0);
    for_each(row, [&](Index j, double x) {
      const double* w = weights_.data() + (j + 1) * classes;
      for (Index k = 0; k < classes; ++k) scores[k] += x * w[k];
    });
    for (Index k = 0; k < classes; ++k) scores[k] = weights_[k] + factor_ * scores[k];
  }

  // u <- u - share (l2 u), and as much more of the l1 penalty to come.
  void shrink(double share);

  // u <- u + a [1 row]', one a for each score.
  template <class Row>
  void add(const double* a, Row row) {
    if (problem_->bias)
      for (Index k = 0; k < problem_->scores; ++k) weights_[k] += a[k];
    change(a, 1 / factor_, row, weights_);
    if (steps_ >= 0 && sum_ != 0) change(a, sum_ / factor_, row, correction_);
  }

  void normalize();      // unit length, bias included
  void start_average();  // from the next step on
  void end_step() {
    if (steps_ < 0) return;
    ++steps_;
    sum_ += factor_;
    bias_sum_ += weights_.head(problem_->scores);
  }

  // u, or its mean since start_average.
  Eigen::VectorXd result();

 private:
  template <class Row>
  void change(const double* a, double factor, Row row, Eigen::VectorXd& to) const {
    const Index classes = problem_->scores;
    if (classes == 1) {
      if (a[0] != 0) axpy(factor * a[0], row, to.data() + 1);
      return;
    }
    for_each(row, [&](Index j, double x) {
      double* w = to.data() + (j + 1) * classes;
      for (Index k = 0; k < classes; ++k) w[k] += factor * a[k] * x;
    });
  }
  template <class Row>
  void clip(Row row) {
    clip_at(0, 1);
    for_each(row, [&](Index j, double) { clip_at(j + 1, factor_); });
  }
  void clip_at(Index row, double factor);
  void settle();  // brings u out: v = u, S = 0

  const Problem* problem_;
  bool has_l1_;
  double uniform_l2_;  // of the features; negative when it differs
  Eigen::VectorXd weights_;
  double factor_ = 1;
  double owed_ = 0;           // the l1 penalty so far, in units of l1
  Eigen::VectorXd received_;  // what the weights have got of it
  Index steps_ = -1;          // in the average; negative: there is none
  double sum_ = 0;            // S
  Eigen::VectorXd correction_, bias_sum_;
};

}  // namespace discern
