// Everything about a fit that is not an option of the model itself. By default nothing is done to the columns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/options/decision.hpp"
#include "discern/options/inference.hpp"
#include "discern/options/multiclass.hpp"

namespace discern {

struct Model;

struct FitOptions {
  std::vector<std::string> feature_names = {};  // of a matrix; empty: x1, x2, ...
  std::vector<double> sample_weight = {};       // one per row, 0 or more; empty: all 1
  std::string weight_column = {};               // of a frame: the column with the sample weights
  std::string class_weight = {};                // "balanced", or "label=weight,label=weight"; empty: all 1
  std::string positive = {};                    // the positive label of two; empty: the last in order
  bool standardize = false;           // penalties act on features divided by their standard deviation
  bool encode = false;                // encode text columns as indicators; otherwise they are refused
  bool impute = false;                // fill in missing cells; otherwise they are refused
  bool missing_indicators = false;    // with impute: a 0/1 feature for each column that has missing cells
  bool drop_missing = false;          // leave out rows with missing cells
  bool drop_unlabelled = false;       // leave out rows without a target; otherwise they are refused
  bool choose_columns = false;        // leave out identifiers, constants, empty columns and free text
  std::int64_t rare = 0;              // of text columns: texts that fewer rows have count as one, "other"
  std::string basis = {};             // functions of the columns, as in "poly:2" (docs/guide/columns.md)
  std::string reference = {};         // "Sex=male": levels that the weights of texts are differences from
  MulticlassOptions multiclass = {};  // classes from machines for two, and calibration
  DecisionOptions decision = {};      // of models with probabilities: thresholds, costs, rejection
  InferenceRequest inference = {};    // standard errors and tests, of Logistic and LeastSquares
  bool keep_statistics = false;       // so that another fit can go on from this one with more rows
  // Go on from this model (FittedModel::shared). If it has kept statistics, the fit is that of its rows and
  // these together. Otherwise it is the fit of these rows, and starts at its weights. The columns, the classes
  // and what was done to the columns stay those of that model.
  std::shared_ptr<const Model> start = {};
  std::uint64_t seed = 0;  // of everything random
  int threads = 0;         // at most so many; 0: all of the machine. Results do not depend on it
  Monitor monitor = {};    // is told of the progress; returning false ends the fit with the model so far
};

}  // namespace discern
