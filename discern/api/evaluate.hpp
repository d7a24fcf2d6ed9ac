// How good a model is: on rows that it has not seen, by cross-validation, and compared with other models.
//
//   const EvaluationResult seen = evaluate(model, X_test, y_test);        seen.measure("accuracy")
//   const CvResult cv = cross_validate(Logistic{}, X, y);           cv.measure("log_loss").mean
//   const ComparisonResult all = compare(X, y);                        all.ranking.front().model
//
// Measures of classification: accuracy, balanced_accuracy, error, log_loss, brier, auc, average_precision,
// macro_f1, mcc, ece, cost, undecided, accuracy_decided; of regression: rmse, mae, r2. Those that need
// probabilities, or costs, are only there when the model has them. evaluate/metrics.hpp has the formulas.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discern/api/fit.hpp"
#include "discern/options/folds.hpp"

namespace discern {

struct EvaluationResult {
  Index rows = 0;
  double weight = 0;  // sum of the sample weights
  std::vector<std::pair<std::string, double>> measures = {};
  Eigen::MatrixXd confusion = {};  // the true class down, the decision across; empty in regression

  double measure(const std::string& name) const;  // Code::usage when it is not there
};

EvaluationResult evaluate(const FittedModel& model, const MatrixView& x, const Labels& y,
                          const Numbers& weights = {});
EvaluationResult evaluate_regression(const FittedModel& model, const MatrixView& x, const Numbers& y,
                                     const Numbers& weights = {});
// The frame has a column of the target's name.
EvaluationResult evaluate(const FittedModel& model, const Frame& frame, Unseen unseen = Unseen::refuse);

struct CvOptions {
  FoldOptions folds = {};         // {.folds = 10, .repeats = 3}, leave one out, in the order of time
  Labels groups = {};             // one per row of a matrix: equal ones are never divided; empty: none
  std::string group_column = {};  // the same for a frame
  FitOptions fit = {};            // of every fold's fit
};

struct CvMeasure {
  std::string name;
  std::optional<double> mean, standard_error;
  std::vector<std::optional<double>> folds;
};

struct CvResult {
  Index rows = 0;
  Index stopped = 0;  // folds whose fit did not converge
  std::vector<CvMeasure> measures = {};
  std::vector<std::string> warnings = {};

  const CvMeasure& measure(const std::string& name) const;  // Code::usage when it is not there
};

CvResult cross_validate(const ModelOptions& model, const MatrixView& x, const Labels& y,
                        const CvOptions& options = {});
CvResult cross_validate_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                                   const CvOptions& options = {});
CvResult cross_validate(const ModelOptions& model, const Frame& frame, const std::string& target,
                        const CvOptions& options = {}, Task task = Task::classification);

// Which model to use: each is tried with a few values of its options, chosen inside the folds.
struct ComparisonOptions {
  CvOptions cv = {};
  std::vector<std::string> models = {};  // names as FittedModel::name gives them; empty: all
  std::string metric = {};               // a measure; empty: accuracy, or rmse in a regression
  double budget = 0;                     // seconds for all models together; 0: no limit
  bool refit = true;                     // fit the best on all rows
};

struct Rank {
  std::string model;
  std::optional<double> score, standard_error;
  std::optional<double> p_value;  // of the difference from the best
  double seconds = 0;
  std::string left_out = {};  // why it is not ranked
};

struct ComparisonResult {
  std::string metric;
  std::vector<Rank> ranking = {};  // the best first
  std::vector<Rank> left_out = {};
  std::optional<double> baseline;                                 // of the most frequent class, or the mean
  std::vector<std::pair<std::string, std::string>> options = {};  // of the best, where it was refitted
  std::optional<FittedModel> best = {};
  std::vector<std::string> warnings = {};
};

ComparisonResult compare(const MatrixView& x, const Labels& y, const ComparisonOptions& options = {});
ComparisonResult compare_regression(const MatrixView& x, const Numbers& y,
                                    const ComparisonOptions& options = {});
ComparisonResult compare(const Frame& frame, const std::string& target, const ComparisonOptions& options = {},
                         Task task = Task::classification);

}  // namespace discern
