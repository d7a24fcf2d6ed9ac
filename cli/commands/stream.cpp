#include "cli/commands/stream.hpp"

#include <fmt/format.h>

#include "cli/flags/auto_penalty.hpp"
#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/training.hpp"
#include "cli/report/json.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/stream_report.hpp"
#include "cli/shell/interrupt.hpp"
#include "discern/base/error.hpp"
#include "discern/catalogue/prepared_table.hpp"
#include "discern/catalogue/stream_fit.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/io/table/formats.hpp"
#include "discern/io/table/row_stream.hpp"
#include "discern/persist/model_file.hpp"
#include "discern/transform/hashing.hpp"

namespace discern::cli {
namespace {

// What a fit that sees every row once does not have.
void check_stream_flags(const Arguments& arguments) {
  if (arguments.text("missing") == "indicator")
    throw Error(
        Code::usage,
        "--missing indicator: which columns have missing cells is known when all rows are, and --stream "
        "sees each once");
  if (arguments.text("dates") == "parts")
    throw Error(
        Code::usage,
        "--dates parts: whether dates have times is known when all rows are, and --stream sees each once");
  for (const char* flag : {"trace", "rare", "trace-every", "report", "plot", "pixels", "inference", "robust",
                           "confidence", "tol", "max-iter", "reference"})
    if (arguments.has(flag))
      throw Error(Code::usage, fmt::format("--{} needs all rows at once, and --stream sees each once", flag));
  if (arguments.has("strict"))
    throw Error(Code::usage, "--strict: a stream proves no convergence; leave it out with --stream");
  if (wants_auto(arguments))
    throw Error(Code::usage, "a penalty is chosen from all rows, and --stream sees each once; give a number");
}

StreamSettings stream_settings(const Arguments& arguments) {
  StreamSettings stream;
  stream.classes = arguments.list("classes");
  if (arguments.has("classes") && stream.classes.size() < 2)
    throw Error(Code::usage, "--classes: expected at least two classes, as a,b");
  stream.hash_bits = arguments.whole("hash", 1, Hashing::most_bits).value_or(0);
  return stream;
}

// Rows that are left out as they come, and how many they were.
class LeftOutRows {
 public:
  explicit LeftOutRows(const FitSettings& settings) : settings_(settings) {}

  Table without(const Table& table) {
    Table left = table;
    const SideColumn* target = table.find_side(settings_.target);
    if (target != nullptr && target->noticed.missing > 0)
      keep(labelled_rows(left, settings_.target), left, told_.unlabelled);
    if (settings_.drop_missing && left.first_missing()) keep(complete_rows(left), left, told_.incomplete);
    return left;
  }

  // The notes of all rows.
  PreparedTable told() const {
    PreparedTable all = told_;
    if (all.unlabelled > 0)
      all.table.notes.push_back({"", unlabelled_text(all.unlabelled, settings_.target)});
    if (all.incomplete > 0) all.table.notes.push_back({"", incomplete_text(all.incomplete)});
    return all;
  }

 private:
  static void keep(const std::vector<Index>& rows, Table& table, Index& left_out) {
    left_out += table.rows() - static_cast<Index>(rows.size());
    table = select_rows(table, rows);
  }

  const FitSettings& settings_;
  PreparedTable told_;
};

FitReport report_of(const FitOutcome& outcome, const Progressive& sums) {
  FitReport report;
  report.outcome = &outcome;
  if (outcome.model.task == Task::classification) {
    report.metrics.accuracy = sums.accuracy();
    report.metrics.error = 1 - sums.accuracy();
  }
  return report;
}

}  // namespace

std::vector<Flag> stream_flags() {
  return {
      {.name = "stream",
       .help = "learn from the rows as they come, each once, in constant memory [logistic, svm, "
               "least-squares, perceptron]; Ctrl-C ends it with the model so far",
       .group = "data"},
      {.name = "classes",
       .metavar = "LIST",
       .help = "of --stream: all classes that there are; another one is an error",
       .group = "data",
       .standard = "learned as they appear",
       .list = true},
      {.name = "hash",
       .metavar = "BITS",
       .help = fmt::format("of --stream: hash columns and texts into 2^BITS features, BITS from 1 to {}",
                           Hashing::most_bits),
       .group = "features"},
      max_record_flag(),
  };
}

void refuse_stream_flags(const Arguments& arguments) {
  for (const char* flag : {"classes", "hash", "max-record"})
    if (arguments.has(flag))
      throw Error(Code::usage, fmt::format("--{} is for --stream, and that is not given", flag));
}

int fit_stream(const Arguments& arguments, Console& console, FitSettings settings) {
  const Stopwatch total;
  const std::string& path = arguments.positional(0);
  const std::string output = arguments.text("output");
  check_stream_flags(arguments);
  if (arguments.text("schedule") != "linear") set_stream_defaults(settings.options);
  ReadOptions reading = reading_for(arguments, console, settings);
  // Rows may have entries that no row before had; what is expected would leave them out.
  if (settings.before != nullptr && format_of(path, reading.format).name == "libsvm")
    reading.expected = nullptr;
  if (!output.empty()) {
    check_different(path, output);
    check_writable(output);
  }
  StreamTable table(console, settings.task);
  StreamSettings stream = stream_settings(arguments);
  stream.watch = [&](const Progressive& sums) { table.row(sums); };
  StreamFit fit(settings, stream);
  const Graceful graceful;
  reading.monitor = [](const Progress&) { return !interrupted(); };
  LeftOutRows left_out(settings);
  RowStream stream_rows(path, reading);
  stream_rows.for_each([&](const Table& some) {
    const Table rows = left_out.without(some);
    if (rows.rows() > 0) fit.learn(rows);
    return true;
  });
  const PreparedTable told = left_out.told();
  if (interrupted() && fit.so_far().rows == 0)
    throw Error(Code::interrupted, "interrupted before a row was learned");
  table.row(fit.so_far());
  FitOutcome outcome;
  outcome.model = fit.model(interrupted());
  outcome.predicted = true;  // every row, before it was learned
  outcome.imputed = fit.missing();
  FitReport report = report_of(outcome, fit.so_far());
  report.file = name_of_input(path);
  report.why_positive = why_positive(outcome.model, settings);
  report.fit_seconds = total.seconds();
  if (interrupted()) report.warnings.emplace_back("interrupted: this is the model so far");
  if (!output.empty()) {
    const Shield shield;
    save_model(outcome.model, output);
    report.saved = output;
  }
  report.total_seconds = total.seconds();
  console.say(notes_text(told, console.err()));
  console.say(stream_summary(report, fit.so_far(), console.err()));
  for (const std::string& warning : report.warnings) console.warn(warning);
  warn_unread(stream_rows.unread(), console);
  if (console.json()) console.print(with_notes(fit_json(report), told));
  return interrupted() ? 128 + interrupt_signal() : 0;
}

}  // namespace discern::cli
