#include "cli/commands/inspect_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cli/flags/files.hpp"
#include "cli/flags/reading.hpp"
#include "cli/flags/saying.hpp"
#include "cli/report/notes.hpp"
#include "cli/report/prediction_csv.hpp"
#include "cli/text/text.hpp"
#include "discern/base/error.hpp"
#include "discern/io/file/file.hpp"
#include "discern/stats/distributions.hpp"

namespace discern::cli {
namespace {

// The rows that lie nearest to the planes, those on the wrong side first.
std::string distances_text(const Model& model, const std::vector<RowDistance>& distances, Index limit,
                           const Paint& paint) {
  Index wrong = 0;
  for (const RowDistance& one : distances) wrong += one.distance < 0 ? 1 : 0;
  std::string text = paint.bold("margins") +
                     fmt::format(": {} on the wrong side; the rows nearest to a plane, by signed distance\n",
                                 counted(wrong, "row"));
  TextTable table({Align::right, Align::right, Align::left}, 2);
  table.row({"row", "distance", "class"});
  for (const RowDistance& one : distances) {
    if (limit-- == 0) break;
    table.row({fmt::format("{}", one.row + 1), rounded(one.distance, 6),
               shown(model.classes[static_cast<std::size_t>(one.label)])});
  }
  return text + table.text();
}

std::vector<RowDistance> distances_of(const Model& model, const Table& table, Console& console) {
  const auto geometry = geometry_of(model);
  const std::vector<std::int32_t> labels = labels_of(model, table);
  const Prediction said = predict(model, table, {.ignore_unseen = true, .monitor = console.monitor()});
  tell_policies(said, console);
  distances(model, said.scores);  // refuses scores that are not those of the planes
  std::vector<RowDistance> found = row_distances(model, *geometry, said.scores, labels);
  for (RowDistance& one : found) one.row = table.row_number(one.row);
  return found;
}

// Rows without a distance, as those of leverage 1, before all others.
std::vector<Index> by_cook(const Influence& of) {
  std::vector<Index> order(static_cast<std::size_t>(of.cook.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto size = [&](Index i) {
    return std::isnan(of.cook[i]) ? std::numeric_limits<double>::infinity() : of.cook[i];
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return size(a) > size(b); });
  return order;
}

// A number, or nothing where there is none.
std::string cell(double value) { return std::isnan(value) ? "-" : rounded(value, 5); }

// Above it |DFFITS| is marked; NaN where there is none.
double dffits_limit(const Influence& of) { return 3 * std::sqrt(of.parameters / of.freedom()); }

// What the numbers lack, and why.
std::string absence_text(const Influence& of) {
  if (of.exact)
    return "  the fit is exact: its residuals are rounding, and there is no dispersion to compare them "
           "with\n";
  if (std::isnan(of.freedom(1)))
    return "  n - p is not above 1: there is no dispersion without a row, and nothing that is divided by "
           "it\n";
  return "";
}

std::string influence_text(const Model& model, const RowReport& report, Index limit, const Paint& paint) {
  const RowInfluence& rows = *report.influence;
  const Influence& of = rows.of;
  const bool likelihood = model.name == "logistic";
  Index marked = 0;
  for (const Index i : report.order) marked += influence_marks(of, i).empty() ? 0 : 1;
  std::string text = paint.bold("influence") +
                     fmt::format(": {} of {} marked; the largest Cook's distances first\n", grouped(marked),
                                 counted(static_cast<Index>(report.order.size()), "row"));
  TextTable table({Align::right, Align::left, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::left},
                  2);
  table.row({"row", shown(model.target, 16), likelihood ? "Pearson" : "residual", "standardised",
             "studentised", "leverage", "DFFITS", "Cook's D", ""});
  for (const Index i : report.order) {
    if (limit-- == 0) break;
    table.row({fmt::format("{}", rows.rows[static_cast<std::size_t>(i)] + 1),
               shown(truth_text(model, rows, i), 16), cell(of.pearson[i]), cell(of.standardized[i]),
               cell(of.studentized[i]), cell(of.leverage[i]), cell(of.dffits[i]), cell(of.cook[i]),
               influence_marks(of, i)});
  }
  text += table.text();
  return text +
         fmt::format(
             "  h leverage above 3 p/n = {}, f |DFFITS| above 3 sqrt(p/(n - p)) = {}, c Cook's D above "
             "the median of F(p, n - p); p = {}, n = {}\n",
             rounded(3 * of.parameters / of.samples), cell(dffits_limit(of)), rounded(of.parameters, 6),
             rounded(of.samples, 8)) +
         absence_text(of);
}

// All rows, in the order of the table.
void write_influence(const Model& model, const RowInfluence& rows, const std::string& path) {
  const Influence& of = rows.of;
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out),
                 "row,{},pearson,deviance,standardized,studentized,leverage,dffits,cook\n",
                 csv_cell(model.target));
  for (Index i = 0; i < of.cook.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "{},{}", rows.rows[static_cast<std::size_t>(i)] + 1,
                   csv_cell(truth_text(model, rows, i)));
    for (const Vector* column :
         {&of.pearson, &of.deviance, &of.standardized, &of.studentized, &of.leverage, &of.dffits, &of.cook})
      if (std::isnan((*column)[i]))
        out.push_back(',');
      else
        fmt::format_to(std::back_inserter(out), ",{}", (*column)[i]);
    out.push_back('\n');
  }
  FileWriter writer(path);
  writer.write({out.data(), out.size()});
  writer.commit();
}

void check(const Model& model, const Arguments& arguments) {
  const bool influence = arguments.has("influence") || arguments.has("influence-csv");
  if (influence && !arguments.has("data"))
    throw Error(Code::usage, "--influence needs --data FILE, the rows that the model was fitted on");
  if (arguments.has("sample-weight") && !influence)
    throw Error(Code::usage, "--sample-weight is for --influence");
  if (influence) return check_influence(model);
  if (!geometry_of(model) || model.task != Task::classification)
    throw Error(Code::usage, fmt::format("--data: the model {} is no linear classifier", model.name));
}

}  // namespace

std::vector<Flag> row_flags() {
  return {{.name = "data",
           .metavar = "FILE",
           .help = "a labelled table: which of its rows lie nearest to the planes",
           .group = "data",
           .file = true},
          {.name = "influence",
           .help = "of --data, the rows of the fit: residuals, leverage, Cook's distance, the largest first "
                   "[least-squares, logistic]",
           .group = "data"},
          {.name = "influence-csv",
           .metavar = "FILE",
           .help = "write the influence of all rows to this file",
           .group = "output",
           .file = true},
          sample_weight_flag()};
}

RowReport rows_of(const Model& model, const Arguments& arguments, Console& console) {
  RowReport report;
  if (!arguments.has("data") && !arguments.has("influence") && !arguments.has("influence-csv") &&
      !arguments.has("sample-weight"))
    return report;
  check(model, arguments);
  const std::string path = arguments.text("data"), weight = arguments.text("sample-weight"),
                    output = arguments.text("influence-csv");
  if (!output.empty()) {
    check_different(path, output);
    check_different(arguments.positional(0), output);
    check_writable(output);
  }
  check_weight(model, weight);
  ReadOptions options = read_options(arguments, console);
  options.expected = &model.pipeline.input();
  options.side = {{model.target, model.task == Task::classification, false}};
  if (!weight.empty()) options.side.push_back({weight, false, true});
  Table table = read_table(path, options);
  if (leave_out_unlabelled(table, model.target) > 0) console.say(notes_text(table.notes, console.err()));
  if (!arguments.has("influence") && output.empty()) {
    report.distances = distances_of(model, table, console);
    return report;
  }
  report.influence = row_influence(model, table, weight, console.monitor());
  report.order = by_cook(report.influence->of);
  if (!output.empty()) write_influence(model, *report.influence, output);
  return report;
}

std::string influence_marks(const Influence& of, Index row) {
  const double p = of.parameters, freedom = of.freedom();
  std::string marks;
  if (of.leverage[row] > 3 * p / of.samples) marks += 'h';
  if (std::fabs(of.dffits[row]) > dffits_limit(of)) marks += 'f';
  if (!std::isnan(freedom) && !std::isnan(of.cook[row]) && f_above(of.cook[row], p, freedom) < 0.5)
    marks += 'c';
  return marks;
}

std::string truth_text(const Model& model, const RowInfluence& influence, Index row) {
  const auto i = static_cast<std::size_t>(row);
  return influence.labels.empty() ? fmt::format("{}", influence.targets[i])
                                  : model.classes[static_cast<std::size_t>(influence.labels[i])];
}

std::string rows_text(const Model& model, const RowReport& report, Index limit, const Paint& paint) {
  if (report.influence) return influence_text(model, report, limit, paint);
  return report.distances.empty() ? "" : distances_text(model, report.distances, limit, paint);
}

}  // namespace discern::cli
