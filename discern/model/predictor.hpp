// The shapes of predictor. Many trainers, few shapes: whatever the algorithm, what it learned is one of
// these, so predicting, saving and explaining are written once per shape.
//
//   Linear     g_k(x) = w_k . (x - c) + b_k             one score for two classes, else one a class
//   Quadratic  g_k(x) = -1/2 |A_k (x - m_k)|^2 + b_k    A_k whitens class k
//
// x is a row after the pipeline, in the units of the file. The centre c keeps the last digits of
// features that lie far from zero (a year, a timestamp): x - c is exact where w.x + b would cancel.
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "discern/data/features.hpp"

namespace discern {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// What turns scores into probabilities.
enum class Link {
  none,      // scores only (least squares, a margin)
  logistic,  // one score: P(positive) = 1 / (1 + exp(-g))
  softmax    // a score a class: P(k) = exp(g_k) / sum_j exp(g_j)
};

struct Linear {
  Matrix weights;  // scores x features
  Vector bias;     // of the score at the centre
  Vector center;   // features, or empty for zero
  Link link = Link::none;

  Index scores() const { return weights.rows(); }
  Index features() const { return weights.cols(); }
  Vector bias_at_origin() const;  // b_k - w_k . c, the bias people expect to read
};

struct Quadratic {
  Matrix means;                // classes x features
  std::vector<Matrix> whiten;  // a class each: features x features, lower triangular
  Vector bias;

  Index scores() const { return means.rows(); }
  Index features() const { return means.cols(); }
};

using Predictor = std::variant<Linear, Quadratic>;

Index score_count(const Predictor& predictor);
Index feature_count(const Predictor& predictor);
Link link_of(const Predictor& predictor);

// The scores of some rows, a row each: rows x score_count.
Matrix scores_of(const Predictor& predictor, const Rows& x);

// Probabilities of the classes from scores: rows x classes; two classes from one score. Finite and summing
// to 1 for scores of any size. Requires link != Link::none.
Matrix probabilities(const Matrix& scores, Link link);

// The decision for one row of scores: with one score class 1 when g >= 0, otherwise the class of the largest
// score, ties to the lowest index.
std::int32_t decide(const double* scores, Index count);

}  // namespace discern
