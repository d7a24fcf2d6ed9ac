// The page of a projection: the rows along the discriminant directions.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "discern/catalogue/models.hpp"
#include "discern/report/figure.hpp"

namespace discern::report {

struct ProjectPage {
  const FitOutcome& outcome;  // with its projection
  const Matrix&
      coordinates;  // a row of the table each: the components, then the difference of the means of two classes
  const std::vector<std::int32_t>& labels;
  std::string file;
  std::optional<std::pair<Index, Index>> pixels = {};
};

Page project_page(const ProjectPage& project);

}  // namespace discern::report
