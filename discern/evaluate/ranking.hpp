// How well scores rank the rows of a class (positive) above the others, from (score, weight) of every row.
//
//   AUC                P(a positive row scores above a negative one), ties counting one half: the statistic
//   of
//                      Mann and Whitney divided by the product of the weights
//   average precision  sum_n (R_n - R_n-1) P_n over the distinct scores from the highest down, with P_n and
//   R_n
//                      the precision and the recall of "positive from this score up" (no interpolation)
//
// Nothing where the data say nothing: the AUC without rows of both kinds, the average precision without
// positive rows.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace discern {

using ScoredWeight = std::pair<double, double>;  // score, weight

struct RankQuality {
  std::optional<double> auc;
  std::optional<double> average_precision;
};
RankQuality rank_quality(std::vector<ScoredWeight> positive, std::vector<ScoredWeight> negative);

}  // namespace discern
