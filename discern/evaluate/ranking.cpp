#include "discern/evaluate/ranking.hpp"

#include <algorithm>

#include "discern/evaluate/compensated_sum.hpp"

namespace discern {
namespace {

double total(const std::vector<ScoredWeight>& rows) {
  CompensatedSum sum;
  for (const auto& row : rows) sum.add(row.second);
  return sum.value();
}

// Adds the weights of the rows from `next` on whose score is `score`, and moves on past them.
double take_ties(const std::vector<ScoredWeight>& rows, std::size_t& next, double score) {
  CompensatedSum sum;
  for (; next < rows.size() && rows[next].first == score; ++next) sum.add(rows[next].second);
  return sum.value();
}

// In one sweep up the scores.
std::optional<double> area_under_curve(const std::vector<ScoredWeight>& positive,
                                       const std::vector<ScoredWeight>& negative) {
  CompensatedSum wins, passed;
  std::size_t next = 0;
  for (std::size_t i = 0; i < positive.size();) {
    const double score = positive[i].first;
    for (; next < negative.size() && negative[next].first < score; ++next) passed.add(negative[next].second);
    const double lower = passed.value();
    const double level = take_ties(negative, next, score);
    wins.add(take_ties(positive, i, score) * (lower + 0.5 * level));
    passed.add(level);
  }
  const double pairs = total(positive) * total(negative);
  if (!(pairs > 0)) return std::nullopt;
  return wins.value() / pairs;
}

// In one sweep down the scores that positive rows have: others do not change the recall.
std::optional<double> precision_mean(const std::vector<ScoredWeight>& positive,
                                     const std::vector<ScoredWeight>& negative) {
  CompensatedSum sum, found, wrong;
  auto below = negative.rbegin();
  for (auto above = positive.rbegin(); above != positive.rend();) {
    const double score = above->first;
    for (; below != negative.rend() && below->first >= score; ++below) wrong.add(below->second);
    CompensatedSum gained;
    for (; above != positive.rend() && above->first == score; ++above) gained.add(above->second);
    found.merge(gained);
    sum.add(gained.value() * (found.value() / (found.value() + wrong.value())));
  }
  if (!(found.value() > 0)) return std::nullopt;
  return sum.value() / found.value();
}

}  // namespace

// Sorting by weight within a score makes the order of the additions, and so the last bit, independent of the
// order of the rows.
RankQuality rank_quality(std::vector<ScoredWeight> positive, std::vector<ScoredWeight> negative) {
  std::sort(positive.begin(), positive.end());
  std::sort(negative.begin(), negative.end());
  return {area_under_curve(positive, negative), precision_mean(positive, negative)};
}

}  // namespace discern
