// What every solver minimises: a loss of linear scores plus a penalty, in the coordinates of Scaling.
//
//   E(u) = sum_i s_i L(g_i, y_i) + sum_j (l2_j/2 u_j^2 + l1_j |u_j|),     g_i = u_0 + sum_j z_ij u_j
//
// A point is a (1 + features) x scores matrix, row by row in one vector: first the bias (at the centre of the
// features), then the weights of the scaled features. One score for two classes and for regression, K for the
// softmax loss. Several classes one against the rest are as many problems.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/loss/all.hpp"
#include "discern/optim/problem/scaling.hpp"
#include "discern/penalty/elastic_net.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct Problem {
  const Source* source = nullptr;
  Loss loss = LogisticLoss{};
  Index scores = 1;
  std::int32_t positive = 1;  // the class whose y is +1 ...
  double negative = -1;       // ... and the y of the others; with regression targets y is the number
  bool bias = true;
  Scaling scaling;
  Eigen::VectorXd l1, l2;  // 1 + features: the strength of the penalties, that of the bias first

  Index features() const { return source->cols(); }
  Index width() const { return source->cols() + 1; }
  Index size() const { return width() * scores; }
  bool softmax() const { return std::holds_alternative<SoftmaxLoss>(loss); }
  // Scores that are free: those of softmax sum to zero.
  Index free_scores() const { return softmax() ? scores - 1 : 1; }
  bool has_l1() const { return l1.maxCoeff() > 0; }
  double target(const Block& block, Index i) const {
    const auto at = static_cast<std::size_t>(i);
    if (block.labels.empty()) return block.targets[at];
    return block.labels[at] == positive ? 1.0 : negative;
  }
};

// The problem without some features: of infinite scale they are zero in every row.
Problem without_features(const Problem& problem, const std::vector<Index>& features);
bool is_left_out(const Problem& problem, Index feature);

// The same features with one score, for sums over the rows whose curvature is given beside it.
inline Problem one_score(const Problem& problem) {
  Problem one = problem;
  one.loss = SquaredLoss{};
  one.scores = 1;
  return one;
}

struct PenaltyStrength {
  double l1 = 0;
  double l2 = 0;
  bool bias = false;  // penalise the bias as if it were a weight
};

// Carries the strengths over to the scaled coordinates: l2_j = l2 penalty_j, l1_j = l1 sqrt(penalty_j).
void set_penalty(Problem& problem, const PenaltyStrength& strength);

// sum_j l1_j |u_j| at a point, and the slopes of the squares: gradient += l2 u.
double l1_value(const Problem& problem, const Eigen::VectorXd& point);
void add_l2_gradient(const Problem& problem, const Eigen::VectorXd& point, Eigen::VectorXd& gradient);

// The subgradient of E of smallest length at a point, from the gradient of its smooth part (loss and l2).
// Zero exactly at a minimum. Equal to the gradient without l1. The bias of a problem without one is left out.
Eigen::VectorXd least_subgradient(const Problem& problem, const Eigen::VectorXd& point,
                                  const Eigen::VectorXd& smooth_gradient);

// A row is flat when its slope |L'| is below this. Its curvature may still be large (a squared hinge has it up to
// the kink), but it vanishes when the margin grows a little, so it does not determine any weight.
inline constexpr double flat_slope = 1e-6;

// The losses of some rows, given their scores (rows x scores): returns sum_i s_i L_i and writes s_i L'(g_i)
// over the scores. Into curvature, unless it is null, goes s_i L''(g_i); for softmax the probabilities.
double row_losses(const Problem& problem, const Block& rows, RowMajor& scores, RowMajor* curvature);

// The product of the curvature of some rows with a change of their scores: s_i L''(g_i) t_i, or
// s_i (diag(p_i) - p_i p_i') t_i for softmax. In place.
void times_curvature(const Problem& problem, const Block& rows, const Eigen::Ref<const RowMajor>& curvature,
                     RowMajor& change);

// Raises the curvature of misclassified rows, given the scores. Between a row of margin -m and the boundary the
// slope of the loss falls from p, near 1, to 1/2. The mean curvature on this way replaces that at the row,
//
//   (p - 1/2) / m = tanh(m/2) / (2m)   instead of   p (1 - p) ~ exp(-m)
//
// so that a step does not overshoot because of rows far on the wrong side (the bound of Jaakkola and Jordan
// 2000). For the logistic and softmax losses; the curvature of other losses does not change.
void cautious_curvature(const Problem& problem, const Block& rows, const Eigen::Ref<const RowMajor>& scores,
                        Eigen::Ref<RowMajor> curvature);

}  // namespace discern
