// What `path` has to tell, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/shell/console.hpp"
#include "discern/catalogue/path.hpp"

namespace discern::cli {

struct PathReport {
  std::string model;  // as --model names it
  const FitSettings* settings = nullptr;
  const PathSettings* path = nullptr;
  const PathOutcome* outcome = nullptr;
  PathChoice choice = PathChoice::minimum;
  std::string folds;  // in words; empty without
  std::vector<std::string> warnings;
  std::string saved;  // where the chosen model went; empty: nowhere
  double read_seconds = 0, path_seconds = 0, total_seconds = 0;
};

// An excerpt of the points as a table, pictures of the weights and of the scores, the first features to enter
// and the choices.
std::string path_text(const PathReport& report, const Paint& paint);
std::string path_json(const PathReport& report);

// Every point with all of its weights, in the units of the file:
// point,l1,l2,objective,nonzero,df,explained,certificate,converged,iterations, then mean,se with folds,
// then the bias b and w(FEATURE) of each feature; of several scores b(CLASS) and w(FEATURE)(CLASS).
void write_path_csv(const PathReport& report, const std::string& path);

// "mean log loss", "mean squared error", and with the numbers "mean log loss 0.1234 +- 0.0045"
std::string mean_title(const Measure& metric);
std::string score_text(const Measure& metric, const Estimate& score);

// How a penalty was chosen: "by the mean log loss 0.0812 +- 0.012, the best of 100 in 5 folds"
std::string choice_text(const PathOutcome& outcome, PathChoice by, std::string_view folds);

// That the best penalty is at an end of the path where there may be better ones, and what goes on from there;
// empty when it is not.
std::string end_text(const PathOutcome& outcome, PathPenalty penalty, std::string_view further);

}  // namespace discern::cli
