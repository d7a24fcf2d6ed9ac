#include "cli/report/describe_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text/flag_names.hpp"
#include "cli/text/json_value.hpp"
#include "cli/text/text.hpp"
#include "discern/base/join.hpp"

namespace discern::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t histogram_width = 12, bar_width = 24;
constexpr std::size_t widest_name = 28, widest_level = 20;
constexpr std::size_t most_classes_shown = 20, most_levels_shown = 3, most_strongest = 5;

// Whole numbers in full, others with six digits.
std::string value_text(double value) {
  return value == std::floor(value) && std::fabs(value) < 1e12
             ? fmt::format("{:.0f}", value == 0 ? 0.0 : value)
             : rounded(value, 6);
}

std::string missing_text(Index missing, Index rows) {
  if (missing == 0) return "0";
  return fmt::format("{} ({})", grouped(missing),
                     percent(static_cast<double>(missing) / static_cast<double>(rows)));
}

std::string_view short_name(Association measure) {
  switch (measure) {
    case Association::auc:
      return "AUC";
    case Association::eta_squared:
      return "eta2";
    case Association::cramers_v:
      return "V";
    case Association::pearson:
      return "r";
  }
  return "";
}

std::string measure_sentence(Association measure, bool text, const DescribedTarget& target) {
  switch (measure) {
    case Association::auc:
      return fmt::format(
          "AUC: the probability that a row of {} has the larger value, ties half; 0.5 says nothing",
          shown(target.classes[static_cast<std::size_t>(target.positive)].name));
    case Association::eta_squared:
      return fmt::format(
          "eta2: the share of the variance {} that lies between the {}, adjusted for their number",
          text ? "of the target" : "of the column", text ? "levels" : "classes");
    case Association::cramers_v:
      return "V: Cramer's V with Bergsma's correction, from 0 (nothing) to 1";
    case Association::pearson:
      return "r: Pearson's correlation";
  }
  return "";
}

std::optional<Association> measure_of(const TableDescription& all, const DescribedColumn& column) {
  return column.text ? all.measure_of_texts : all.measure_of_numbers;
}

std::string kind_text(const DescribedColumn& column) {
  if (column.empty()) return "empty";
  if (column.constant()) return "constant";
  if (column.text) return "text";
  const NumberSummary& numbers = *column.numbers;
  if (column.distinct == 2 && numbers.min == 0 && numbers.max == 1) return "0/1";
  return numbers.whole ? "whole" : "number";
}

std::string bar_text(double share) {
  const auto blocks = static_cast<std::size_t>(std::lround(share * static_cast<double>(bar_width)));
  std::string text;
  for (std::size_t i = 0; i < std::max<std::size_t>(blocks, share > 0 ? 1 : 0); ++i) text += "\u2588";
  return text;
}

std::string class_lines(const DescribedTarget& target, Index rows, const Paint& paint) {
  std::string text = fmt::format("{}  {}", paint.bold("target"), shown(target.name));
  const auto classes = static_cast<Index>(target.classes.size());
  text += fmt::format(", {}", classes == 1 ? "1 class" : grouped(classes) + " classes");
  if (target.missing > 0) text += fmt::format(", {} missing", missing_text(target.missing, rows));
  const Index known = rows - target.missing;
  Index most = 1;
  for (const LevelCount& one : target.classes) most = std::max(most, one.rows);
  TextTable table({Align::left, Align::right, Align::right, Align::left, Align::left}, 2);
  for (std::size_t k = 0; k < std::min(target.classes.size(), most_classes_shown); ++k) {
    const LevelCount& one = target.classes[k];
    const bool positive = target.classes.size() == 2 && static_cast<std::size_t>(target.positive) == k;
    table.row({shown(one.name), grouped(one.rows),
               percent(static_cast<double>(one.rows) / static_cast<double>(std::max<Index>(known, 1))),
               bar_text(static_cast<double>(one.rows) / static_cast<double>(most)),
               positive ? "positive" : ""});
  }
  text += '\n' + table.text();
  if (target.classes.size() > most_classes_shown)
    text +=
        fmt::format("  and {} more classes; --json has all\n", target.classes.size() - most_classes_shown);
  return text;
}

std::vector<std::string> number_cells(const DescribedColumn& column, Index rows) {
  std::vector<std::string> cells{shown(column.name, widest_name), kind_text(column),
                                 missing_text(column.missing, rows), grouped(column.distinct)};
  if (column.numbers) {
    const NumberSummary& n = *column.numbers;
    for (const double value : {n.min, n.q1, n.median, n.q3, n.max}) cells.push_back(value_text(value));
    cells.push_back(block_histogram(n.histogram.counts, histogram_width));
  } else {
    cells.resize(cells.size() + 6);
  }
  return cells;
}

std::string level_text(const DescribedColumn& column, Index rows) {
  std::vector<std::string> texts;
  const auto known = static_cast<double>(std::max<Index>(rows - column.missing, 1));
  for (std::size_t k = 0; k < std::min(column.levels.size(), most_levels_shown); ++k)
    texts.push_back(fmt::format("{} {}", shown(column.levels[k].name, widest_level),
                                percent(static_cast<double>(column.levels[k].rows) / known)));
  return discern::join(texts, ", ") + (column.distinct > static_cast<Index>(texts.size()) ? ", ..." : "");
}

std::vector<std::string> text_cells(const DescribedColumn& column, Index rows) {
  std::vector<Index> counts;
  for (const LevelCount& level : column.levels) counts.push_back(level.rows);
  return {shown(column.name, widest_name),          kind_text(column),
          missing_text(column.missing, rows),       grouped(column.distinct),
          block_histogram(counts, histogram_width), level_text(column, rows)};
}

// The columns of numbers, or those of text; empty when there are none.
std::string columns_table(const TableDescription& all, bool text, const Paint& paint) {
  const auto measure = text ? all.measure_of_texts : all.measure_of_numbers;
  std::vector<std::string> head =
      text ? std::vector<std::string>{"texts", "", "missing", "distinct", "levels", "most frequent"}
           : std::vector<std::string>{"numbers", "",       "missing", "distinct", "min",
                                      "q1",      "median", "q3",      "max",      "histogram"};
  std::vector<Align> aligns(head.size(), Align::right);
  aligns[0] = aligns[1] = aligns.back() = Align::left;
  if (text) aligns[4] = Align::left;
  if (measure) {
    // Before what may be long.
    const std::ptrdiff_t place = text ? 4 : static_cast<std::ptrdiff_t>(head.size());
    head.insert(head.begin() + place, std::string(short_name(*measure)));
    aligns.insert(aligns.begin() + place, Align::right);
  }
  TextTable table(aligns);
  table.row(head);
  bool any = false;
  for (const DescribedColumn& column : all.described) {
    if (column.text != text) continue;
    any = true;
    std::vector<std::string> cells = text ? text_cells(column, all.rows) : number_cells(column, all.rows);
    if (measure)
      cells.insert(cells.begin() + (text ? 4 : static_cast<std::ptrdiff_t>(cells.size())),
                   column.association ? fmt::format("{:.3f}", *column.association) : "-");
    table.row(std::move(cells));
  }
  if (!any) return "";
  std::string lines = table.text();
  const std::size_t end = lines.find('\n');
  return '\n' + paint.bold(lines.substr(0, end)) + lines.substr(end);
}

// "Sex V 0.540, Pclass AUC 0.338": the columns that say most of the target on their own.
std::string strongest_text(const TableDescription& all) {
  std::vector<const DescribedColumn*> order;
  for (const DescribedColumn& column : all.described)
    if (column.association) order.push_back(&column);
  const auto weight = [&](const DescribedColumn* column) {
    return strength(*measure_of(all, *column), *column->association);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
  if (order.size() < 2) return "";
  order.resize(std::min(order.size(), most_strongest));
  std::vector<std::string> texts;
  for (const DescribedColumn* column : order)
    texts.push_back(fmt::format("{} ({} {:.3f})", shown(column->name, widest_name),
                                short_name(*measure_of(all, *column)), *column->association));
  return discern::join(texts, ", ");
}

std::string labelled(const Paint& paint, std::string_view label, std::string_view text) {
  return fmt::format("{}  {}\n", paint.bold(label), wrap(text, 110, label.size() + 2));
}

std::string target_lines(const TableDescription& all, const Paint& paint) {
  if (!all.target) return "";
  if (all.target->task == Task::classification) return class_lines(*all.target, all.rows, paint);
  TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right, Align::right, Align::left});
  table.row({"target", "", "missing", "distinct", "min", "q1", "median", "q3", "max", "histogram"});
  table.row(number_cells(all.target->numbers, all.rows));
  const std::string lines = table.text();
  const std::size_t end = lines.find('\n');
  return paint.bold(lines.substr(0, end)) + lines.substr(end);
}

std::string association_lines(const TableDescription& all, const Paint& paint) {
  if (!all.target) return "";
  std::string text;
  if (const std::string strongest = strongest_text(all); !strongest.empty())
    text += labelled(paint, "strongest", strongest);
  bool number = false, words = false;
  for (const DescribedColumn& column : all.described) (column.text ? words : number) = true;
  if (number && all.measure_of_numbers)
    text += paint.dim(measure_sentence(*all.measure_of_numbers, false, *all.target)) + '\n';
  if (words && all.measure_of_texts)
    text += paint.dim(measure_sentence(*all.measure_of_texts, true, *all.target)) + '\n';
  return text.empty() ? "" : '\n' + text;
}

std::string sparse_lines(const TableDescription& all, const Paint& paint) {
  if (!all.sparse) return "";
  const SparseSummary& s = *all.sparse;
  const double cells = static_cast<double>(all.rows) * static_cast<double>(all.columns);
  return '\n' +
         labelled(
             paint, "sparse",
             fmt::format("{} stored ({} of the cells), {} to {} in a row, half of the rows have {} or more; "
                         "{} without any",
                         counted(s.entries, "value"),
                         percent(static_cast<double>(s.entries) / std::max(cells, 1.0)), grouped(s.least),
                         grouped(s.most), grouped(s.median), counted(s.empty_columns, "column")));
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void add_numbers(const NumberSummary& n, Json& object) {
  object["whole"] = n.whole;
  object["min"] = n.min;
  object["q1"] = finite(n.q1);
  object["median"] = finite(n.median);
  object["q3"] = finite(n.q3);
  object["max"] = n.max;
  object["mean"] = finite(n.mean);
  object["sd"] = finite(n.deviation);
  object["zeros"] = n.zeros;
  object["histogram"] = {
      {"low", n.histogram.low}, {"high", n.histogram.high}, {"counts", n.histogram.counts}};
}

Json column_of(const DescribedColumn& column, bool associated) {
  Json object{{"name", column.name}, {"type", column.text ? "text" : "number"}};
  object["missing"] = column.missing;
  object["distinct"] = column.distinct;
  if (column.numbers) add_numbers(*column.numbers, object);
  if (column.text) {
    object["levels"] = Json::array();
    for (const LevelCount& level : column.levels)
      object["levels"].push_back({{"level", level.name}, {"rows", level.rows}});
  }
  if (associated) object["association"] = nullable(column.association);
  return object;
}

Json target_of(const DescribedTarget& target) {
  const bool regression = target.task == Task::regression;
  Json object = regression ? column_of(target.numbers, false) : Json{{"name", target.name}};
  object["task"] = regression ? "regression" : "classification";
  object["missing"] = target.missing;
  if (regression) return object;
  object["classes"] = Json::array();
  for (const LevelCount& one : target.classes)
    object["classes"].push_back({{"class", one.name}, {"rows", one.rows}});
  object["positive"] = target.classes.size() == 2
                           ? Json(target.classes[static_cast<std::size_t>(target.positive)].name)
                           : Json(nullptr);
  return object;
}

}  // namespace

std::string note_text(const Note& note) {
  return note.column.empty() ? with_flags(note.text) : shown(note.column) + ": " + with_flags(note.text);
}

std::string block_histogram(const std::vector<Index>& counts, std::size_t width) {
  static constexpr const char* blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                           "\u2585", "\u2586", "\u2587", "\u2588"};
  const std::size_t together = (counts.size() + width - 1) / std::max<std::size_t>(width, 1);
  std::vector<Index> merged;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (k % together == 0) merged.push_back(0);
    merged.back() += counts[k];
  }
  Index most = 0;
  for (const Index count : merged) most = std::max(most, count);
  std::string text;
  for (const Index count : merged)
    text += blocks[count == 0 ? 0
                              : 1 + static_cast<std::size_t>(std::lround(7.0 * static_cast<double>(count) /
                                                                         static_cast<double>(most)))];
  return text;
}

std::string description_text(const TableDescription& all, const Paint& paint) {
  std::string text =
      target_lines(all, paint) + columns_table(all, false, paint) + columns_table(all, true, paint);
  if (all.left_out() > 0)
    text += fmt::format("and {} more columns; --all describes every one\n", grouped(all.left_out()));
  text += sparse_lines(all, paint) + association_lines(all, paint);
  if (!all.notes.empty()) text += '\n' + paint.bold("notes") + '\n';
  for (const Note& note : all.notes) text += "  " + wrap(note_text(note), 110, 4) + '\n';
  if (text.starts_with('\n')) text.erase(0, 1);
  return text;
}

std::string description_json(const TableDescription& all, double seconds) {
  Json object{{"n_samples", all.rows},  {"n_features", all.columns}, {"text_features", all.texts},
              {"missing", all.missing}, {"target", nullptr},         {"measures", nullptr}};
  if (all.target) {
    object["target"] = target_of(*all.target);
    object["measures"] = {{"numbers", name_of(*all.measure_of_numbers)},
                          {"texts", name_of(*all.measure_of_texts)}};
  }
  object["columns"] = Json::array();
  for (const DescribedColumn& column : all.described)
    object["columns"].push_back(column_of(column, all.target.has_value()));
  object["left_out"] = all.left_out();
  object["sparse"] = nullptr;
  if (all.sparse)
    object["sparse"] = {
        {"entries", all.sparse->entries},
        {"row_entries",
         {{"min", all.sparse->least}, {"median", all.sparse->median}, {"max", all.sparse->most}}},
        {"empty_columns", all.sparse->empty_columns}};
  object["notes"] = Json::array();
  for (const Note& note : all.notes)
    object["notes"].push_back({{"column", note.column.empty() ? Json(nullptr) : Json(note.column)},
                               {"text", with_flags(note.text)}});
  object["seconds"] = seconds;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace discern::cli
