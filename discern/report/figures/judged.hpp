// Figures of how a model does on rows whose class is known: ROC, precision and recall, calibration, the confusion
// table, and what a threshold decides. Their numbers are those of `discern evaluate`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct JudgedModel {
  const std::vector<std::string>& classes;
  Index positive;  // of two classes
  const Prediction& said;
  const std::vector<std::int32_t>& labels;
  const std::vector<double>& weights;  // empty: all 1
  const Metrics& metrics;
  std::string of;  // "the 427 training rows"

  Index rows() const { return static_cast<Index>(labels.size()); }
  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }
  bool two() const { return classes.size() == 2; }
  bool probabilities() const { return said.proba.size() > 0; }
  // What ranks rows for class k: of two classes the score of the positive one.
  double rank(Index k, Index row) const;
};

// How many rows of a class, and of the others, score at least t, for every t that occurs; thinned to few points.
struct RankCurve {
  Index of = 0;                          // the class
  std::vector<double> at, hits, alarms;  // descending thresholds
  std::vector<Index> rows;               // one that has this score
  double positives = 0, negatives = 0;
};
RankCurve rank_curve(const JudgedModel& judged, Index k, std::size_t most = 300);
// Of the positive class of two, otherwise of the classes with the most rows; empty without scores.
std::vector<RankCurve> rank_curves(const JudgedModel& judged);

// Each nothing where its numbers do not exist: no scores, no probabilities, one class only, too many rows to keep.
std::optional<Figure> roc_figure(const JudgedModel& judged, const std::vector<RankCurve>& curves);
std::optional<Figure> precision_recall_figure(const JudgedModel& judged,
                                              const std::vector<RankCurve>& curves);
std::optional<Figure> threshold_figure(const JudgedModel& judged, const std::vector<RankCurve>& curves);
std::optional<Figure> calibration_figure(const JudgedModel& judged);
std::optional<Figure> confusion_figure(const JudgedModel& judged);
std::optional<Figure> score_figure(const JudgedModel& judged);

// All of them.
std::vector<Figure> judged_figures(const JudgedModel& judged);

}  // namespace discern::report
