// discern cv: how good a model is on rows that it was not fitted on.
#include <fmt/format.h>

#include <algorithm>

#include "cli/flags/decision_flags.hpp"
#include "cli/flags/files.hpp"
#include "cli/flags/fold_flags.hpp"
#include "cli/flags/model_flags.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/cv_report.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/text_plot.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/report/pages/cv.hpp"

namespace discern::cli {
namespace {

std::vector<Flag> cv_flags() {
  return {
      {.name = "grid",
       .metavar = "OPTION=VALUES",
       .help = "try these values of an option, as l2=0.1,1,10; several --grid try all combinations",
       .group = "folds",
       .list = true},
      {.name = "learning-curve",
       .help = "how the score grows with the number of training rows: 1/16, 1/8, ... and all of them",
       .group = "folds"},
      metric_flag("what --grid and --learning-curve look at"),
      {.name = "predictions",
       .metavar = "FILE.csv",
       .help = "write what was predicted for each row by a model that had not seen it",
       .group = "output",
       .file = true},
      report_flag(),
      plot_flag(),
  };
}

// "l2=0.1,1" comes as the items "l2=0.1" and "1": an option's name and = begin an axis.
std::vector<GridAxis> grid_of(const Arguments& arguments, const ModelOptions& options) {
  const auto fields = fields_of(options);
  std::vector<GridAxis> axes;
  for (const std::string& item : arguments.list("grid")) {
    const auto equals = item.find('=');
    const std::string name = item.substr(0, equals);
    const bool known =
        std::any_of(fields.begin(), fields.end(), [&](const FieldInfo& f) { return f.name == name; });
    if (equals == std::string::npos || (!known && !axes.empty())) {
      if (axes.empty())
        throw Error(Code::usage, fmt::format("--grid: expected OPTION=VALUE,VALUE,..., got '{}'", item));
      axes.back().values.push_back(item);
      continue;
    }
    for (const GridAxis& axis : axes)
      if (axis.option == name) throw Error(Code::usage, fmt::format("--grid: {} was given twice", name));
    if (arguments.command().find(name) != nullptr && arguments.has(name))
      throw Error(Code::usage, fmt::format("--{0} and --grid {0}=... exclude each other", name));
    axes.push_back({name, {item.substr(equals + 1)}});
  }
  return axes;
}

// All combinations, checked before anything is read.
std::vector<Variant> variants_of(const std::vector<GridPoint>& grid, const std::vector<double>& shares,
                                 const ModelOptions& options) {
  std::vector<Variant> variants;
  variants.reserve(grid.size());
  for (const GridPoint& point : grid) variants.push_back({with_point(options, point)});
  for (const double share : shares) variants.push_back({options, share});
  if (variants.empty()) variants.push_back({options});
  return variants;
}

// Halves, down to a sixteenth, as long as there are two rows of each class and five rows left.
std::vector<double> shares_of(const Table& table, const FitSettings& settings, const FoldOptions& folds) {
  const SideColumn* target = table.find_side(settings.target);
  std::vector<double> counts(settings.task == Task::classification ? target->levels.size() : 1);
  for (const double value : target->values)
    if (value == value) ++counts[settings.task == Task::classification ? static_cast<std::size_t>(value) : 0];
  const double kept = folds.leave_one_out  ? 1
                      : folds.time_ordered ? 1 / static_cast<double>(folds.folds + 1)
                                           : 1 - 1 / static_cast<double>(folds.folds);
  const double smallest = counts.empty() ? 0 : *std::min_element(counts.begin(), counts.end());
  std::vector<double> shares;
  for (const double share : {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2})
    if (smallest * kept * share >= 2 && static_cast<double>(table.rows()) * kept * share >= 5)
      shares.push_back(share);
  shares.push_back(1);
  return shares;
}

void check_cv_flags(const Arguments& arguments) {
  const bool grid = arguments.has("grid"), curve = arguments.has("learning-curve");
  if (grid && curve) throw Error(Code::usage, "--grid and --learning-curve exclude each other");
  if (arguments.has("metric") && !grid && !curve)
    throw Error(Code::usage,
                "--metric is for --grid and --learning-curve; without them all metrics are shown");
  if (arguments.text("metric") == "cost" &&
      !(arguments.has("cost") || arguments.has("risk") || arguments.has("reject")))
    throw Error(Code::usage, "--metric cost is the cost of decisions, which --cost, --risk or --reject give");
  if (arguments.text("metric") == "undecided" && !arguments.has("reject") &&
      arguments.text("decision") != "unanimous")
    throw Error(
        Code::usage,
        "--metric undecided is the share of rows that --reject or --decision unanimous leaves without "
        "a class");
  if (arguments.has("predictions") && (grid || curve))
    throw Error(Code::usage,
                fmt::format("--predictions and --{} exclude each other: which model's would it be?",
                            grid ? "grid" : "learning-curve"));
}

CrossValidation validate(const Table& table, const FitSettings& settings,
                         const CrossValidationOptions& options, const std::vector<Variant>& variants) {
  const Graceful graceful;
  CrossValidation result = cross_validate(table, settings, options, variants);
  check_interrupted();
  return result;
}

int run_cv(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& path = arguments.positional(0);
  const std::string output = arguments.text("predictions");
  if (output == "-")
    throw Error(Code::usage,
                "--predictions -: the table goes to standard output; give the predictions a file");
  check_cv_flags(arguments);
  FitSettings settings = training_settings(arguments, console);
  set_model(arguments, settings);
  settings.decision = decision_options(arguments);
  CvReport report;
  report.metric = &metric_of(arguments, settings.task);
  if (arguments.has("grid")) report.grid = grid_points(grid_of(arguments, settings.options));
  CrossValidationOptions options{fold_options(arguments), arguments.text("group"),
                                 arguments.has("learning-curve"), !output.empty()};
  const std::string page = report_path(arguments, path, "--predictions", output);
  const bool one_model = !options.judge_training && report.grid.empty();
  if (arguments.has("plot") && !one_model)
    throw Error(Code::usage, "--plot draws one model; leave out --grid and --learning-curve");
  if ((!page.empty() || arguments.has("plot")) && one_model) options.keep_predictions = true;
  std::vector<Variant> variants = variants_of(report.grid, {}, settings.options);
  const ReadOptions reading = reading_for(arguments, console, settings, options.group);
  if (!output.empty()) {
    check_different(path, output);
    check_writable(output);
  }
  Table read = read_table(path, reading);
  use_names(read, {&settings.target, &settings.sample_weight, &options.group});
  const PreparedTable prepared = prepare(std::move(read), settings);
  const Table& table = prepared.table;
  if (options.judge_training) {
    report.shares = shares_of(table, settings, options.folds);
    variants = variants_of({}, report.shares, settings.options);
  }
  CrossValidation result = validate(table, settings, options, variants);
  if (const std::string hint = regression_hint(table, settings); !hint.empty())
    result.warnings.push_back(hint);
  for (const std::string& leak : leak_warnings(prepared, settings.target)) result.warnings.push_back(leak);
  report.model = model_name(arguments);
  report.settings = &settings;
  report.options = &options;
  report.result = &result;
  for (const Noticed& noticed : table.noticed) report.imputed += noticed.missing;
  report.seconds = time.seconds();
  if (!output.empty()) write_out_of_fold(report, output);
  console.say(notes_text(prepared, console.err()));
  for (const std::string& warning : result.warnings) console.warn(warning);
  console.say(console.err().dim(
      fmt::format("{}: {} on {}, {}{}  {}\n", name_of_input(path), report.model, counted(result.rows, "row"),
                  folds_text(options.folds, options.group, settings.task),
                  output.empty() ? "" : ", predictions in " + output, duration(report.seconds))));
  console.print(console.json() ? with_notes(cv_json(report), prepared) : cv_text(report, console.out()));
  if (arguments.has("plot") && !console.quiet() && !console.json()) {
    const report::AllFolds all = report::all_folds(result);
    const std::string picture = all.labels.empty() ? ""
                                                   : roc_plot({result.classes,
                                                               result.positive,
                                                               all.said,
                                                               all.labels,
                                                               {},
                                                               result.variants.front().pooled.metrics,
                                                               ""});
    console.say(picture.empty() ? "nothing to draw: --plot is for two classes with scores\n" : picture);
  }
  if (!page.empty()) {
    std::vector<std::string> names;
    for (const GridPoint& point : report.grid) names.push_back(point_text(point));
    write_report(
        report::cv_page({settings, result, *report.metric, names, report.shares,
                         folds_text(options.folds, options.group, settings.task), name_of_input(path)}),
        page, console);
  }
  return 0;
}

}  // namespace

Command cv_command() {
  return {
      .name = "cv",
      .usage = "DATA --target COL [--model NAME] [--folds K] [options]",
      .summary = "cross-validation: how good a model is on rows it has not seen",
      .description =
          "Divides the rows into folds, fits the model on all but one of them and judges it on the one left "
          "out, in turn. Everything that is learned, fill values, categories and scales included, is learned "
          "from the training rows of the fold alone. All of fit's options mean the same here. The standard "
          "error is that of the mean over the folds.",
      .positionals = {{.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
      .flags = by_group(join({column_flags(),
                              {model_flag()},
                              training_flags(),
                              reading_flags(),
                              cv_flags(),
                              fold_flags(),
                              model_flags(),
                              decision_flags(),
                              common_flags()})),
      .examples = {{"discern cv iris.csv --target class --model lda --folds 10",
                    "Ten folds with equal shares of the classes"},
                   {"discern cv adult.csv --target income --grid l2=0.01,0.1,1,10 --metric log_loss",
                    "Which penalty predicts best"},
                   {"discern cv digits.csv --target class --learning-curve", "Whether more rows would help"},
                   {"discern cv tumour.csv --target class --cost malignant:benign=20 --reject 0.2",
                    "What decisions with these costs cost on average"},
                   {"discern cv speech.csv --target word --group speaker --predictions out.csv",
                    "No speaker is in training and test at once; keep the predictions"},
                   {"discern cv load.csv --target kwh --model ridge --task regression --time-ordered",
                    "Later rows predicted from earlier ones"}},
      .run = run_cv};
}

}  // namespace discern::cli
