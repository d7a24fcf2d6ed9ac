#include "discern/multiclass/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/model/linear/logistic.hpp"

namespace discern {
namespace {

double weight_of(const ScoredRows& rows, std::size_t i) {
  return rows.weights.empty() ? 1.0 : rows.weights[i];
}

// Weight of the positive and of the other side.
std::pair<double, double> side_weights(const ScoredRows& rows) {
  double positive = 0, negative = 0;
  for (std::size_t i = 0; i < rows.scores.size(); ++i)
    (rows.positive[i] ? positive : negative) += weight_of(rows, i);
  return {positive, negative};
}

// Machines that tell nothing apart give all rows the same score but for rounding, which is no ground for a
// curve.
ScoredRows without_rounding(const ScoredRows& rows) {
  const auto [low, high] = std::minmax_element(rows.scores.begin(), rows.scores.end());
  if (*high - *low > 1e-6 * std::max(std::fabs(*low), std::fabs(*high))) return rows;
  ScoredRows same = rows;
  std::fill(same.scores.begin(), same.scores.end(), *low);
  return same;
}

struct Curve {
  double slope = 0, offset = 0;
};

// Logistic regression on the score. A target between 0 and 1 is a row on both sides, with its shares as
// weights.
Curve platt(const ScoredRows& rows) {
  const auto [positive, negative] = side_weights(rows);
  const auto n = static_cast<Index>(rows.scores.size());
  DenseMatrix<double> x{Buffer<double>(2 * n), 2 * n, 1};
  Targets targets;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double target = rows.positive[at] ? (positive + 1) / (positive + 2) : 1 / (negative + 2);
    for (const std::int32_t side : {0, 1}) {
      x.values[2 * i + side] = rows.scores[at];
      targets.labels.push_back(side);
      targets.weights.push_back(weight_of(rows, at) * (side == 1 ? target : 1 - target));
    }
  }
  const Features features = std::move(x);
  const MemorySource source(features, targets);
  Logistic options;
  options.l2 = 0;
  const Training training{.source = source, .classes = 2, .feature_names = {"score"}};
  const auto linear = std::get<Linear>(fit(options, training).predictor);
  return {linear.weights(0, 0), linear.bias_at_origin()[0]};
}

// Some neighbours in the order of scores, and the mean of their sides.
struct Pool {
  double low, high;  // scores
  double weight, mean;
};

// The rows in the order of their scores, equal scores together.
std::vector<Pool> sorted_pools(const ScoredRows& rows) {
  std::vector<std::size_t> order(rows.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.scores[a] < rows.scores[b]; });
  std::vector<Pool> pools;
  for (const std::size_t i : order) {
    const double score = rows.scores[i], weight = weight_of(rows, i), side = rows.positive[i] ? 1 : 0;
    if (pools.empty() || pools.back().high != score) {
      pools.push_back({score, score, weight, side});
      continue;
    }
    Pool& last = pools.back();
    last.weight += weight;
    last.mean += (side - last.mean) * weight / last.weight;
  }
  return pools;
}

// Pools neighbours until their means rise.
std::vector<Pool> rising(const std::vector<Pool>& pools) {
  std::vector<Pool> stack;
  for (Pool next : pools) {
    while (!stack.empty() && stack.back().mean >= next.mean) {
      const Pool& last = stack.back();
      const double weight = last.weight + next.weight;
      next = {last.low, next.high, weight, last.mean + (next.mean - last.mean) * next.weight / weight};
      stack.pop_back();
    }
    stack.push_back(next);
  }
  return stack;
}

// The points of the curve: both ends of every pool.
void isotonic(const ScoredRows& rows, std::vector<double>& scores, std::vector<double>& proba) {
  const auto [positive, negative] = side_weights(rows);
  const double least = 1 / (positive + negative + 2);
  for (const Pool& pool : rising(sorted_pools(rows))) {
    const double p = std::clamp(pool.mean, least, 1 - least);
    scores.push_back(pool.low);
    proba.push_back(p);
    if (pool.high == pool.low) continue;
    scores.push_back(pool.high);
    proba.push_back(p);
  }
}

Vector vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
}

}  // namespace

std::vector<std::int32_t> stratified_parts(std::span<const std::int32_t> labels, Index parts,
                                           std::uint64_t seed) {
  // In the order of their first rows, so that it does not matter how the classes are numbered.
  std::vector<std::vector<std::size_t>> rows;
  std::unordered_map<std::int32_t, std::size_t> place;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto [known, is_new] = place.emplace(labels[i], rows.size());
    if (is_new) rows.emplace_back();
    rows[known->second].push_back(i);
  }
  std::vector<std::int32_t> part(labels.size());
  Random random(seed);
  Index next = 0;  // goes on from class to class, so that the parts are of equal size
  for (auto& own : rows) {
    random.shuffle(own);
    for (const std::size_t i : own) part[i] = static_cast<std::int32_t>(next++ % parts);
  }
  return part;
}

Calibration calibrate(CalibrationKind kind, const std::vector<ScoredRows>& machines) {
  const auto count = static_cast<Index>(machines.size());
  Calibration calibration;
  if (kind == CalibrationKind::platt) {
    calibration.slope.resize(count);
    calibration.offset.resize(count);
    parallel_for(count, [&](Index l) {
      const Curve curve = platt(without_rounding(machines[static_cast<std::size_t>(l)]));
      calibration.slope[l] = curve.slope;
      calibration.offset[l] = curve.offset;
    });
    return calibration;
  }
  std::vector<double> scores, proba;
  calibration.starts.push_back(0);
  for (const ScoredRows& rows : machines) {
    isotonic(without_rounding(rows), scores, proba);
    calibration.starts.push_back(static_cast<Index>(scores.size()));
  }
  calibration.scores = vector_of(scores);
  calibration.proba = vector_of(proba);
  return calibration;
}

}  // namespace discern
