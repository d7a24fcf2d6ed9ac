#include "cli/flags/auto_penalty.hpp"

#include <fmt/format.h>

#include "cli/report/path_report.hpp"
#include "cli/shell/interrupt.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {

bool is_auto(const Arguments& arguments, std::string_view flag) {
  return arguments.command().name == "fit" && (flag == "l1" || flag == "l2") &&
         arguments.text(flag) == "auto";
}

bool wants_auto(const Arguments& arguments) { return is_auto(arguments, "l1") || is_auto(arguments, "l2"); }

std::vector<Flag> with_auto(std::vector<Flag> flags) {
  for (Flag& flag : flags)
    if (flag.name == "l1" || flag.name == "l2") flag.help += "; auto chooses it by cross-validation";
  return flags;
}

void check_auto(const Arguments& arguments, const FitSettings& settings) {
  if (!wants_auto(arguments)) return;
  try {
    check_path(settings);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("--{} auto chooses on a path of penalties: {}",
                                          is_auto(arguments, "l1") ? "l1" : "l2", error.message()));
  }
}

ChosenPenalty choose_penalty(const Arguments& arguments, const Table& table, FitSettings& settings) {
  const bool l1 = is_auto(arguments, "l1"), l2 = is_auto(arguments, "l2");
  PathSettings path;
  path.path.penalty = l1 && l2 ? PathPenalty::elastic_net : l1 ? PathPenalty::l1 : PathPenalty::l2;
  if (l1 != l2) path.path.fixed = arguments.number(l1 ? "l2" : "l1", 0, 1e150).value_or(0);
  path.folds = FoldOptions{.seed = arguments.seed(), .asked_for = false};
  const Graceful graceful;
  PathOutcome outcome = follow_path(table, settings, path);
  if (outcome.scores.empty()) throw Error(Code::interrupted, "interrupted while choosing the penalty");
  const PathPoint& point = outcome.path.points[outcome.best];
  settings.options = with_penalty(settings.options, point.l1, point.l2);
  if (const std::string end = end_text(outcome, path.path.penalty, "`discern path` with a smaller --ratio");
      !end.empty())
    outcome.warnings.push_back(end);
  return {point.l1,
          point.l2,
          static_cast<Index>(outcome.path.points.size()),
          path.folds->folds,
          outcome.metric,
          outcome.scores[outcome.best],
          choice_text(outcome, PathChoice::minimum, fmt::format("{} folds", path.folds->folds)),
          outcome.warnings};
}

}  // namespace discern::cli
