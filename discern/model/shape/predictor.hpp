// The shapes of predictor. Many trainers, few shapes: whatever the algorithm, what it learned is one of
// these, so predicting, saving and explaining are written once per shape.
//
//   Linear     g_k(x) = w_k . (x - c) + b_k             one score for two classes, else one a class
//   Quadratic  g_k(x) = -1/2 |A_k (x - m_k)|^2 + b_k    A_k whitens class k
//   Additive   g_k(x) = sum_j f_kj(x_j) + b_k           a function of each feature
//   KernelSum  g_k(x) = sum_n a_kn k(u, u_n) + b_k      similarities to some rows, u = (x - c) / s
//   Network    g(x) = W_L y + b_L, y = f(W_l y + b_l)   layers of units, from y = (x - c) / s on
//
// x is a row after the pipeline, in the units of the file. The centre c keeps the last digits of
// features that lie far from zero (a year, a timestamp): x - c is exact where w.x + b would cancel.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "discern/data/features.hpp"
#include "discern/kernel/kernel.hpp"

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

// Densities of single features that are estimated by kernels, a Gaussian bump at each point:
//
//   p(x) = sum_i w_i N(x; t_i, h^2),     sum_i w_i = 1
//
// The density of class k and of feature number f in `features` is number k * features.size() + f.
struct Kernels {
  std::vector<Index> features;  // columns, ascending
  Matrix widths;                // h: classes x features.size()
  std::vector<Index> starts;    // where the points of each density start, and at last where they end
  Vector points, weights;       // t ascending within a density, w above zero
};

// f_kj(x) = w_kj x - 1/2 (a_kj (x - m_kj))^2, and log p_kj(x) for the features of `kernels`.
struct Additive {
  Matrix means;      // classes x features
  Matrix precision;  // a, the inverse of a standard deviation, 0 where f has no such term: classes x features
  Matrix weights;    // classes x features
  Kernels kernels;
  Vector bias;

  Index scores() const { return means.rows(); }
  Index features() const { return means.cols(); }
};

struct KernelSum {
  Kernel kernel;
  Matrix support;       // the rows x_n, in the units of the features: support x features
  Matrix coefficients;  // a: scores x support
  Vector bias;
  Vector center, scale;  // c and s; both empty: zero and one

  Index scores() const { return coefficients.rows(); }
  Index features() const { return support.cols(); }
};

// What a unit of a network makes of its weighted sum v.
enum class UnitKind {
  linear,    // v
  relu,      // max(v, 0)
  tanh,      // tanh(v)
  logistic,  // 1 / (1 + exp(-a v)), a the network's slope
  step       // 1 where v >= 0, otherwise 0; cannot be learned, having no slope
};
inline std::span<const std::string_view> value_names(UnitKind) {
  static constexpr std::array<std::string_view, 5> names{"linear", "relu", "tanh", "logistic", "step"};
  return names;
}

struct Layer {
  Matrix weights;  // units x inputs
  Vector bias;
  UnitKind unit = UnitKind::linear;
};

struct Network {
  std::vector<Layer> layers;  // at least one; the last is linear and gives the scores
  Vector center, scale;       // c and s; both empty: zero and one
  double slope = 1;           // of logistic units
  Link link = Link::none;

  Index scores() const { return layers.back().weights.rows(); }
  Index features() const { return layers.front().weights.cols(); }
};

using Predictor = std::variant<Linear, Quadratic, Additive, KernelSum, Network>;

Index score_count(const Predictor& predictor);
Index feature_count(const Predictor& predictor);
Link link_of(const Predictor& predictor);

// The scores of rows, block by block: what all blocks of sparse rows share is computed once.
class Scorer {
 public:
  // The predictor must outlive it.
  Scorer(const Predictor& predictor, bool sparse);
  // A row each: rows x score_count.
  Matrix operator()(const Rows& x) const;

 private:
  Matrix linear(const Linear& linear, const Rows& x) const;

  const Predictor* predictor_;
  Eigen::Matrix<long double, Eigen::Dynamic, 1> bias_;  // of a linear predictor, at the origin
  bool cancels_ = false;                                // sums over sparse rows cancel with the bias
};

Matrix scores_of(const Predictor& predictor, const Rows& x);

// Probabilities of the classes from scores: rows x classes; two classes from one score. Finite and summing
// to 1 for scores of any size. Requires link != Link::none.
Matrix probabilities(const Matrix& scores, Link link);

// The label of a row that no class is decided for (rejected, or ambiguous), and how it is written.
inline constexpr std::int32_t undecided = -1;
inline constexpr std::string_view undecided_name = "undecided";

// The decision for one row of scores: with one score class 1 when g >= 0, otherwise the class of the largest
// score, ties to the lowest index.
std::int32_t decide(const double* scores, Index count);

}  // namespace discern
