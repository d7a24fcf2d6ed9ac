// The page of a comparison: the models ranked, and fold by fold.
#pragma once

#include <string>

#include "discern/catalogue/compare.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct ComparePage {
  const Comparison& comparison;
  const Measure& metric;
  std::string folds;  // in words
  std::string file;
  std::vector<std::string> warnings;
};

Page compare_page(const ComparePage& compare);

}  // namespace discern::report
