// discern describe: a table at a glance.
#include <fmt/format.h>

#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/describe_report.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/report/pages/describe.hpp"

namespace discern::cli {
namespace {

constexpr Index columns_at_a_glance = 100;

std::vector<Flag> describe_flags() {
  return {
      {.name = "target",
       .metavar = "COL",
       .help = "the column with the classes, or numbers, that the others are compared with",
       .group = "data"},
      {.name = "task",
       .metavar = "TASK",
       .help = "what the target is",
       .group = "data",
       .choices = {"classification", "regression"},
       .standard = "what it looks like"},
      {.name = "positive",
       .metavar = "LABEL",
       .help = "the class that larger values speak for, of two",
       .group = "data",
       .standard = positive_standard},
      {.name = "all",
       .help = fmt::format("describe every column, not just the first {}", columns_at_a_glance),
       .group = "output"},
      report_flag(),
  };
}

std::optional<Task> task_of(const Arguments& arguments) {
  if (!arguments.has("task")) return std::nullopt;
  return arguments.text("task") == "regression" ? Task::regression : Task::classification;
}

// What `target_of` gives, but a table needs no target to be looked at.
std::string wanted_target(const Arguments& arguments, const std::string& path, const ReadOptions& reading) {
  if (arguments.has("target") || has_label(path, reading)) return target_of(arguments, path, reading);
  for (const char* flag : {"task", "positive"})
    if (arguments.has(flag))
      throw Error(Code::usage, fmt::format("--{} is of the target, and --target is not given", flag));
  return "";
}

std::string first_line(const std::string& path, const TableDescription& all) {
  const double cells = static_cast<double>(all.rows) * static_cast<double>(all.columns);
  std::string text = fmt::format("{}: {}, {}", name_of_input(path), counted(all.rows, "row"),
                                 counted(all.columns, "column"));
  if (all.texts > 0) text += fmt::format(" ({} of text)", grouped(all.texts));
  if (all.target) text += " and the target";
  if (all.missing > 0)
    text += fmt::format(", {} ({})", counted(all.missing, "missing cell"),
                        percent(static_cast<double>(all.missing) / cells));
  return text;
}

int run_describe(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& path = arguments.positional(0);
  ReadOptions reading = read_options(arguments, console);
  DescribeOptions options;
  options.task = task_of(arguments);
  options.target = wanted_target(arguments, path, reading);
  options.positive = arguments.text("positive");
  if (!arguments.has("all")) options.most_columns = columns_at_a_glance;
  options.monitor = console.monitor();
  const std::string page = report_path(arguments, path);
  if (!options.target.empty())
    reading.side.push_back({options.target, options.task != Task::regression, true});
  const Table table = read_table(path, reading);
  use_names(table, {&options.target});
  const TableDescription all = describe_table(table, options);
  console.say(console.err().dim(fmt::format("{}  {}\n", first_line(path, all), duration(time.seconds()))));
  console.print(console.json() ? description_json(all, time.seconds())
                               : description_text(all, console.out()));
  if (!page.empty()) write_report(report::describe_page({all, name_of_input(path)}), page, console);
  return 0;
}

}  // namespace

Command describe_command() {
  return {
      .name = "describe",
      .usage = "DATA [--target COL] [options]",
      .summary = "a table at a glance: types, gaps, ranges, what each column says of the target",
      .description =
          "For each column its type, missing cells, different values, range, exact quartiles and a small "
          "histogram; of texts the most frequent. With a target its classes and, for each column on its "
          "own, how much it says of the target: the AUC of numbers and two classes, eta squared of numbers "
          "and more classes, Cramer's V of texts and classes, Pearson's correlation of numbers and numbers, "
          "eta squared of numbers by texts. What was assumed in reading the table is noted.",
      .positionals = {{.name = "DATA", .help = "the table: a file, or - for standard input"}},
      .flags = by_group(join({column_flags(), describe_flags(), reading_flags(), common_flags()})),
      .examples = {{"discern describe titanic.csv --target Survived",
                    "What is in the table, and what matters"},
                   {"discern describe load.csv --target kwh --task regression", "Beside numbers"},
                   {"discern describe adult.csv --target income --report adult.html",
                    "A page with a histogram of each column"}},
      .run = run_describe};
}

}  // namespace discern::cli
