// Which discriminant to use: models of the catalogue on the same folds, ranked.
//
// Each model is tried with the few values that its row in the catalogue lists (ModelEntry::grid). Which of
// them a fold uses is decided inside the fold, on its training rows alone: they are divided into four parts
// (in the same manner as the folds: by groups, in the order of time), the values are tried on the others of
// each part, and the best mean wins; beyond 2,000 training rows on the last part only. So the score of a
// model includes what choosing costs, and no tested row has had a say in it.
//
// A model that throws (too few rows for a covariance) or has too many rows for its effort is left out
// with the reason, and so is what a time budget does not allow.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/cross_validate.hpp"

namespace discern {

struct CompareOptions {
  FoldOptions folds;
  std::string group;
  std::vector<std::string>
      models;  // names or aliases; empty: every model of the catalogue that fits the task
  const Measure* metric = nullptr;
  double budget = 0;   // seconds for all models together; 0: no limit
  bool refit = false;  // fit the best on all rows
};

struct Contender {
  std::string model;
  std::string left_out;                       // why it is not ranked; empty: it is
  bool late = false;                          // left out for the budget
  std::vector<std::optional<double>> scores;  // a fold each
  Estimate score;
  std::optional<double> p_value;  // of the difference from the best (evaluate/paired_test.hpp); not of itself
  double seconds = 0;
  std::size_t bytes = 0;  // of the largest model file
  Index stopped = 0;      // folds whose fit did not converge
  // What fits warned of, as the first of them said it, and in how many folds; numbers aside.
  std::vector<std::pair<std::string, Index>> warnings;
  std::vector<std::pair<GridPoint, Index>> chosen;  // in how many folds, the most frequent first
};

struct Comparison {
  std::vector<std::string> classes;
  Index rows = 0;
  Index folds = 0;  // all repeats together
  double test_ratio =
      0;              // rows tested on per row fitted on, the mean over the folds (evaluate/paired_test.hpp)
  Estimate baseline;  // of always saying the most frequent class, or the mean
  std::string baseline_class;         // of all rows; empty in regression
  std::vector<Contender> ranking;     // the best first; of equals the one that comes first in the catalogue
  std::vector<Contender> left_out;    // in the order of the catalogue
  std::vector<std::string> warnings;  // of classes with too few rows for the folds
  GridPoint options;                  // of the best, chosen on all rows, when it was to be refitted
  std::optional<FitOutcome> best;
};

// Of the settings the model and its options are replaced. Throws Code::interrupted when the monitor stops it.
Comparison compare(const Table& table, const FitSettings& settings, const CompareOptions& options);

}  // namespace discern
