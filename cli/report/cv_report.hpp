// What `cv` has to tell, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/console.hpp"
#include "discern/catalogue/cross_validate.hpp"

namespace discern::cli {

struct CvReport {
  std::string model;  // as --model names it
  const FitSettings* settings = nullptr;
  const CrossValidationOptions* options = nullptr;
  const CrossValidation* result = nullptr;
  const Measure* metric = nullptr;  // of the grid and the learning curve
  std::vector<GridPoint> grid;      // a variant each; empty without --grid
  std::vector<double> shares;       // a variant each; empty without --learning-curve
  Index imputed = 0;                // missing cells of the table, filled in by every fold for itself
  double seconds = 0;

  std::size_t best() const;  // the variant with the best mean of `metric`, of equal ones the first
};

std::string cv_text(const CvReport& report, const Paint& paint);
std::string cv_json(const CvReport& report);

// "l2 = 0.1, shrinkage = 0"; "the defaults" for the empty point.
std::string point_text(const GridPoint& point);

// Row by row what was said by a model that had not seen the row:
// row,fold,truth,prediction,p(CLASS)...; with several repeats a column `repeat` in front.
void write_out_of_fold(const CvReport& report, const std::string& path);

}  // namespace discern::cli
