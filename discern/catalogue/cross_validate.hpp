// Cross-validation: a model fitted on parts of the rows and judged on the others, for one or several sets of
// options on the same folds.
//
//   mean   of the folds' values
//   se     s / sqrt(K): s the standard deviation of all folds' values (divisor one less), K the folds of one
//          repeat; repeats make s more certain, but they test the same rows again and do not divide it
//          further
//
// Folds of a single row (leave one out) have values for measures that are means over rows; the others, such
// as the AUC and the balanced accuracy, are then taken of all tested rows together and have no se.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discern/catalogue/evaluation_set.hpp"

namespace discern {

// A set of options, and the share of a fold's training rows that is used.
struct Variant {
  ModelOptions options;
  double share = 1;
};

struct FoldOutcome {
  Index repeat = 0, fold = 0;  // from 0
  Index train_rows = 0, test_rows = 0;
  Judged judged;
  std::optional<Judged> training;
  bool converged = true;
  double seconds = 0;
};

struct Validation {
  std::vector<FoldOutcome> folds;
  Index per_repeat = 0;
  bool single_rows = false;  // leave one out
  Judged pooled;             // all tested rows together
  std::string failed = {};   // why it could not be fitted in some fold; then the folds have no values
};

struct Estimate {
  std::optional<double> mean, se;
};
Estimate mean_and_error(const std::vector<double>& values, Index per_repeat);
Estimate estimate_of(const Validation& validation, const Measure& measure);
Estimate training_estimate_of(const Validation& validation, const Measure& measure);

// What was said on the tested rows of one fold.
struct FoldPrediction {
  Index repeat = 0, fold = 0;
  std::vector<Index> rows;           // of the file
  std::vector<std::int32_t> labels;  // the truth, in classification
  std::vector<double> targets;       // the truth, in regression
  Prediction said;
};

struct CrossValidation {
  std::vector<std::string> classes;
  Index positive = 1;
  Index rows = 0;
  std::vector<Validation> variants;
  std::vector<FoldPrediction> predictions;  // of the first variant, when asked for
  std::vector<std::string> warnings;
};

struct CrossValidationOptions {
  FoldOptions folds;
  std::string group = {};       // name of a side column; empty: none
  bool judge_training = false;  // judge each model on its own training rows, too
  bool keep_predictions = false;
};

// Of the settings the options are replaced by those of each variant. One that cannot be fitted in some fold
// has `failed`; when that is all of them, the first Error is thrown. An Error of a fold says which fold.
CrossValidation cross_validate(const Table& table, const FitSettings& settings,
                               const CrossValidationOptions& options, const std::vector<Variant>& variants);

}  // namespace discern
