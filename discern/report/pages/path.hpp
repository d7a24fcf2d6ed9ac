// The page of a regularisation path: the weights by name as the penalty falls, and the choice on it.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/path.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct PathPage {
  const PathOutcome& outcome;
  bool by_l1 = true;  // which penalty the axis shows
  std::string folds;  // in words; empty without
  std::string file;
  std::vector<std::string> warnings;
};

Page path_page(const PathPage& path);

}  // namespace discern::report
