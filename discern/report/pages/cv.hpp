// The page of a cross-validation: every fold, the rows as models said that had not seen them, and what a grid or a
// learning curve showed.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/cross_validate.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct CvPage {
  const FitSettings& settings;
  const CrossValidation& result;
  const Measure& metric;          // of the grid and the learning curve
  std::vector<std::string> grid;  // the name of each variant; empty without a grid
  std::vector<double> shares;     // of the training rows, a variant each; empty without a learning curve
  std::string folds;              // "10 folds" in words
  std::string file;
};

Page cv_page(const CvPage& cv);

// What was said of all tested rows of a classification, one after the other; empty when predictions were not kept, or
// folds have different scores.
struct AllFolds {
  Prediction said;
  std::vector<std::int32_t> labels;
};
AllFolds all_folds(const CrossValidation& result);

}  // namespace discern::report
