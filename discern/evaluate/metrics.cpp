#include "discern/evaluate/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/place.hpp"

namespace discern {
namespace {

void check_weight(double weight) {
  if (!(weight >= 0) || std::isinf(weight))
    throw Error(Code::usage,
                fmt::format("a sample weight is {}, expected a finite number of 0 or more", weight));
}

void check_class(const char* what, Index label, Index lowest, Index classes) {
  if (label < lowest || label >= classes)
    throw Error(Code::usage, fmt::format("{} is {}, expected {} to {}", what, label, lowest, classes - 1));
}

void check_values(const char* what, std::span<const double> values, bool fits, Index classes) {
  if (!fits)
    throw Error(Code::usage,
                fmt::format("a row has {} {}, which does not fit {} classes", values.size(), what, classes));
  for (const double value : values)
    if (std::isnan(value))
      throw Error(Code::usage, fmt::format("one of the {} of a row is not a number", what));
}

std::optional<double> ratio(double part, double whole) {
  if (whole > 0) return part / whole;
  return std::nullopt;
}

ClassMetrics class_metrics(double hits, double support, double predicted) {
  ClassMetrics metrics;
  metrics.support = support;
  metrics.recall = ratio(hits, support);
  metrics.f1 = ratio(2 * hits, support + predicted);
  metrics.precision = ratio(hits, predicted);
  if (!metrics.precision && support > 0) metrics.precision = 0;
  return metrics;
}

// g_positive - g_negative; two scores that are infinite alike say nothing.
double difference(double positive, double negative) { return positive == negative ? 0 : positive - negative; }

// The mean over the classes that have a value.
std::optional<double> mean_of(const std::vector<RankQuality>& classes,
                              std::optional<double> RankQuality::*value) {
  double sum = 0, count = 0;
  for (const RankQuality& one : classes) {
    if (!(one.*value)) continue;
    sum += *(one.*value);
    ++count;
  }
  return ratio(sum, count);
}

// The correlation of truth and decision for any number of classes (Gorodkin 2004); with two it is the phi
// coefficient. No decision is a further column.
//   (c W - sum_k p_k t_k) / sqrt((W^2 - sum_k p_k^2) (W^2 - sum_k t_k^2))
std::optional<double> matthews(double right, double weight, const std::vector<CompensatedSum>& support,
                               const std::vector<CompensatedSum>& predicted) {
  if (!(weight > 0)) return std::nullopt;
  double both = 0, truth = 1, decision = 1;  // in shares of W, so that no square overflows
  for (std::size_t k = 0; k < predicted.size(); ++k) {
    const double p = predicted[k].value() / weight, t = k < support.size() ? support[k].value() / weight : 0;
    both += p * t;
    truth -= t * t;
    decision -= p * p;
  }
  if (!(truth > 1e-15)) return std::nullopt;
  if (!(decision > 1e-15)) return 0;
  return (right / weight - both) / std::sqrt(truth * decision);
}

}  // namespace

Interval wilson_interval(double share, double count) {
  constexpr double z = 1.959963984540054;  // 97.5 % of a standard normal lie below
  const double scale = 1 / (1 + z * z / count);
  const double center = scale * (share + z * z / (2 * count));
  const double half = scale * z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  return {std::max(0.0, center - half), std::min(1.0, center + half)};
}

ClassificationScore::ClassificationScore(Index classes, Index positive, bool detail)
    : classes_(classes), positive_(positive), detail_(detail), has_ranks_(detail) {
  if (classes < 2)
    throw Error(Code::usage, fmt::format("the number of classes is {}, expected 2 or more", classes));
  check_class("the positive class", positive, 0, classes);
  if (detail) {
    confusion_.resize(at(classes) * at(classes + 1));
  } else {
    support_.resize(at(classes));
    hits_.resize(at(classes));
    predicted_.resize(at(classes + 1));
  }
}

void ClassificationScore::check(const JudgedRow& row) const {
  check_weight(row.weight);
  check_class("a label", row.label, 0, classes_);
  check_class("a predicted class", row.predicted, -1, classes_);
  const Index probabilities = static_cast<Index>(row.probabilities.size());
  const Index scores = static_cast<Index>(row.scores.size());
  check_values("probabilities", row.probabilities, probabilities == 0 || probabilities == classes_, classes_);
  check_values("scores", row.scores, scores == 0 || scores == classes_ || (scores == 1 && classes_ == 2),
               classes_);
}

void ClassificationScore::add(const JudgedRow& row) {
  check(row);
  if (row.weight == 0) return;
  ++rows_;
  const Index column = row.predicted < 0 ? classes_ : row.predicted;
  if (detail_) {
    confusion_[at(row.label * (classes_ + 1) + column)].add(row.weight);
  } else {
    support_[at(row.label)].add(row.weight);
    predicted_[at(column)].add(row.weight);
    (column == row.label ? hits_[at(row.label)] : wrong_).add(row.weight);
  }
  add_probabilities(row);
  add_ranks(row);
}

void ClassificationScore::add_probabilities(const JudgedRow& row) {
  has_probabilities_ = has_probabilities_ && !row.probabilities.empty();
  if (!has_probabilities_) return;
  const double happened = row.probabilities[at(row.label)];
  log_loss_.add(-row.weight * row.log_probability.value_or(
                                  std::log(std::max(happened, std::numeric_limits<double>::denorm_min()))));
  double squares = 0;
  for (Index k = 0; k < classes_; ++k) {
    const double off = row.probabilities[at(k)] - (k == row.label ? 1.0 : 0.0);
    if (classes_ > 2 || k == positive_) squares += off * off;
  }
  brier_.add(row.weight * squares);
  const Index claimed = classes_ == 2 ? positive_
                                      : std::max_element(row.probabilities.begin(), row.probabilities.end()) -
                                            row.probabilities.begin();
  calibration_.add(row.probabilities[at(claimed)], row.label == claimed, row.weight);
}

void ClassificationScore::add_ranks(const JudgedRow& row) {
  const bool by_score = row.probabilities.empty() || (classes_ == 2 && !row.scores.empty());
  const std::span<const double> ranks = by_score ? row.scores : row.probabilities;
  if (ranks.empty()) forget_ranks();
  if (!has_ranks_) return;
  keep_weight(row.weight);
  rank_labels_.push_back(static_cast<std::int32_t>(row.label));
  if (classes_ > 2)
    ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  else if (ranks.size() == 1)
    ranks_.push_back(ranks[0]);
  else
    ranks_.push_back(by_score ? difference(ranks[at(positive_)], ranks[at(1 - positive_)])
                              : ranks[at(positive_)]);
}

void ClassificationScore::keep_weight(double weight) {
  if (rank_weights_.empty() && weight != 1) rank_weights_.assign(rank_labels_.size(), 1.0);
  if (weight != 1 || !rank_weights_.empty()) rank_weights_.push_back(weight);
}

void ClassificationScore::forget_ranks() {
  has_ranks_ = false;
  ranks_ = {};
  rank_labels_ = {};
  rank_weights_ = {};
}

void ClassificationScore::merge(const ClassificationScore& other) {
  if (other.classes_ != classes_ || other.positive_ != positive_ || other.detail_ != detail_)
    throw Error(Code::usage,
                fmt::format("cannot merge scores of {} classes (positive {}) and of {} (positive {})",
                            classes_, positive_, other.classes_, other.positive_));
  rows_ += other.rows_;
  for (std::size_t i = 0; i < confusion_.size(); ++i) confusion_[i].merge(other.confusion_[i]);
  for (std::size_t i = 0; i < support_.size(); ++i) support_[i].merge(other.support_[i]);
  for (std::size_t i = 0; i < hits_.size(); ++i) hits_[i].merge(other.hits_[i]);
  for (std::size_t i = 0; i < predicted_.size(); ++i) predicted_[i].merge(other.predicted_[i]);
  wrong_.merge(other.wrong_);
  has_probabilities_ = has_probabilities_ && other.has_probabilities_;
  log_loss_.merge(other.log_loss_);
  brier_.merge(other.brier_);
  calibration_.merge(other.calibration_);
  if (!other.has_ranks_) forget_ranks();
  if (!has_ranks_) return;
  for (std::size_t i = 0; i < other.rank_labels_.size(); ++i) {
    keep_weight(other.rank_weight(i));
    rank_labels_.push_back(other.rank_labels_[i]);
  }
  ranks_.insert(ranks_.end(), other.ranks_.begin(), other.ranks_.end());
}

RankQuality ClassificationScore::rank_of(Index positive) const {
  const std::size_t column = classes_ == 2 ? 0 : at(positive);
  std::vector<ScoredWeight> above, below;
  for (std::size_t i = 0; i < rank_labels_.size(); ++i)
    (rank_labels_[i] == positive ? above : below)
        .emplace_back(ranks_[i * ranks_per_row() + column], rank_weight(i));
  return rank_quality(std::move(above), std::move(below));
}

RankQuality ClassificationScore::ranking() const {
  if (!has_ranks_) return {};
  if (classes_ == 2) return rank_of(positive_);
  std::vector<RankQuality> each(at(classes_));
  parallel_for(classes_, [&](Index k) { each[at(k)] = rank_of(k); });
  return {mean_of(each, &RankQuality::auc), mean_of(each, &RankQuality::average_precision)};
}

Metrics ClassificationScore::result() const {
  Metrics metrics;
  metrics.rows = rows_;
  std::vector<CompensatedSum> support = support_, predicted = predicted_, hits = hits_;
  CompensatedSum weight, right, wrong = wrong_;
  if (detail_) {
    metrics.confusion.resize(at(classes_ * classes_));
    support.resize(at(classes_));
    hits.resize(at(classes_));
    predicted.resize(at(classes_ + 1));
  }
  for (Index t = 0; detail_ && t < classes_; ++t) {
    for (Index p = 0; p <= classes_; ++p) {
      const CompensatedSum& cell = confusion_[at(t * (classes_ + 1) + p)];
      support[at(t)].merge(cell);
      predicted[at(p)].merge(cell);
      (t == p ? hits[at(t)] : wrong).merge(cell);
      if (p < classes_) metrics.confusion[at(t * classes_ + p)] = cell.value();
    }
  }
  double recalls = 0, present = 0, f1s = 0, known = 0;
  for (Index k = 0; k < classes_; ++k) {
    weight.merge(support[at(k)]);
    right.merge(hits[at(k)]);
    ClassMetrics one = class_metrics(hits[at(k)].value(), support[at(k)].value(), predicted[at(k)].value());
    if (one.recall) recalls += *one.recall, ++present;
    if (one.f1) f1s += *one.f1, ++known;
    if (detail_) one.undecided = confusion_[at(k * (classes_ + 1) + classes_)].value();
    metrics.per_class.push_back(one);
  }
  metrics.weight = weight.value();
  metrics.undecided = predicted[at(classes_)].value();
  metrics.accuracy = ratio(right.value(), metrics.weight);
  metrics.accuracy_decided = ratio(right.value(), metrics.weight - metrics.undecided);
  metrics.error = ratio(wrong.value(), metrics.weight);
  if (metrics.error) metrics.error_interval = wilson_interval(*metrics.error, metrics.weight);
  metrics.balanced_accuracy = ratio(recalls, present);
  metrics.macro_f1 = ratio(f1s, known);
  metrics.mcc = matthews(right.value(), metrics.weight, support, predicted);
  if (has_probabilities_) {
    metrics.log_loss = ratio(log_loss_.value(), metrics.weight);
    metrics.brier = ratio(brier_.value(), metrics.weight);
    metrics.calibration = calibration_.curve();
    metrics.ece = calibration_.error();
  }
  const RankQuality ranks = ranking();
  metrics.auc = ranks.auc;
  metrics.average_precision = ranks.average_precision;
  return metrics;
}

void RegressionScore::add(double target, double predicted, double weight) {
  check_weight(weight);
  if (!std::isfinite(target) || !std::isfinite(predicted))
    throw Error(Code::usage, fmt::format("a target is {} and its prediction {}, expected finite numbers",
                                         target, predicted));
  if (weight == 0) return;
  RegressionScore one;
  const double off = target - predicted;
  one.rows_ = 1;
  one.weight_.add(weight);
  one.squares_.add(weight * off * off);
  one.absolute_.add(weight * std::fabs(off));
  one.mean_ = target;
  merge(one);
}

void RegressionScore::merge(const RegressionScore& other) {
  if (other.rows_ == 0) return;
  if (rows_ == 0) {
    *this = other;
    return;
  }
  const double mine = weight_.value(), theirs = other.weight_.value();
  const double apart = other.mean_ - mean_;
  mean_ += apart * (theirs / (mine + theirs));
  spread_.merge(other.spread_);
  spread_.add(apart * apart * (mine * theirs / (mine + theirs)));
  rows_ += other.rows_;
  weight_.merge(other.weight_);
  squares_.merge(other.squares_);
  absolute_.merge(other.absolute_);
}

RegressionMetrics RegressionScore::result() const {
  RegressionMetrics metrics;
  metrics.rows = rows_;
  metrics.weight = weight_.value();
  metrics.sum_of_squares = squares_.value();
  if (rows_ == 0) return metrics;
  metrics.rmse = std::sqrt(metrics.sum_of_squares / metrics.weight);
  metrics.mae = absolute_.value() / metrics.weight;
  if (spread_.value() > 0) metrics.r2 = 1 - metrics.sum_of_squares / spread_.value();
  return metrics;
}

}  // namespace discern
