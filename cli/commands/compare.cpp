// discern compare: which discriminant suits a table, and how good it is.
#include <fmt/format.h>

#include "cli/flags/files.hpp"
#include "cli/flags/fold_flags.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/compare_report.hpp"
#include "cli/report/notes.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/persist/model_file.hpp"
#include "discern/report/pages/compare.hpp"

namespace discern::cli {
namespace {

std::vector<Flag> compare_flags() {
  return {
      {.name = "models",
       .metavar = "LIST",
       .help = "compare these models only",
       .group = "models",
       .standard = "every one that can do the task",
       .list = true},
      metric_flag("what models are ranked by"),
      {.name = "budget",
       .metavar = "SECONDS",
       .help = "stop trying models after this time; what was not tried is listed",
       .group = "models"},
      {.name = "output",
       .letter = 'o',
       .metavar = "MODEL",
       .help = "fit the best model on all rows and write it to this file",
       .group = "output",
       .file = true},
      report_flag(),
  };
}

Comparison compare_gracefully(const Table& table, const FitSettings& settings,
                              const CompareOptions& options) {
  const Graceful graceful;
  Comparison comparison = compare(table, settings, options);
  check_interrupted();
  return comparison;
}

CompareOptions options_of(const Arguments& arguments, const FitSettings& settings) {
  CompareOptions options;
  options.folds = fold_options(arguments);
  options.group = arguments.text("group");
  options.models = arguments.list("models");
  for (const std::string& model : options.models) find_model(model, "--models");
  options.metric = &metric_of(arguments, settings.task);
  if (arguments.text("decision") != "unanimous" || options.metric->name == "cost")
    refuse_decision_metric(*options.metric, "no model is compared");
  options.budget = arguments.number("budget", 1e-3, 1e9).value_or(0);
  options.refit = arguments.has("output");
  return options;
}

int run_compare(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& path = arguments.positional(0);
  const std::string output = arguments.text("output");
  if (output == "-")
    throw Error(Code::usage, "-o -: the ranking goes to standard output; give the model a file");
  FitSettings settings = training_settings(arguments, console);
  CompareOptions options = options_of(arguments, settings);
  if (arguments.has("leave-one-out") && arguments.has("sample-weight"))
    throw Error(
        Code::usage,
        "--leave-one-out and --sample-weight exclude each other here: the test between models takes folds "
        "that count alike");
  const ReadOptions reading = reading_for(arguments, console, settings, options.group);
  if (!output.empty()) {
    check_different(path, output);
    check_writable(output);
  }
  const std::string page = report_path(arguments, path, "-o", output);
  Table read = read_table(path, reading);
  use_names(read, {&settings.target, &settings.sample_weight, &options.group});
  const PreparedTable prepared = prepare(std::move(read), settings);
  const Table& table = prepared.table;
  const Comparison comparison = compare_gracefully(table, settings, options);
  CompareReport report{&settings, &options, &comparison, comparison.warnings, "", 0};
  if (const std::string hint = regression_hint(table, settings); !hint.empty())
    report.warnings.push_back(hint);
  for (const std::string& leak : leak_warnings(prepared, settings.target)) report.warnings.push_back(leak);
  if (comparison.best && !comparison.best->model.summary.converged)
    report.warnings.push_back(
        fmt::format("the fit of {} on all rows did not converge", comparison.best->model.name));
  if (comparison.best) {
    save_model(comparison.best->model, output);
    report.saved = output;
  }
  report.seconds = time.seconds();
  console.say(notes_text(prepared, console.err()));
  for (const std::string& warning : report.warnings) console.warn(warning);
  console.say(console.err().dim(
      fmt::format("{}: {}, {}  {}\n", name_of_input(path), counted(comparison.rows, "row"),
                  folds_text(options.folds, options.group, settings.task), duration(report.seconds))));
  console.print(console.json() ? with_notes(compare_json(report), prepared)
                               : compare_text(report, console.out()));
  if (!page.empty())
    write_report(report::compare_page({comparison, *options.metric,
                                       folds_text(options.folds, options.group, settings.task),
                                       name_of_input(path), report.warnings}),
                 page, console);
  return comparison.ranking.empty() ? 1 : 0;
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .usage = "DATA --target COL [--models a,b,c] [--metric NAME] [--budget SECONDS] [-o MODEL]",
          .summary = "every discriminant on the same folds, ranked; fits the best on all rows",
          .description =
              "Cross-validates each model on the same folds and ranks them. The few options that a model is "
              "tried "
              "with (`discern models NAME` lists them) are chosen inside each fold, on its training rows "
              "alone, so that "
              "the score is honest. A difference from the best is called significant by the corrected "
              "resampled t-test "
              "of Nadeau and Bengio at 5 %. Models that cannot be fitted, or not within the budget, are "
              "listed with the "
              "reason. With -o the best is fitted on all rows and saved.",
          .positionals = {{.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
          .flags = by_group(join({column_flags(), compare_flags(), training_flags(), reading_flags(),
                                  fold_flags(), common_flags()})),
          .examples = {{"discern compare iris.csv --target class -o best.model",
                        "The best of all discriminants, ready for predict"},
                       {"discern compare adult.csv --target income --metric log_loss --budget 60",
                        "By the quality of the probabilities, for a minute"},
                       {"discern compare digits.csv --target class --models lda,qda,logistic --folds 10",
                        "Three of them with ten folds"}},
          .run = run_compare};
}

}  // namespace discern::cli
