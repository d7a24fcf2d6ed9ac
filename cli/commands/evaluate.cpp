// discern evaluate: how good a model is on labelled data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/flags/reading.hpp"
#include "cli/flags/report_flag.hpp"
#include "cli/flags/saying.hpp"
#include "cli/report/json.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/truth_report.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/report/pages/evaluate.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t widest_confusion = 20;  // in a table for people

// Counts of rows are whole; with sample weights they need not be.
std::string weight_text(double weight) {
  return weight == std::floor(weight) && weight < 1e15 ? grouped(static_cast<std::int64_t>(weight))
                                                       : rounded(weight, 6);
}

std::string share(const std::optional<double>& value) { return value ? percent(*value) : "-"; }

// The weight of the rows that are right.
double right_of(const Metrics& m) {
  const double share = m.accuracy.value_or(0) * m.weight;
  if (m.confusion.empty()) return m.weight == std::floor(m.weight) ? std::round(share) : share;
  double right = 0;
  for (std::size_t k = 0; k < m.per_class.size(); ++k) right += m.confusion[k * m.per_class.size() + k];
  return right;
}

std::string metrics_text(const Metrics& m) {
  const double right = right_of(m);
  TextTable table({Align::left, Align::right, Align::left});
  table.row(
      {"accuracy", share(m.accuracy), fmt::format("{} of {}", weight_text(right), weight_text(m.weight))});
  if (m.undecided > 0) {
    table.row({"accuracy decided", share(m.accuracy_decided),
               fmt::format("{} of {}", weight_text(right), weight_text(m.weight - m.undecided))});
    table.row({"undecided", share(m.undecided / m.weight),
               fmt::format("{} of {}", weight_text(m.undecided), weight_text(m.weight))});
  }
  table.row({"balanced accuracy", share(m.balanced_accuracy)});
  table.row({"error", share(m.error),
             m.error_interval ? fmt::format("95 % confidence {} to {}", percent(m.error_interval->low),
                                            percent(m.error_interval->high))
                              : ""});
  if (m.cost) table.row({"mean cost", rounded(m.cost)});
  if (m.log_loss) table.row({"log loss", rounded(m.log_loss)});
  if (m.brier) table.row({"Brier score", rounded(m.brier)});
  if (m.auc) table.row({"AUC", rounded(m.auc)});
  if (m.average_precision) table.row({"average precision", rounded(m.average_precision)});
  if (m.mcc) table.row({"Matthews correlation", rounded(m.mcc)});
  if (m.ece) table.row({"calibration error", rounded(m.ece)});
  return table.text();
}

// Whether what is said with a probability comes true as often.
std::string calibration_text(const Model& model, const Metrics& m, const Paint& paint) {
  if (m.calibration.empty()) return "";
  TextTable table({Align::right, Align::right, Align::right}, 2);
  table.row({"said", "came true", "rows"});
  for (const CalibrationBin& bin : m.calibration)
    table.row({percent(bin.probability), percent(bin.share), weight_text(bin.weight)});
  const std::string of =
      model.classes.size() == 2
          ? fmt::format("probability of {}", shown(model.classes[static_cast<std::size_t>(model.positive)]))
          : std::string("probability of the likeliest class");
  return '\n' + paint.bold("calibration") + fmt::format(" ({})\n", of) + table.text();
}

std::string confusion_text(const Model& model, const Metrics& m, const Paint& paint) {
  const std::size_t classes = model.classes.size();
  std::vector<Align> columns(classes + 2, Align::right);
  columns[0] = Align::left;
  TextTable table(columns, 2);
  std::vector<std::string> head{"truth"};
  for (const std::string& name : model.classes) head.push_back(shown(name, 16));
  if (m.undecided > 0) head.emplace_back(undecided_name);
  table.row(std::move(head));
  for (std::size_t k = 0; k < classes; ++k) {
    std::vector<std::string> cells{shown(model.classes[k], 24)};
    for (std::size_t j = 0; j < classes; ++j) cells.push_back(weight_text(m.confusion[k * classes + j]));
    if (m.undecided > 0) cells.push_back(weight_text(m.per_class[k].undecided));
    table.row(std::move(cells));
  }
  return paint.bold("confusion") + " (columns: the prediction)\n" + table.text();
}

std::string per_class_text(const Model& model, const Metrics& m, const Paint& paint) {
  TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right}, 2);
  table.row({"", "precision", "recall", "f1", "support"});
  for (std::size_t k = 0; k < model.classes.size(); ++k) {
    const ClassMetrics& one = m.per_class[k];
    table.row({shown(model.classes[k], 24), share(one.precision), share(one.recall), share(one.f1),
               weight_text(one.support)});
  }
  return paint.bold("classes") + '\n' + table.text();
}

std::string evaluation_text(const Model& model, const Metrics& m, const Paint& paint) {
  std::string text = metrics_text(m);
  if (model.classes.size() <= widest_confusion)
    text += '\n' + confusion_text(model, m, paint);
  else
    text += fmt::format("\n{} classes{}\n", grouped(static_cast<Index>(model.classes.size())),
                        m.confusion.empty() ? ", too many for a confusion matrix and the AUC"
                                            : "; --json has the confusion matrix");
  return text + '\n' + per_class_text(model, m, paint) + calibration_text(model, m, paint);
}

std::string evaluation_text(const RegressionMetrics& m) {
  TextTable table({Align::left, Align::right});
  table.row({"RMSE", rounded(m.rmse, 6)});
  table.row({"mean absolute error", rounded(m.mae, 6)});
  table.row({"R2", rounded(m.r2, 6)});
  return table.text();
}

// The numbers of a side column; one that is missing is an Error with its line.
const std::vector<double>& numbers_of(const Table& table, const std::string& name) {
  const SideColumn* column = table.find_side(name);
  if (column == nullptr) throw Error(Code::data, "the data have no such column", {table.file, 0, name});
  if (column->noticed.missing > 0)
    throw Error(Code::data, "the cell is empty", {table.file, column->noticed.first_missing_line, name});
  return column->values;
}

std::vector<double> weights_of(const Table& table, const std::string& name) {
  if (name.empty()) return {};
  const std::vector<double>& weights = numbers_of(table, name);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] >= 0))
      throw Error(Code::data,
                  fmt::format("row {}: found the sample weight {}, expected 0 or more", i + 1, weights[i]),
                  {table.file, 0, name});
    sum += weights[i];
  }
  if (!(sum > 0)) throw Error(Code::data, "all sample weights are zero", {table.file, 0, name});
  return weights;
}

// Rows of weight 0 are left out before anything is asked of them, as in a fit.
Table weighted_rows(Table table, std::vector<double>& weights) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(static_cast<Index>(i));
  if (rows.size() == weights.size()) return table;
  weights.erase(std::remove(weights.begin(), weights.end(), 0.0), weights.end());
  return select_rows(table, rows);
}

int run_evaluate(const Arguments& arguments, Console& console) {
  const Stopwatch time;
  const std::string truth = arguments.text("truth");
  const std::string page = report_path(arguments, arguments.positional(1));
  const FittedModel fitted = load_for(arguments);
  const Model& model = fitted.model();
  const bool classification = model.task == Task::classification;
  if (!classification && !truth.empty())
    throw Error(Code::usage, "--truth: a regression has no classes to know the truth about");
  const std::string weight = arguments.text("sample-weight");
  // The model names the target, so data without it are at fault, not the command line.
  std::vector<SideRequest> side{{model.target, classification, false}};
  check_weight(model, weight);
  if (!weight.empty()) side.push_back({weight, false, true});
  PreparedTable prepared;
  prepared.table = read_for(model, arguments, console, side);
  Table& read = prepared.table;
  prepared.unlabelled = leave_out_unlabelled(read, model.target);
  std::vector<double> weights = weights_of(read, weight);
  const Table table = weighted_rows(read, weights);
  console.say(notes_text(prepared, console.err()));
  const std::vector<std::int32_t> labels =
      classification ? labels_of(model, table) : std::vector<std::int32_t>();
  JudgedTable judged;
  if (classification)
    judged = judge_with(model, table, labels, weights, arguments, console);
  else
    judged.said = predict_with(model, table, arguments, console);
  const Prediction& said = judged.said;
  console.say(console.err().dim(fmt::format("{}: {} judged  {}\n", name_of_input(arguments.positional(1)),
                                            counted(table.rows(), "row"), duration(time.seconds()))));
  if (classification) {
    const Metrics& metrics = judged.metrics;
    std::optional<TruthReport> report;
    if (!truth.empty()) report = beside_truth(truth, model, table, said, labels, weights, arguments.seed());
    console.print(console.json() ? with_notes(evaluation_json(model, metrics, report), prepared)
                                 : evaluation_text(model, metrics, console.out()) +
                                       (report ? '\n' + truth_text(*report, console.out()) : ""));
  } else {
    const RegressionMetrics metrics = judge(said, numbers_of(table, model.target), weights);
    console.print(console.json() ? with_notes(evaluation_json(metrics), prepared) : evaluation_text(metrics));
    judged.regression = metrics;
  }
  if (!page.empty()) {
    const std::vector<double> targets =
        classification ? std::vector<double>() : numbers_of(table, model.target);
    write_report(report::evaluation_page({model, table, said, labels, targets, weights, judged.metrics,
                                          judged.regression, name_of_input(arguments.positional(1))}),
                 page, console);
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  return {
      .name = "evaluate",
      .usage = "MODEL DATA [options]",
      .summary = "how good a model is on labelled data",
      .description =
          "Applies the model to DATA, which must have the target column, and compares. A label that "
          "training did not "
          "have is an error.",
      .positionals = {{.name = "MODEL", .help = "a model file that fit wrote"},
                      {.name = "DATA", .help = "the labelled table: a file, or - for standard input"}},
      .flags = join(
          {{sample_weight_flag(),
            {.name = "truth",
             .metavar = "FILE.json",
             .help = "the density of generated data: the error of the Bayes classifier beside the model's",
             .group = "data",
             .file = true}},
           {report_flag()},
           policy_flags(),
           reading_flags(),
           common_flags()}),
      .examples = {{"discern evaluate income.model test.csv", "Accuracy, confusion matrix and more"},
                   {"discern evaluate income.model test.csv --json", "The same for a program"},
                   {"discern evaluate tumour.model test.csv --cost malignant:benign=20 --reject 0.2",
                    "What its decisions cost when a missed tumour costs twenty times a false alarm"},
                   {"discern evaluate m.model data.csv --truth truth.json",
                    "How far it is from the best that any classifier can do"}},
      .run = run_evaluate};
}

}  // namespace discern::cli
