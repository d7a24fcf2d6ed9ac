// discern path: the fits under a row of falling penalties, and the choice of one.
#include <fmt/format.h>

#include "cli/flags/files.hpp"
#include "cli/flags/fold_flags.hpp"
#include "cli/flags/model_flags.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/fit_report.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/path_report.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/persist/model_file.hpp"
#include "discern/report/pages/path.hpp"

namespace discern::cli {
namespace {

template <class E>
std::vector<std::string> names_of(E choice) {
  const auto names = value_names(choice);
  return {names.begin(), names.end()};
}

Flag path_metric_flag() {
  Flag flag = metric_flag("what the folds are judged by");
  flag.standard = "log_loss, error without probabilities, mean squared error in a regression";
  return flag;
}

std::vector<Flag> path_flags() {
  return {
      {.name = "penalty",
       .metavar = "KIND",
       .help = "what falls along the path: l1, l2, or both in a fixed mix",
       .group = "model",
       .choices = names_of(PathPenalty{}),
       .standard = "l1; l2 for ridge, elastic-net for elastic-net"},
      {.name = "l1-ratio",
       .metavar = "R",
       .help = "of elastic-net: l1 = R s, l2 = (1 - R) s, in a regression over the target's standard "
               "deviation; above 0 and below 1",
       .group = "model",
       .standard = "0.5"},
      {.name = "points",
       .metavar = "N",
       .help = "penalties on the path",
       .group = "model",
       .standard = "100"},
      {.name = "ratio",
       .metavar = "X",
       .help = "the smallest penalty over the largest, above 0 and below 1",
       .group = "model",
       .standard = "1e-4, or 1e-2 with fewer rows than features; 1e-6 for l2"},
      path_metric_flag(),
      {.name = "choose",
       .metavar = "RULE",
       .help = "of -o: the best mean, or the largest penalty within one standard error of it",
       .group = "folds",
       .choices = names_of(PathChoice{}),
       .standard = "min"},
      {.name = "output",
       .letter = 'o',
       .metavar = "MODEL",
       .help = "fit with the penalty chosen and write the model to this file; needs --folds",
       .group = "output",
       .file = true},
      {.name = "csv",
       .metavar = "FILE",
       .help = "write every point with all of its weights, in the units of the file",
       .group = "output",
       .file = true},
      report_flag(),
  };
}

// As cv has them, but without folds there is no cross-validation.
std::vector<Flag> path_fold_flags() {
  std::vector<Flag> flags = fold_flags();
  for (Flag& flag : flags)
    if (flag.name == "folds") {
      flag.standard = "no cross-validation";
      flag.help += "; chooses a penalty";
    }
  return flags;
}

PathPenalty standard_penalty(std::string_view model) {
  if (model == "ridge") return PathPenalty::l2;
  return model == "elastic-net" ? PathPenalty::elastic_net : PathPenalty::l1;
}

// The penalty that does not fall may be given.
double fixed_penalty(const Arguments& arguments, PathPenalty penalty) {
  for (const char* name : {"l1", "l2"}) {
    const bool falls =
        penalty == PathPenalty::elastic_net || (penalty == PathPenalty::l1) == (name[1] == '1');
    if (falls && arguments.has(name))
      throw Error(Code::usage, fmt::format("--{}: the path goes through its values by itself (--points, "
                                           "--ratio); `discern fit` takes one",
                                           name));
  }
  if (penalty == PathPenalty::elastic_net) return 0;
  return arguments.number(penalty == PathPenalty::l1 ? "l2" : "l1", 0, 1e150).value_or(0);
}

PathOptions path_options(const Arguments& arguments, std::string_view model) {
  PathOptions options;
  options.penalty = standard_penalty(model);
  const std::string asked = arguments.text("penalty");
  for (std::size_t k = 0; !asked.empty() && k < value_names(PathPenalty{}).size(); ++k)
    if (value_names(PathPenalty{})[k] == asked) options.penalty = static_cast<PathPenalty>(k);
  if (arguments.has("l1-ratio") && options.penalty != PathPenalty::elastic_net)
    throw Error(Code::usage, "--l1-ratio is for --penalty elastic-net");
  options.l1_ratio = arguments.number("l1-ratio", 1e-6, 1 - 1e-6).value_or(0.5);
  options.points = arguments.whole("points", 1, 100000).value_or(100);
  options.ratio = arguments.number("ratio", 1e-12, 1 - 1e-9).value_or(0);
  options.fixed = fixed_penalty(arguments, options.penalty);
  return options;
}

PathSettings path_settings(const Arguments& arguments, const FitSettings& settings) {
  const std::string model = model_name(arguments);
  PathSettings path;
  path.path = path_options(arguments, model);
  const bool folds =
      arguments.has("folds") || arguments.has("leave-one-out") || arguments.has("time-ordered");
  for (const char* flag : {"metric", "choose", "output", "repeats", "group"})
    if (!folds && arguments.has(flag))
      throw Error(Code::usage, fmt::format("--{} needs --folds: without them nothing is chosen", flag));
  if (!folds) return path;
  path.folds = fold_options(arguments);
  path.group = arguments.text("group");
  path.metric = arguments.has("metric") ? &metric_of(arguments, settings.task) : &path_measure(settings);
  refuse_decision_metric(*path.metric, "no path is judged");
  if (path.folds->leave_one_out && !path.metric->row_mean)
    throw Error(Code::usage,
                fmt::format("--leave-one-out: the {} of a single row means nothing; take --folds",
                            path.metric->title));
  if (path.metric->proba && !find_model(model).probabilities)
    throw Error(Code::usage,
                fmt::format("--metric {} needs probabilities, and {} has none", path.metric->name, model));
  return path;
}

PathOutcome follow_gracefully(const Table& table, const FitSettings& settings, const PathSettings& path) {
  const Graceful graceful;
  PathOutcome outcome = follow_path(table, settings, path);
  if (!outcome.path.interrupted) check_interrupted();
  return outcome;
}

void save_choice(const Table& table, FitSettings settings, PathReport& report, const std::string& output) {
  const PathOutcome& outcome = *report.outcome;
  const PathPoint& point = outcome.path.points[outcome.chosen(report.choice)];
  settings.options = with_penalty(settings.options, point.l1, point.l2);
  FitOutcome fit = fit_model(table, settings);
  fit.model.summary.facts.push_back({"penalty_chosen", choice_text(outcome, report.choice, report.folds)});
  for (const std::string& warning : fit.model.summary.warnings) report.warnings.push_back(warning);
  save_model(fit.model, output);
  report.saved = output;
}

// "l1 from 12.3 to 0.00123, 100 points"
std::string range_text(const PathReport& report) {
  const auto& points = report.outcome->path.points;
  const auto range = [&](std::string_view name, double from, double to) {
    return fmt::format(" {} from {} to {},", name, rounded(from), rounded(to));
  };
  std::string text = "path of";
  if (report.path->path.penalty != PathPenalty::l2) text += range("l1", points.front().l1, points.back().l1);
  if (report.path->path.penalty != PathPenalty::l1) text += range("l2", points.front().l2, points.back().l2);
  return text + ' ' + counted(static_cast<Index>(points.size()), "point");
}

int run_path(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string& input = arguments.positional(0);
  const std::string output = arguments.text("output"), csv = arguments.text("csv");
  for (const std::string& file : {output, csv})
    if (file == "-")
      throw Error(Code::usage, "the path goes to standard output; give -o and --csv a file each");
  FitSettings settings = training_settings(arguments, console);
  set_model(arguments, settings);
  check_path(settings);
  PathSettings path = path_settings(arguments, settings);
  const ReadOptions reading = reading_for(arguments, console, settings, path.group);
  for (const std::string& file : {output, csv})
    if (!file.empty()) {
      check_different(input, file);
      check_writable(file);
    }
  check_two_files("-o", output, "--csv", csv);
  const std::string page = report_path(arguments, input, "-o", output);
  check_two_files("--report", page, "--csv", csv);
  PathReport report;
  const Stopwatch read_time;
  Table read = read_table(input, reading);
  use_names(read, {&settings.target, &settings.sample_weight, &path.group});
  const PreparedTable prepared = prepare(std::move(read), settings);
  const Table& table = prepared.table;
  report.read_seconds = read_time.seconds();
  const Stopwatch path_time;
  const PathOutcome outcome = follow_gracefully(table, settings, path);
  report.path_seconds = path_time.seconds();
  report.model = model_name(arguments);
  report.settings = &settings;
  report.path = &path;
  report.outcome = &outcome;
  report.warnings = outcome.warnings;
  if (const std::string end = end_text(outcome, path.path.penalty, "a smaller --ratio"); !end.empty())
    report.warnings.push_back(end);
  if (arguments.text("choose") == "1se") report.choice = PathChoice::one_se;
  if (path.folds) report.folds = folds_text(*path.folds, path.group, settings.task);
  if (const std::string hint = regression_hint(table, settings); !hint.empty())
    report.warnings.push_back(hint);
  for (const std::string& leak : leak_warnings(prepared, settings.target)) report.warnings.push_back(leak);
  const bool whole = !outcome.path.interrupted;
  if (!whole) report.warnings.emplace_back("interrupted: these are the points so far; no file was written");
  if (!output.empty() && whole) save_choice(table, settings, report, output);
  if (!csv.empty() && whole) write_path_csv(report, csv);
  report.total_seconds = time.seconds();
  console.say(notes_text(prepared, console.err()));
  for (const std::string& warning : report.warnings) console.warn(warning);
  if (outcome.fit.imputed > 0) {
    const std::string filled = filled_in_text(outcome.fit.imputed, outcome.fit.imputed_columns);
    console.say(filled + '\n');
    if (console.json()) report.warnings.push_back(filled);
  }
  console.say(console.err().dim(fmt::format("{}: {} on {}, {}{}  {}\n", name_of_input(input), report.model,
                                            counted(outcome.fit.model.samples, "row"), range_text(report),
                                            csv.empty() || !whole ? "" : ", all of it in " + csv,
                                            duration(report.total_seconds))));
  console.print(console.json() ? with_notes(path_json(report), prepared) : path_text(report, console.out()));
  if (!page.empty() && whole)
    write_report(report::path_page({outcome, path.path.penalty != PathPenalty::l2, report.folds,
                                    name_of_input(input), report.warnings}),
                 page, console);
  return whole ? 0 : 128 + (interrupted() ? interrupt_signal() : 2);
}

}  // namespace

Command path_command() {
  return {
      .name = "path",
      .usage = "DATA --target COL [--model NAME] [--penalty KIND] [--folds K] [-o MODEL]",
      .summary =
          "the fits under a row of falling penalties: which weights enter when, and which penalty is best",
      .description =
          "Fits the model under --points penalties, from the one that leaves nothing but the bias (l1) or "
          "halves every direction (l2) down to --ratio of it, each fit started from the one before and ended "
          "by its certificate. Objective, scales and options are those of fit: the fit under the penalty of "
          "a point gives its weights (of softmax with l1, whose weights may not be unique, its objective). "
          "With --folds every fold follows the same penalties and the best one is "
          "chosen. For least-squares (ridge, lasso, elastic-net), logistic, and svm --loss squared-hinge.",
      .positionals = {{.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
      .flags = by_group(join({column_flags(),
                              {model_flag()},
                              path_flags(),
                              training_flags(),
                              reading_flags(),
                              path_fold_flags(),
                              model_flags(),
                              common_flags()})),
      .examples =
          {{"discern path diabetes.csv --target progression --model lasso --task regression",
            "The lasso, from no weight at all to least squares"},
           {"discern path wdbc.csv --target class --model logistic --folds 10 --choose 1se -o m",
            "The sparsest logistic model that is as good as the best, up to one standard error"},
           {"discern path digits.csv --target class --penalty elastic-net --l1-ratio 0.9 --csv path.csv",
            "Softmax regression with a mix of penalties; every weight into a table"},
           {"discern path load.csv --target kwh --model ridge --task regression --time-ordered --folds 5",
            "How much to shrink, judged by later rows"}},
      .run = run_path};
}

}  // namespace discern::cli
