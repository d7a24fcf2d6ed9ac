#include "discern/evaluate/judge.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

constexpr Index most_parts = 32;
constexpr double most_scores = 2.5e7;       // of all rows and classes
constexpr std::size_t most_classes = 2500;  // in a confusion table
constexpr Index chunk = 1 << 16;  // rows judged together; fixed, so that sums always add up in one order

std::span<const double> row_of(const Matrix& matrix, Index i) {
  if (matrix.rows() == 0) return {};
  return {matrix.data() + i * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

double weight_of(const std::vector<double>& weights, Index i) {
  return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)];
}

// log p_t of the true class t where p_t is beyond the range of double and the scores are log-odds:
//
//   log p_t = log p_m + g_t - g_m + log (r_t / r_m)    m the likeliest class, r the prior ratios of a
//   decision
std::optional<double> log_probability(const Model& model, const Prediction& said, Index i, Index truth) {
  if (said.proba.rows() == 0 || model.reduction) return std::nullopt;
  if (said.proba(i, truth) >= std::numeric_limits<double>::min()) return std::nullopt;
  Index likeliest = 0;
  const double most = said.proba.row(i).maxCoeff(&likeliest);
  const auto score = [&](Index k) {
    if (said.scores.cols() > 1) return said.scores(i, k);
    return k == model.positive ? said.scores(i, 0) : 0.0;
  };
  double log_odds = score(truth) - score(likeliest);
  if (model.decision && model.decision->prior_ratio.size() > 0)
    log_odds += std::log(model.decision->prior_ratio[truth] / model.decision->prior_ratio[likeliest]);
  return std::log(most) + log_odds;
}

// Calls add(score, i) for every row, each chunk with a score of its own, and merges these in order.
template <class Score, class Add>
Score in_chunks(const Score& empty, Index rows, const Add& add) {
  std::vector<Score> parts(static_cast<std::size_t>((rows + chunk - 1) / chunk), empty);
  parallel_for(static_cast<Index>(parts.size()), [&](Index k) {
    for (Index i = k * chunk; i < std::min(rows, (k + 1) * chunk); ++i)
      add(parts[static_cast<std::size_t>(k)], i);
  });
  Score whole = empty;
  for (const Score& part : parts) whole.merge(part);
  return whole;
}

// From metrics with detail.
std::optional<double> mean_cost(const Decision& decision, const Metrics& metrics) {
  if (!(metrics.weight > 0)) return std::nullopt;
  const auto classes = static_cast<Index>(metrics.per_class.size());
  CompensatedSum cost;
  for (Index t = 0; t < classes; ++t) {
    for (Index p = 0; p < classes; ++p)
      cost.add(metrics.confusion[static_cast<std::size_t>(t * classes + p)] * decision.cost_of(t, p));
    cost.add(metrics.per_class[static_cast<std::size_t>(t)].undecided * decision.cost_of(t, undecided));
  }
  return cost.value() / metrics.weight;
}

// The same from the rows.
std::optional<double> mean_cost(const Decision& decision, const std::vector<std::int32_t>& labels,
                                const std::vector<std::int32_t>& decided,
                                const std::vector<double>& weights) {
  CompensatedSum cost, weight;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double s = weight_of(weights, static_cast<Index>(i));
    cost.add(s * decision.cost_of(labels[i], decided[i]));
    weight.add(s);
  }
  return weight.value() > 0 ? std::optional(cost.value() / weight.value()) : std::nullopt;
}

}  // namespace

Metrics judge(const Model& model, const Prediction& said, const std::vector<std::int32_t>& labels,
              const std::vector<double>& weights) {
  const ClassificationScore empty(static_cast<Index>(model.classes.size()), model.positive);
  const auto add = [&](ClassificationScore& score, Index i) {
    const auto row = static_cast<std::size_t>(i);
    score.add({labels[row], said.labels[row], row_of(said.proba, i), row_of(said.scores, i),
               weight_of(weights, i), log_probability(model, said, i, labels[row])});
  };
  Metrics metrics = in_chunks(empty, static_cast<Index>(labels.size()), add).result();
  if (model.decision && model.decision->has_costs()) metrics.cost = mean_cost(*model.decision, metrics);
  return metrics;
}

Metrics judge_rows(const Model& model, const Source& features, const std::vector<std::int32_t>& labels,
                   const std::vector<double>& weights, std::vector<std::int32_t>& decided,
                   const Monitor& monitor) {
  const Index blocks = features.block_count(), parts = std::min(blocks, most_parts);
  const ClassificationScore empty(static_cast<Index>(model.classes.size()), model.positive, false);
  std::vector<ClassificationScore> scores(static_cast<std::size_t>(parts), empty);
  std::vector<Index> beyond(static_cast<std::size_t>(parts));
  decided.resize(labels.size());
  const Scorer scorer(model.predictor, features.sparse());
  std::atomic<Index> done = 0;
  std::atomic<bool> stopped = false;
  parallel_for(parts, [&](Index part) {
    Scratch scratch;
    for (Index k = part * blocks / parts; k < (part + 1) * blocks / parts && !stopped; ++k) {
      const Monitor during = [&, at = done++](const Progress&) {
        return !stopped && go_on(monitor, {.stage = "predicting", .done = at, .total = blocks});
      };
      if (!during({})) stopped = true;
      const Block block = features.block(k, scratch);
      const BlockPrediction made = predict_block(model, scorer, block, during);
      beyond[static_cast<std::size_t>(part)] = made.beyond;
      if (made.beyond > 0) return;
      for (Index i = 0; i < block.rows(); ++i) {
        const auto row = static_cast<std::size_t>(block.first + i);
        decided[row] = made.said.labels[static_cast<std::size_t>(i)];
        scores[static_cast<std::size_t>(part)].add(
            {labels[row], decided[row], row_of(made.said.proba, i), row_of(made.said.scores, i),
             weight_of(weights, block.first + i), log_probability(model, made.said, i, labels[row])});
      }
    }
  });
  if (stopped) throw Error(Code::interrupted, "interrupted");
  for (const Index row : beyond)
    if (row > 0) refuse_scores(row);
  ClassificationScore whole = empty;
  for (const ClassificationScore& score : scores) whole.merge(score);
  Metrics metrics = whole.result();
  if (model.decision && model.decision->has_costs())
    metrics.cost = mean_cost(*model.decision, labels, decided, weights);
  return metrics;
}

bool better_by_blocks(const Model& model, Index rows) {
  const double scores = static_cast<double>(rows) * static_cast<double>(predicted_scores(model));
  return model.task == Task::classification && (scores > most_scores || model.classes.size() > most_classes);
}

RegressionMetrics judge(const Prediction& said, const std::vector<double>& targets,
                        const std::vector<double>& weights) {
  const auto add = [&](RegressionScore& score, Index i) {
    score.add(targets[static_cast<std::size_t>(i)], said.scores(i, 0), weight_of(weights, i));
  };
  return in_chunks(RegressionScore(), static_cast<Index>(targets.size()), add).result();
}

}  // namespace discern
