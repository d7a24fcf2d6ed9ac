// From a table to verdicts on linear separability (model/separable/separability.hpp) for its classes: each pair of
// them, or each against the rest.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/models.hpp"
#include "discern/model/separable/separability.hpp"

namespace discern {

struct PairSeparability {
  Index positive = 0;   // indices into the classes
  Index negative = -1;  // -1: all the others
  Index positive_rows = 0, negative_rows = 0;
  Separability result;  // its rows are those of the table
};

struct ClassSeparability {
  std::vector<std::string> classes;
  Index positive = 1;  // of two classes
  Pipeline pipeline;   // from the columns of the file to the features of the planes
  Index imputed = 0;   // missing cells filled in
  std::vector<PairSeparability> pairs;
};

// Of the settings the target, the features' preparation, `positive`, `standardize` and the monitor matter.
// Text columns get a column for every level, so that the margin does not depend on their order. Two classes
// are one pair whatever `one_vs_rest` is.
ClassSeparability class_separability(const Table& table, const FitSettings& settings, bool one_vs_rest);

}  // namespace discern
