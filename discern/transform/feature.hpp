// The features between two steps of a pipeline, and which of them a basis works on.
#pragma once

#include <string>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

// A feature between two steps.
struct Feature {
  std::string name;
  bool indicator = false;  // a 0/1 column made from a category: never standardised, multiplied when asked for
  Index column = -1;       // of an indicator: the input column with the category
};

// The input columns that a basis takes, and those that it passes on unchanged behind what it makes. Both
// ascend.
struct Selection {
  std::vector<Index> used, passed;

  // `columns`: those to use; none: all of them, or all but the indicators.
  static Selection make(const std::vector<Feature>& in, const std::vector<Index>& columns, bool indicators);

  Index width() const { return static_cast<Index>(used.size() + passed.size()); }
  // Appends the features that are passed on.
  void append(const std::vector<Feature>& in, std::vector<Feature>& out) const;
  void append(const std::vector<long double>& in, std::vector<long double>& out) const;
};

}  // namespace discern
