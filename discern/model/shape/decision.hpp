// The decision rule: from the probabilities of the classes to one of them, or to none.
//
//   q_k = (p_k P'_k / P_k) / sum_j (p_j P'_j / P_j)   with priors P' in place of the P of the fit
//   R_j = sum_k C_kj q_k                              the expected cost of deciding j, C_kj where k is true
//
// decides the j of the least R_j, and nothing when even that is above the cost of rejecting.
//
// Costs are 0 on the diagonal and 1 elsewhere unless they are set, so that R_j = 1 - q_j and the rule is the
// largest probability. Ties go to the lowest index, and of two classes to the positive one, as with scores.
// Two classes may have a threshold instead: the positive class when q >= T, which is the rule of
// C(negative, positive) = T and C(positive, negative) = 1 - T.
//
// The asymmetric risk of two classes, h P(Y = 1, decided 0) + (1 - h) P(Y = 0, decided 1), has these costs
// and is least when class 1 is decided where h q_1 >= (1 - h) q_0: where q_1 >= 1 - h, or in densities
//
//   p(x | 1) / p(x | 0) >= (1 - h) P_0 / (h P_1)
//
// (h weighs the misses of class 1, so a larger h decides for it more often).
#pragma once

#include <optional>

#include "discern/model/shape/predictor.hpp"

namespace discern {

struct Decision {
  std::optional<double> threshold;  // of two classes; excludes costs and rejecting
  Matrix cost;                      // classes x classes, the truth down; empty: 0 and 1
  std::optional<double> reject;     // the cost of deciding nothing; empty: always decide
  Vector prior_ratio;               // P'_k / P_k; empty: all 1

  // Costs were set, or rejecting has one.
  bool has_costs() const { return cost.size() > 0 || reject.has_value(); }
  // decided: a class or `undecided`, which is as bad as an error where rejecting has no cost of its own
  double cost_of(Index truth, Index decided) const;
};

// q in place of p, for one row; nothing to do without a prior_ratio.
void reweigh(const Decision& decision, double* probabilities, Index classes);

// The label for one row of probabilities, which have been reweighed. `positive`: of two classes.
std::int32_t decide(const Decision& decision, const double* probabilities, Index classes, Index positive);

}  // namespace discern
