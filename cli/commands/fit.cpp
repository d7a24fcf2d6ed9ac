// discern fit: from a labelled table to a model file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "cli/commands/stream.hpp"
#include "cli/flags/auto_penalty.hpp"
#include "cli/flags/decision_flags.hpp"
#include "cli/flags/files.hpp"
#include "cli/flags/model_flags.hpp"
#include "cli/flags/preparing.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/fit_report.hpp"
#include "cli/report/inference_table.hpp"
#include "cli/report/json.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/text_plot.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/pixels.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/stream_fit.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/io/file/file.hpp"
#include "discern/persist/model_file.hpp"
#include "discern/report/pages/fit.hpp"

namespace discern::cli {
namespace {

Flag continue_flag() {
  return {
      .name = "continue",
      .metavar = "MODEL",
      .help =
          "go on from a model: from its statistics, the fit of its rows and those of DATA together; row by "
          "row where it was learned from a stream, by sgd or as a perceptron; otherwise from its weights, "
          "where the fit of DATA starts",
      .group = "data",
      .file = true};
}

// Where it is cheap and means something it comes without being asked for.
std::vector<Flag> inference_flags() {
  return {
      {.name = "inference",
       .metavar = "KIND",
       .help = "of an unpenalised logistic or least-squares fit: standard errors and Wald tests, or profile "
               "likelihood intervals and likelihood-ratio tests, too; `discern inspect` shows them",
       .group = "model",
       .choices = {"none", "wald", "profile"},
       .standard = "wald"},
      {.name = "robust",
       .help = "sandwich standard errors, which hold when the model does not quite",
       .group = "model"},
      confidence_flag(),
  };
}

std::vector<Flag> output_flags() {
  return {
      {.name = "output",
       .letter = 'o',
       .metavar = "MODEL",
       .help = "write the model to this file",
       .group = "output",
       .file = true},
      {.name = "trace",
       .metavar = "FILE.jsonl",
       .help = "write the weights, the objective and the mistakes of every iteration, a line of JSON each",
       .group = "output",
       .file = true},
      {.name = "trace-every",
       .metavar = "N",
       .help = "of --trace: a line every N iterations",
       .group = "output",
       .standard = "1"},
      report_flag(),
      plot_flag(),
      {.name = "pixels",
       .metavar = "HxW",
       .help = "of --report: the features are the pixels of an image of this height and width, row by row",
       .group = "output"},
      {.name = "keep-statistics",
       .help = "keep in the model file what fit --continue goes on from [lda, qda, fisher, naive-bayes, "
               "least-squares]",
       .group = "output"},
      {.name = "strict",
       .help = "exit with code 3 and write no model when the fit does not converge",
       .group = "output"},
  };
}

void set_trace(const Arguments& arguments, FitSettings& settings) {
  settings.trace = arguments.text("trace");
  if (arguments.has("trace-every") && settings.trace.empty())
    throw Error(Code::usage, "--trace-every is for --trace, and that is not given");
  settings.trace_every = arguments.whole("trace-every", 1, std::int64_t{1} << 40).value_or(1);
}

InferenceRequest inference_of(const Arguments& arguments, const FitSettings& settings) {
  const bool able = has_inference(settings.options);
  for (const char* flag : {"inference", "robust", "confidence"})
    if (arguments.has(flag) && !able)
      throw Error(Code::usage, fmt::format("--{} is for logistic and least-squares, and this is {}", flag,
                                           entry_of(settings.options).name));
  const std::string kind = arguments.text("inference", "wald");
  InferenceRequest request;
  if (able && kind != "none") request.intervals = kind == "profile" ? Intervals::profile : Intervals::wald;
  request.robust = arguments.has("robust");
  if (request.robust && kind != "wald")
    throw Error(Code::usage, fmt::format("--robust is for Wald's tests, and excludes --inference {}", kind));
  request.confidence = confidence_of(arguments);
  return request;
}

std::vector<Flag> fit_flags() {
  return by_group(join({column_flags(),
                        {model_flag(), continue_flag()},
                        stream_flags(),
                        training_flags(),
                        inference_flags(),
                        reading_flags(),
                        with_auto(model_flags()),
                        decision_flags(),
                        output_flags(),
                        common_flags()}));
}

// How long a fit that starts at weights may go on.
constexpr const char* effort_flags[] = {"tol", "max-iter", "epochs"};

// What --continue takes from the command line; the rest of what fit knows comes from the model.
void check_continuing(const Arguments& arguments, const Model& before, bool online) {
  std::set<std::string> taken{"continue", "stream",          "sample-weight", "class-weight",
                              "missing",  "keep-statistics", "strict",        "output",
                              "report",   "pixels",          "plot"};
  const auto take = [&](const std::vector<Flag>& flags) {
    for (const Flag& flag : flags) taken.insert(flag.name);
  };
  take(join({reading_flags(), decision_flags(), common_flags()}));
  if (!online && before.statistics.empty()) {
    take(inference_flags());
    taken.insert(std::begin(effort_flags), std::end(effort_flags));
    taken.insert({"trace", "trace-every"});
  }
  for (const Flag& flag : fit_flags())
    if (arguments.has(flag.name) && !taken.contains(flag.name))
      throw Error(Code::usage,
                  fmt::format("--{}: --continue takes it from the model; leave it out", flag.name));
}

// The settings of the model that is continued, with those of the command line that may differ.
FitSettings settings_of(const Arguments& arguments, Console& console, const Model& before) {
  const bool online = learns_online(before) || arguments.has("stream");
  check_continuing(arguments, before, online);
  FitSettings settings = online ? stream_settings_of(before) : settings_of(before);
  if (!online && arguments.has("keep-statistics")) settings.keep_statistics = true;
  if (!online && settings.warm_start()) {
    for (const char* flag : effort_flags)
      if (arguments.has(flag)) set_option(settings.options, flag, arguments.text(flag));
    settings.inference = inference_of(arguments, settings);
    set_trace(arguments, settings);
  }
  settings.sample_weight = arguments.text("sample-weight");
  settings.class_weight = arguments.text("class-weight");
  settings.decision = decision_options(arguments);
  set_missing(arguments, settings);
  settings.seed = arguments.seed();
  settings.monitor = console.monitor();
  return settings;
}

FitSettings settings_of(const Arguments& arguments, Console& console) {
  FitSettings settings = training_settings(arguments, console);
  set_model(arguments, settings);
  settings.decision = decision_options(arguments);
  settings.keep_statistics = arguments.has("keep-statistics");
  settings.inference = inference_of(arguments, settings);
  check_auto(arguments, settings);
  set_trace(arguments, settings);
  return settings;
}

std::vector<std::string> warnings_of(const FitOutcome& outcome, const std::string& hint) {
  const Summary& summary = outcome.model.summary;
  std::vector<std::string> warnings = summary.warnings;
  if (!hint.empty()) warnings.push_back(hint);
  if (summary.interrupted)
    warnings.emplace_back("interrupted: this is the model so far");
  else if (!summary.converged && summary.warnings.empty())
    warnings.push_back("not converged: " + certificate_text(summary));
  return warnings;
}

// Under --strict nothing is written and an Error says why.
void check_strict(const Summary& summary) {
  if (summary.converged) return;
  if (summary.interrupted)
    throw Error(Code::interrupted, "interrupted; no model was written because of --strict");
  throw Error(Code::not_converged,
              fmt::format("not converged: {} after {}; no model was written because of --strict",
                          certificate_text(summary), counted(summary.iterations, "iteration")));
}

void judge_training(FitReport& report) {
  const FitOutcome& outcome = *report.outcome;
  if (outcome.model.task == Task::classification)
    report.metrics = outcome.judged
                         ? *outcome.judged
                         : judge(outcome.model, outcome.train, outcome.train_labels, outcome.train_weights);
  else
    report.regression = judge(outcome.train, outcome.train_targets, outcome.train_weights);
}

constexpr double most_watched_values = 2e6;

bool is_small(const Table& table) {
  return static_cast<double>(table.rows()) * static_cast<double>(column_count(table.x)) <=
         most_watched_values;
}

// Whether a fit takes the same way when it is watched: it is traced anyway, or has no short cuts to forgo, as the
// solvers of linear models have.
bool same_when_watched(const FitSettings& settings) {
  return !settings.trace.empty() ||
         std::visit([](const auto& options) { return !LinearModel<std::decay_t<decltype(options)>>; },
                    settings.options);
}

// The same fit once more, watched: the model must not depend on whether there is a report. Of large tables there is none.
report::History watched_fit(const Table& table, FitSettings settings) {
  report::History history;
  if (!is_small(table) || interrupted()) return history;
  settings.watch = [&](const TraceStep& step) { history.watch(step); };
  settings.trace.clear();
  settings.on_training = OnTraining::nothing;
  settings.inference = {};
  settings.keep_statistics = false;
  history.finish(fit_model(table, settings).model);
  return history;
}

void write_fit_page(const Arguments& arguments, const FitReport& told, const FitSettings& settings,
                    const report::History& history, const std::string& path, Console& console) {
  report::FitPage page{told.prepared->table,   *told.outcome, told.metrics,
                       told.regression,        history,       told.file,
                       settings.sample_weight, told.warnings};
  page.pixels = pixel_size(arguments, told.outcome->model.pipeline.features());
  page.monitor = settings.judging;
  write_report(report::fit_page(page), path, console);
}

// To standard error, with the other words for people.
void draw_fit(const FitReport& told, Console& console) {
  const FitOutcome& outcome = *told.outcome;
  std::string picture = boundary_plot(outcome.model, told.prepared->table);
  if (picture.empty() && outcome.predicted && outcome.model.task == Task::classification)
    picture = roc_plot({outcome.model.classes, outcome.model.positive, outcome.train, outcome.train_labels,
                        outcome.train_weights, told.metrics, ""});
  console.say(picture.empty()
                  ? "nothing to draw: --plot is for two numeric columns, or two classes with scores\n"
                  : picture);
}

void tell(FitReport& report, Console& console) {
  if (!console.quiet()) console.say(fit_summary(report, console.err()));
  for (const std::string& warning : report.warnings) console.warn(warning);
  if (!console.json()) return;
  if (report.outcome->imputed > 0)
    report.warnings.push_back(filled_in_text(report.outcome->imputed, report.outcome->imputed_columns));
  console.print(with_notes(fit_json(report), *report.prepared));
}

int run_fit(const Arguments& arguments, Console& console) {
  const Stopwatch total;
  const std::string& path = arguments.positional(0);
  const std::string output = arguments.text("output");
  if (output == "-" && console.json())
    throw Error(Code::usage, "--json and -o - would both write to standard output");
  if (arguments.text("trace") == "-" && console.json())
    throw Error(Code::usage, "--json and --trace - would both write to standard output");
  const std::string start = arguments.text("continue");
  // Two runs that go on from one file and replace it do so one after the other, so that no rows are lost.
  std::optional<FileLock> lock;
  if (same_file(start, output))
    lock.emplace(start,
                 [&] { console.warn(fmt::format("waiting for another fit that goes on from '{}'", start)); });
  std::optional<Model> before;
  if (!start.empty()) before = load_model(start);
  FitSettings settings = before ? settings_of(arguments, console, *before) : settings_of(arguments, console);
  if (arguments.has("stream") || (before && learns_online(*before)))
    return fit_stream(arguments, console, std::move(settings));
  refuse_stream_flags(arguments);
  const ReadOptions reading = reading_for(arguments, console, settings);
  if (!output.empty()) {
    check_different(path, output);
    check_writable(output);
  }
  if (!settings.trace.empty()) {
    check_different(path, settings.trace);
    check_writable(settings.trace);
    check_two_files("--trace", settings.trace, "-o", output);
  }

  const std::string page = report_path(arguments, path, "-o", output);
  if (arguments.has("pixels") && page.empty())
    throw Error(Code::usage, "--pixels is for --report, and that is not given");

  // What nobody will read is not computed.
  if (console.quiet() && page.empty()) settings.on_training = OnTraining::warnings;
  settings.judging = [show = console.monitor()](const Progress& progress) {
    return show(progress) || !interrupted_long_ago();
  };
  FitReport report;
  report.file = name_of_input(path);
  const Stopwatch read_time;
  Table read = read_table(path, reading);
  use_names(read, {&settings.target, &settings.sample_weight});
  const PreparedTable prepared = prepare(std::move(read), settings);
  const Table& table = prepared.table;
  report.prepared = &prepared;
  report.read_seconds = read_time.seconds();

  const Graceful graceful;
  const Stopwatch fit_time;
  if (wants_auto(arguments)) report.chosen = choose_penalty(arguments, table, settings);
  report::History history;
  const bool watched =
      !page.empty() && settings.trace_every == 1 && is_small(table) && same_when_watched(settings);
  if (watched) settings.watch = [&](const TraceStep& step) { history.watch(step); };
  FitOutcome outcome = fit_model(table, settings);
  settings.watch = nullptr;
  if (watched) history.finish(outcome.model);
  if (report.chosen) outcome.model.summary.facts.push_back({"penalty_chosen", report.chosen->how});
  report.outcome = &outcome;
  report.why_positive = why_positive(outcome.model, settings);
  report.fit_seconds = fit_time.seconds() - outcome.predict_seconds;
  const Summary& summary = outcome.model.summary;
  if (arguments.has("strict")) check_strict(summary);
  report.warnings = warnings_of(outcome, regression_hint(table, settings));
  for (const std::string& leak : leak_warnings(prepared, settings.target)) report.warnings.push_back(leak);
  if (report.chosen)
    for (const std::string& warning : report.chosen->warnings) report.warnings.push_back(warning);
  const bool asked = arguments.text("inference", "none") != "none" || arguments.has("robust");
  if (asked && outcome.model.inference && !outcome.model.inference->absent.empty())
    report.warnings.push_back("no standard errors: " + outcome.model.inference->absent);
  // The model first: judging many rows takes long, and what was fitted must not be lost.
  if (!output.empty()) {
    const Shield shield;
    save_model(outcome.model, output);
    report.saved = output;
  }
  if (outcome.predicted && settings.on_training == OnTraining::predictions) judge_training(report);
  report.total_seconds = total.seconds();
  tell(report, console);
  if (arguments.has("plot") && !console.quiet() && !console.json()) draw_fit(report, console);
  if (!page.empty())
    write_fit_page(arguments, report, settings, watched ? history : watched_fit(table, settings), page,
                   console);
  return interrupted() ? 128 + interrupt_signal() : 0;
}

}  // namespace

Command fit_command() {
  return {
      .name = "fit",
      .usage = "DATA --target COL [--model NAME] [options] [-o MODEL]",
      .summary = "train a model on a labelled table",
      .description =
          "Reads the table, fills in missing cells, encodes text columns, fits the model and reports how "
          "well "
          "that went: the certificate that the fit is what it claims to be, the accuracy on the training "
          "rows, the largest weights in the units of the file. Ctrl-C stops a fit with the model so far "
          "(exit code 130); a second Ctrl-C ends the program.",
      .positionals = {{.name = "DATA", .help = "the table: a file, or - for standard input"}},
      .flags = fit_flags(),
      .examples = {{"discern fit adult.csv --target income -o income.model",
                    "Logistic regression with the usual care"},
                   {"discern fit iris.csv --target class --model lda --json",
                    "Linear discriminant analysis, for a program"},
                   {"discern fit or.csv --target y --model perceptron --no-standardize",
                    "The perceptron, step by step as in the lectures"},
                   {"discern fit genes.csv --target class --l1 auto -o m",
                    "Few weights: the penalty with the best log loss in cross-validation"},
                   {"discern fit y.csv --target y --model least-squares --task regression --basis poly:2",
                    "A parabola by least squares"},
                   {"discern fit digits.csv --target class --basis rbf:300:kmeans",
                    "Logistic regression on the nearness to 300 centres"},
                   {"discern fit monday.csv --target class --model lda --keep-statistics -o m",
                    "A model that can go on"},
                   {"discern fit tuesday.csv --continue m -o m", "Going on with the rows of the next day"},
                   {"tail -f -n +1 log.csv | discern fit - --target class --stream -o m",
                    "Learning from rows as they come, until Ctrl-C"},
                   {"zcat big.csv.gz | discern fit - --target class --ignore id --l2 10 -o m",
                    "From a pipe, without the column id, with a stronger penalty"}},
      .run = run_fit};
}

}  // namespace discern::cli
