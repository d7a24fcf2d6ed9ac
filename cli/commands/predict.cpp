// discern predict: what a model says about the rows of a table.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/saying.hpp"
#include "cli/report/json.hpp"
#include "cli/report/prediction_csv.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/row_stream.hpp"

namespace discern::cli {
namespace {

// Columns of the input, as texts.
std::vector<JsonColumn> kept_columns(const KeptCells& kept) {
  std::vector<JsonColumn> columns;
  const auto rows = static_cast<Index>(kept.ends.size() / kept.names.size());
  for (std::size_t k = 0; k < kept.names.size(); ++k) {
    JsonColumn& column = columns.emplace_back();
    column.name = kept.names[k];
    for (Index i = 0; i < rows; ++i) column.texts.emplace_back(kept.cell(i, k));
  }
  return columns;
}

// --keep: the columns named, or all.
void set_kept(const Arguments& arguments, ReadOptions& reading) {
  const std::vector<std::string> names = arguments.list("keep");
  reading.keep_all = names.size() == 1 && names[0] == "all";
  if (!reading.keep_all) reading.keep = names;
}

// Two columns of one name in the output would be taken for each other.
void check_kept(const PredictionTable& table) {
  if (table.kept == nullptr) return;
  for (const std::string& name : table.kept->names)
    if (name == "prediction" || std::find(table.names.begin(), table.names.end(), name) != table.names.end())
      throw Error(
          Code::usage,
          fmt::format("--keep: the input has a column '{}', and so has the output; name the columns to keep",
                      name));
}

std::vector<JsonColumn> json_columns(const Model& model, const Prediction& said,
                                     const PredictionTable& table) {
  std::vector<JsonColumn> columns;
  if (table.kept != nullptr) columns = kept_columns(*table.kept);
  JsonColumn& prediction = columns.emplace_back();
  prediction.name = "prediction";
  for (const std::int32_t label : said.labels) prediction.texts.emplace_back(label_text(model, label));
  if (model.task == Task::regression)
    prediction.numbers.assign(said.scores.data(), said.scores.data() + said.scores.rows());
  for (std::size_t j = 0; j < table.names.size(); ++j) {
    const auto column = table.numbers.col(static_cast<Index>(j));
    columns.push_back({table.names[j], {}, {column.begin(), column.end()}});
  }
  return columns;
}

void write_file(const Model& model, const Prediction& said, const PredictionTable& table,
                const std::string& path) {
  FileWriter writer(path);
  write_predictions(model, said, table, [&](std::string_view bytes) { writer.write(bytes); });
  writer.commit();
}

// What is said of the rows of a table, up to the first with a cell that the policies refuse, and the Error
// about that.
struct Answers {
  Index rows = 0;
  Prediction said;
  std::optional<Error> error;
};

// An Error is about the table as a whole, so that where the rows end is found by halving.
Answers answer(const Model& model, const Table& table, const PredictOptions& options) {
  const auto first = [&](Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), Index{0});
    return select_rows(table, rows);
  };
  auto all = attempt([&] { return predict(model, table, options); });
  if (all) return {table.rows(), std::move(all).value(), {}};
  Answers found{0, {}, all.error()};
  for (Index bad = table.rows(); bad - found.rows > 1;) {
    const Index middle = (found.rows + bad) / 2;
    auto some = attempt([&] { return predict(model, first(middle), options); });
    if (some) {
      found.rows = middle;
      found.said = std::move(some).value();
      continue;
    }
    bad = middle;
    if (some.error().place().line > 0) found.error = some.error();
  }
  return found;
}

using CellsByColumn = std::vector<std::pair<std::string, Index>>;

void add_cells(const CellsByColumn& some, CellsByColumn& all) {
  for (const auto& [name, cells] : some) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&, &column = name](const auto& known) { return known.first == column; });
    if (found == all.end())
      all.emplace_back(name, cells);
    else
      found->second += cells;
  }
}

void add_policies(const Prediction& said, Prediction& all) {
  all.imputed += said.imputed;
  all.unseen += said.unseen;
  add_cells(said.imputed_columns, all.imputed_columns);
  add_cells(said.unseen_columns, all.unseen_columns);
}

// Row by row, as they come in from standard input: each table of rows is answered before the next is waited
// for.
int predict_stream(const Model& model, const Arguments& arguments, Console& console,
                   const std::string& path) {
  const Stopwatch time;
  const bool to_file = !path.empty() && path != "-";
  ReadOptions reading = read_options(arguments, console);
  reading.expected = &model.pipeline.input();
  set_kept(arguments, reading);
  reading.monitor = [](const Progress&) { return !interrupted(); };
  RowStream rows("-", reading);
  FileWriter out(path.empty() ? "-" : path);
  Index done = 0;
  Prediction policies;  // what they did to all rows
  rows.for_each([&](const Table& table) {
    const auto [answered, said, error] = answer(model, table, predict_options(arguments));
    if (answered > 0) {
      PredictionTable columns = prediction_table(model, said, arguments.text("output", "labels"));
      columns.safe = arguments.has("safe-csv");
      columns.kept = table.kept.get();
      check_kept(columns);
      if (done == 0) out.write(prediction_header(columns));
      write_prediction_rows(model, said, columns, [&](std::string_view bytes) { out.write(bytes); });
      if (!to_file) out.flush();
    }
    if (error) throw *error;
    done += answered;
    add_policies(said, policies);
    return true;
  });
  if (rows.stopped()) throw Error(Code::interrupted, "interrupted");
  out.commit();
  tell_policies(policies, console);
  warn_unread(rows.unread(), console);
  console.say(fmt::format("standard input: {} predicted{}  {}\n", counted(done, "row"),
                          to_file ? fmt::format(", written to {}", path) : "",
                          console.err().dim(duration(time.seconds()))));
  return 0;
}

int run_predict(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string output = arguments.text("output", "labels");
  const std::string path = arguments.text("o");
  const bool to_file = !path.empty() && path != "-";
  if (arguments.has("safe-csv") && console.json() && !to_file)
    throw Error(Code::usage, "--safe-csv is for CSV, and --json prints none without -o");
  for (std::size_t i = 0; i < 2 && !path.empty(); ++i) check_different(arguments.positional(i), path);
  const FittedModel fitted = load_for(arguments);
  const Model& model = fitted.model();
  if (arguments.positional(1) == "-" && !console.json() && can_stream("-", arguments.text("format")))
    return predict_stream(model, arguments, console, path);
  if (arguments.has("max-record"))
    throw Error(Code::usage, "--max-record is for rows that stream in from standard input");
  const Table table =
      read_for(model, arguments, console, {}, [&](ReadOptions& o) { set_kept(arguments, o); });
  const bool labels_only = output == "labels" && model.task == Task::classification;
  const Prediction said = predict_with(model, table, arguments, console, labels_only);
  PredictionTable columns = prediction_table(model, said, output);
  columns.safe = arguments.has("safe-csv");
  columns.kept = table.kept.get();
  check_kept(columns);
  if (to_file) {
    write_file(model, said, columns, path);
  } else if (!console.json()) {
    FileWriter out("-");
    write_predictions(model, said, columns, [&](std::string_view bytes) { out.write(bytes); });
    out.commit();
  }
  console.say(fmt::format("{}: {} predicted{}  {}\n", name_of_input(arguments.positional(1)),
                          counted(table.rows(), "row"), to_file ? fmt::format(", written to {}", path) : "",
                          console.err().dim(duration(time.seconds()))));
  if (console.json() && to_file)
    console.print(object_json({{"output", path},
                               {"n_samples", table.rows()},
                               {"imputed", said.imputed},
                               {"unseen", said.unseen},
                               {"seconds", time.seconds()}}));
  else if (console.json())
    console.print(columns_json(json_columns(model, said, columns)));
  return 0;
}

}  // namespace

Command predict_command() {
  return {
      .name = "predict",
      .usage = "MODEL DATA [--output labels|proba|scores|distance] [-o OUT.csv]",
      .summary = "apply a model to new rows",
      .description =
          "Writes CSV with a header: the column prediction, then p(CLASS) for proba, g(CLASS) for "
          "scores, or the "
          "signed distance to the hyperplane. Columns of DATA are matched by name: their order does not "
          "matter, further columns are skipped, a missing one is an error. With --json and no -o the "
          "object holds an array "
          "for each of these columns. Rows on standard input are answered one by one, each as soon as it "
          "is there.",
      .positionals = {{.name = "MODEL", .help = "a model file that fit wrote"},
                      {.name = "DATA", .help = "the table: a file, or - for standard input"}},
      .flags = join(
          {{{.name = "output",
             .metavar = "WHAT",
             .help = "what to write beside the predicted class",
             .group = "output",
             .choices = {"labels", "proba", "scores", "distance"},
             .standard = "labels"},
            {.name = "",
             .letter = 'o',
             .metavar = "OUT",
             .help = "write to this file instead of standard output",
             .group = "output",
             .file = true},
            {.name = "keep",
             .metavar = "COLS",
             .help = "write these columns of DATA, or all, as they stand in it, before the prediction",
             .group = "output",
             .list = true},
            {.name = "safe-csv",
             .help = "an apostrophe before labels and kept cells that a spreadsheet would run as a formula",
             .group = "output"}},
           policy_flags(),
           reading_flags(),
           {max_record_flag()},
           common_flags()}),
      .examples = {{"discern predict income.model new.csv --output proba -o out.csv",
                    "Probabilities into a file"},
                   {"cat new.csv | discern predict income.model - | head", "From a pipe to a pipe"}},
      .run = run_predict};
}

}  // namespace discern::cli
