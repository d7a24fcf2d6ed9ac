// How good predictions are, from sums over rows with sample weights s_i (W = sum of s_i).
//
// Classification; c_tp is the weight of the rows of class t that were predicted as p:
//   accuracy           sum_k c_kk / W                         error  1 - accuracy, from the wrong rows
//   accuracy decided   sum_k c_kk / (W - U)                   U: the weight of the rows without a decision,
//                                                             which are wrong in all other metrics
//   recall of k        c_kk / sum_p c_kp                      (support of k: the denominator)
//   precision of k     c_kk / sum_t c_tk
//   f1 of k            2 c_kk / (sum_p c_kp + sum_t c_tk)     the harmonic mean of the two
//   balanced accuracy  mean of the recalls of the classes that occur in the data
//   macro f1           mean of the f1 of the classes that occur or are predicted
//   MCC                Matthews' correlation of truth and decision, -1 to 1; 0 when all rows get one class
//   error interval     Wilson's 95 % interval of the error, weights taken as counts of rows
//   log loss           -1/W sum_i s_i log p_i(y_i)            natural logarithm
//   Brier score        two classes: 1/W sum_i s_i (p_i(positive) - [y_i positive])^2, in [0, 1];
//                      K > 2: 1/W sum_i s_i sum_k (p_ik - [y_i = k])^2, in [0, 2]
//   AUC                P(a positive row scores above a negative row), ties counting one half, rows drawn
//                      with probability proportional to their weight; K > 2: the mean over the classes that
//                      occur of the AUC of class k against the rest (macro average)
//   average precision  the area under precision over recall (evaluate/ranking.hpp), averaged as the AUC
//   calibration, ECE   do probabilities come true (evaluate/calibration.hpp)
// Regression, with e_i = y_i - prediction:
//   rmse  sqrt(1/W sum s_i e_i^2)    mae  1/W sum s_i |e_i|
//   r2    1 - sum s_i e_i^2 / sum s_i (y_i - mean of y)^2
//
// What is divided by zero: a class that is never predicted has precision 0 (as scikit-learn's
// zero_division=0); what the data say nothing about is empty: the recall of a class that does not occur,
// precision and f1 when it is never predicted either, the AUC when there is only one class, r2 of a
// constant target, everything when there is no row. A probability of 0 for what happened is
// taken as the smallest positive double, 4.9e-324, so a certain mistake costs 744.4 and not infinity; no
// other probability is changed.
//
// A row of weight 2 counts as the row twice, a row of weight 0 as if it were absent. Scores are made of
// mergeable parts. Sums are compensated (Neumaier), so the order of the rows and of the merges shows at most
// in the last bits, and not at all while the sums are whole numbers below 2^53.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/evaluate/calibration.hpp"
#include "discern/evaluate/compensated_sum.hpp"
#include "discern/evaluate/ranking.hpp"

namespace discern {

// A 95 % confidence interval for the probability behind a share of so many independent rows (Wilson 1927),
// never empty and within [0, 1] also for the shares 0 and 1.
struct Interval {
  double low = 0, high = 0;
};
Interval wilson_interval(double share, double count);

struct ClassMetrics {
  std::optional<double> precision;
  std::optional<double> recall;
  std::optional<double> f1;
  double support = 0;    // weight of the rows of the class
  double undecided = 0;  // weight of those of them without a decision; not counted without detail
};

struct Metrics {
  Index rows = 0;     // of positive weight
  double weight = 0;  // W
  std::optional<double> accuracy;
  std::optional<double> balanced_accuracy;
  std::optional<double> error;
  std::optional<double> log_loss;           // empty without probabilities
  std::optional<double> brier;              // empty without probabilities
  std::optional<double> auc;                // empty without probabilities and scores
  std::optional<double> average_precision;  // as the AUC
  std::optional<double> mcc;
  std::optional<double> macro_f1;
  std::optional<Interval> error_interval;
  std::optional<double> ece;                // empty without probabilities
  std::vector<CalibrationBin> calibration;  // empty without probabilities
  double undecided = 0;        // weight of the rows without a predicted class; they count as errors
  std::optional<double> cost;  // of a decision, on average; set by judge where there are costs
  std::optional<double> accuracy_decided;  // of the other rows; empty when there are none
  // classes x classes, row-major: the truth down, the prediction across; empty without detail
  std::vector<double> confusion;
  std::vector<ClassMetrics> per_class;
};

// What was predicted for one row, and the truth.
struct JudgedRow {
  Index label = 0;                             // the true class
  Index predicted = 0;                         // the decision; -1: none (rejected or ambiguous)
  std::span<const double> probabilities = {};  // a class each, or empty
  // One score for two classes (of the positive class), otherwise a score a class; or empty. They rank the
  // rows for the AUC where there are no probabilities, and always with two classes: a probability
  // that has rounded to 1 ties with others, its score does not.
  std::span<const double> scores = {};
  double weight = 1;
  // log p of the true class where that is not the logarithm of its probability, which has rounded to (nearly)
  // zero.
  std::optional<double> log_probability = {};
};

class ClassificationScore {
 public:
  // Labels are 0..classes-1; of two classes `positive` is the one that g >= 0 means. Without `detail` there
  // is no confusion table (a number for each pair of classes) and no AUC (a number for each row and class).
  explicit ClassificationScore(Index classes, Index positive = 1, bool detail = true);

  // Throws Code::usage for a label or a decision that is no class, a negative or non-finite weight, a count
  // of probabilities or scores that does not fit the classes, or one that is not a number.
  void add(const JudgedRow& row);
  // Throws Code::usage when the other one was made for other classes.
  void merge(const ClassificationScore& other);
  Metrics result() const;

 private:
  void check(const JudgedRow& row) const;
  void add_probabilities(const JudgedRow& row);
  void add_ranks(const JudgedRow& row);
  void keep_weight(double weight);
  double rank_weight(std::size_t i) const { return rank_weights_.empty() ? 1.0 : rank_weights_[i]; }
  std::size_t ranks_per_row() const { return classes_ == 2 ? 1 : static_cast<std::size_t>(classes_); }
  RankQuality rank_of(Index positive) const;  // against the rest
  RankQuality ranking() const;                // of the positive class of two, otherwise the mean
  void forget_ranks();

  Index classes_;
  Index positive_;
  Index rows_ = 0;
  bool detail_;
  std::vector<CompensatedSum> confusion_;  // classes x (classes + 1); the last column is "undecided"
  // What is left of the table without detail; the last of predicted_ is "undecided".
  std::vector<CompensatedSum> support_, predicted_, hits_;
  CompensatedSum wrong_;
  bool has_probabilities_ = true;  // every row so far
  CompensatedSum log_loss_;
  CompensatedSum brier_;
  CalibrationScore calibration_;
  // The AUC needs every score. Two classes keep one a row, and weights are kept from the first that is
  // not 1, so a row takes 12 bytes.
  bool has_ranks_ = true;
  std::vector<double> ranks_;  // ranks_per_row() a row
  std::vector<std::int32_t> rank_labels_;
  std::vector<double> rank_weights_;  // empty: all 1
};

struct RegressionMetrics {
  Index rows = 0;     // of positive weight
  double weight = 0;  // W
  std::optional<double> rmse;
  std::optional<double> mae;
  std::optional<double> r2;
  double sum_of_squares = 0;  // sum s_i e_i^2
};

class RegressionScore {
 public:
  // Throws Code::usage for a value that is not finite or a weight that is negative or not finite.
  void add(double target, double predicted, double weight = 1);
  void merge(const RegressionScore& other);
  RegressionMetrics result() const;

 private:
  Index rows_ = 0;
  CompensatedSum weight_;
  CompensatedSum squares_;
  CompensatedSum absolute_;
  // Centred moments of the target (Chan, Golub and LeVeque 1983): raw power sums would cancel.
  double mean_ = 0;
  CompensatedSum spread_;  // sum s_i (y_i - mean)^2
};

}  // namespace discern
