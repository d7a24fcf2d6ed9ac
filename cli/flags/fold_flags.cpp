#include "cli/flags/fold_flags.hpp"

#include <fmt/format.h>

#include "cli/text/text.hpp"
#include "discern/base/error.hpp"

namespace discern::cli {

std::vector<Flag> fold_flags() {
  return {
      {.name = "folds",
       .metavar = "K",
       .help = "parts of the rows that are tested in turn, 2 or more",
       .group = "folds",
       .standard = "5"},
      {.name = "repeats",
       .metavar = "R",
       .help = "divide the rows anew so many times",
       .group = "folds",
       .standard = "1"},
      {.name = "group",
       .metavar = "COL",
       .help = "rows with the same value in this column are tested together; it is no feature",
       .group = "folds"},
      {.name = "time-ordered",
       .help = "the rows are in the order of time: test later rows with models of earlier ones",
       .group = "folds"},
      {.name = "leave-one-out", .help = "test every row with a model of all others", .group = "folds"},
  };
}

Flag metric_flag(std::string help) {
  std::vector<std::string> names;
  for (const Measure& measure : measures()) names.emplace_back(measure.name);
  return {.name = "metric",
          .metavar = "NAME",
          .help = std::move(help),
          .group = "folds",
          .choices = std::move(names),
          .standard = "accuracy, or rmse in a regression"};
}

FoldOptions fold_options(const Arguments& arguments) {
  FoldOptions options;
  options.folds = arguments.whole("folds", 2, std::int64_t{1} << 40).value_or(options.folds);
  options.repeats = arguments.whole("repeats", 1, 10000).value_or(1);
  options.time_ordered = arguments.has("time-ordered");
  options.leave_one_out = arguments.has("leave-one-out");
  options.seed = arguments.seed();
  options.asked_for = arguments.has("folds");
  if (options.leave_one_out && arguments.has("folds"))
    throw Error(Code::usage, "--leave-one-out and --folds exclude each other");
  return options;
}

const Measure& metric_of(const Arguments& arguments, Task task) {
  return find_measure(arguments.text("metric", task == Task::regression ? "rmse" : "accuracy"), task);
}

void refuse_decision_metric(const Measure& metric, std::string_view what) {
  if (metric.name == "cost")
    throw Error(Code::usage,
                fmt::format("--metric cost needs costs, which {} with; `discern cv` takes them", what));
  if (metric.name == "undecided")
    throw Error(Code::usage,
                fmt::format("--metric undecided needs --reject, which {} with; `discern cv` takes it", what));
}

std::string folds_text(const FoldOptions& options, const std::string& group, Task task) {
  if (options.leave_one_out) return "leaving one out";
  if (options.time_ordered) return fmt::format("{} folds in the order of time", options.folds);
  std::string text = fmt::format("{} folds", options.folds);
  if (options.repeats > 1) text += fmt::format(" {} times", options.repeats);
  if (!group.empty()) text += fmt::format(" of whole groups of '{}'", shown(group));
  if (task == Task::classification) text += group.empty() ? ", stratified" : ", stratified as far as they go";
  return text;
}

std::string measure_text(const Measure& measure, const std::optional<double>& value) {
  if (!value) return "-";
  return measure.share ? percent(*value) : rounded(*value);
}

}  // namespace discern::cli
