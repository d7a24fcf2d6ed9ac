// A regularisation path from a table, and the choice of a penalty on it.
//
// With folds every fold follows the path on its training rows, all that is learned included, under the same
// penalties, and is judged on its tested rows at every point. Of the mean scores
//
//   min   the point with the best mean
//   1se   the largest penalty whose mean is within one standard error (that of the best) of the best
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/catalogue/cross_validate.hpp"
#include "discern/model/linear/linear_path.hpp"

namespace discern {

enum class PathChoice { minimum, one_se };
inline std::span<const std::string_view> value_names(PathChoice) {
  static constexpr std::array<std::string_view, 2> names{"min", "1se"};
  return names;
}

struct PathSettings {
  PathOptions path;
  std::optional<FoldOptions> folds;  // nothing: no choice
  std::string group = {};            // name of a side column; empty: none
  const Measure* metric = nullptr;   // null: path_measure
};

struct PathOutcome {
  FitOutcome fit;  // of the last point: names, pipeline, what happened to the columns
  LinearPath path;
  const Measure* metric = nullptr;
  std::vector<Estimate> scores;         // a point each; empty without folds
  std::size_t best = 0, within_se = 0;  // of them
  std::vector<std::string> warnings;

  std::size_t chosen(PathChoice by) const { return by == PathChoice::minimum ? best : within_se; }
};

// Throws Code::usage for a model or options that have no path, naming the models that have.
void check_path(const FitSettings& settings);

// What points are judged by: the log loss where there are probabilities, the error of other classifiers, the
// mean squared error of a regression.
const Measure& path_measure(const FitSettings& settings);

// The options with these penalties.
ModelOptions with_penalty(ModelOptions options, double l1, double l2);

// Of the options l1 and l2 do not matter. Throws Code::interrupted when the monitor stops the folds; a path
// that it stops ends early.
PathOutcome follow_path(const Table& table, const FitSettings& settings, const PathSettings& path);

}  // namespace discern
