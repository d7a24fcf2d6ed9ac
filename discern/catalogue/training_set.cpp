#include "discern/catalogue/training_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/catalogue/positive_class.hpp"
#include "discern/catalogue/prepared_table.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/number/written_number.hpp"

namespace discern {
namespace {

const SideColumn& required_side(const Table& table, const std::string& name) {
  const SideColumn* column = table.find_side(name);
  if (column == nullptr) throw Error(Code::data, "the data have no such column", {table.file, 0, name});
  return *column;
}

std::vector<double> sample_weights(const Table& table, const std::string& name) {
  if (name.empty()) return {};
  const SideColumn& column = required_side(table, name);
  if (column.noticed.missing > 0)
    throw Error(Code::data, "found no sample weight, expected a number",
                {table.file, column.noticed.first_missing_line, name});
  double sum = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    if (!(column.values[i] >= 0))
      throw Error(
          Code::data,
          fmt::format("row {}: found the sample weight {}, expected 0 or more", i + 1, column.values[i]),
          {table.file, 0, name});
    sum += column.values[i];
  }
  if (!(sum > 0)) throw Error(Code::data, "all sample weights are zero", {table.file, 0, name});
  return column.values;
}

}  // namespace

std::vector<std::int32_t> class_of_level(const SideColumn& column, std::vector<std::string>& classes) {
  std::vector<std::int32_t> result;
  std::vector<std::size_t> representative;
  const bool numbers = std::all_of(column.levels.begin(), column.levels.end(),
                                   [](const std::string& level) { return number_of(level).has_value(); });
  const auto line = [&](std::size_t k) {
    return k < column.noticed.level_line.size() ? column.noticed.level_line[k] : 0;
  };
  for (std::size_t k = 0; k < column.levels.size(); ++k) {
    // Beyond 2^53 different whole numbers may share a double.
    const bool same = numbers && k > 0 && number_of(column.levels[k]) == number_of(column.levels[k - 1]) &&
                      std::fabs(*number_of(column.levels[k])) < 0x1p53;
    if (!same)
      representative.push_back(k);
    else if (line(k) < line(representative.back()))
      representative.back() = k;
    result.push_back(static_cast<std::int32_t>(representative.size() - 1));
  }
  for (const std::size_t k : representative) classes.push_back(column.levels[k]);
  return result;
}

namespace {

// A factor for each class from "balanced" (total weight / (classes x weight of the class)) or
// "label=weight,...".
std::vector<double> class_factors(const std::string& text, const TrainingSet& set) {
  std::vector<double> factors(set.classes.size(), 1.0);
  if (text == "balanced") {
    std::vector<double> share(set.classes.size());
    double total = 0;
    for (std::size_t i = 0; i < set.labels.size(); ++i) {
      const double weight = set.targets.weights.empty() ? 1.0 : set.targets.weights[i];
      share[static_cast<std::size_t>(set.labels[i])] += weight;
      total += weight;
    }
    for (std::size_t k = 0; k < factors.size(); ++k)
      factors[k] = total / (static_cast<double>(factors.size()) * share[k]);
    return factors;
  }
  for (const auto& [label, weight] : parse_class_weights(text, set.classes)) {
    const auto found = std::find(set.classes.begin(), set.classes.end(), label);
    if (found == set.classes.end()) refuse_class_weight(fmt::format("{}={}", label, weight), set.classes);
    factors[static_cast<std::size_t>(found - set.classes.begin())] = weight;
  }
  return factors;
}

// Among labels that are numbers one that only looks like one ("nan", "1e400") is a fault of the data; among
// texts it is a text.
void check_numeric_labels(const Table& table, const SideColumn& column) {
  std::optional<std::size_t> odd;
  for (std::size_t k = 0; k < column.levels.size(); ++k) {
    if (number_of(column.levels[k])) continue;
    if (!is_unusable_number(column.levels[k])) return;
    if (!odd) odd = k;
  }
  if (!odd) return;
  const auto& lines = column.noticed.level_line;
  throw Error(Code::data,
              fmt::format("found the label {} among numbers, expected a number",
                          quoted_for_message(column.levels[*odd])),
              {table.file, *odd < lines.size() ? lines[*odd] : 0, column.name});
}

// The classes of the rows.
void find_classes(TrainingSet& set, const FitSettings& settings) {
  const SideColumn& column = required_side(set.table, settings.target);
  check_numeric_labels(set.table, column);
  const auto code = class_of_level(column, set.classes);
  if (set.classes.size() < 2)
    throw Error(Code::data,
                fmt::format("all rows have the label '{}', expected at least two classes",
                            set.classes.empty() ? "" : set.classes[0]),
                {set.table.file, 0, settings.target});
  for (const double value : column.values) set.labels.push_back(code[static_cast<std::size_t>(value)]);
}

void set_labels(TrainingSet& set, const FitSettings& settings) {
  if (settings.before == nullptr) {
    find_classes(set, settings);
  } else {
    set.classes = settings.before->classes;
    set.labels = labels_of(*settings.before, set.table);
  }
  set.positive = positive_class(set.classes, settings.positive, settings.positive_by_name);
  set.targets.labels = set.labels;
  if (set.classes.size() == 2 && set.positive == 0)
    for (auto& label : set.targets.labels) label = 1 - label;
  if (settings.class_weight.empty()) return;
  if (settings.before != nullptr && settings.class_weight == "balanced")
    throw Error(
        Code::usage,
        "`class_weight` balanced needs all rows at once; `continue` takes weights as LABEL=WEIGHT,...");
  const auto factors = class_factors(settings.class_weight, set);
  if (set.targets.weights.empty()) set.targets.weights.assign(set.labels.size(), 1.0);
  for (std::size_t i = 0; i < set.labels.size(); ++i)
    set.targets.weights[i] *= factors[static_cast<std::size_t>(set.labels[i])];
}

// Their squares must be numbers, too.
void check_targets(const Table& table, const SideColumn& target) {
  for (std::size_t i = 0; i < target.values.size(); ++i)
    if (!(std::fabs(target.values[i]) < 1e150))
      throw Error(Code::data,
                  fmt::format("found the target {}, expected less than 1e150: its square leaves the range of "
                              "double precision; use another unit",
                              target.values[i]),
                  {table.file, 0, target.name});
}

}  // namespace

void refuse_class_weight(const std::string& item, const std::vector<std::string>& classes) {
  throw Error(
      Code::usage,
      fmt::format("`class_weight`: expected balanced or LABEL=WEIGHT,... with {}weights above 0, got '{}'",
                  classes.empty() ? "" : fmt::format("labels {} and ", join(classes, ", ")), item));
}

std::vector<std::pair<std::string, double>> parse_class_weights(const std::string& text,
                                                                const std::vector<std::string>& classes) {
  std::vector<std::pair<std::string, double>> weights;
  if (text.empty()) return weights;
  for (const std::string& item : split_list(text)) {
    const auto equals = item.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : number_of(std::string_view(item).substr(equals + 1));
    if (!weight || !(*weight > 0)) refuse_class_weight(item, classes);
    weights.emplace_back(item.substr(0, equals), *weight);
  }
  return weights;
}

TrainingSet training_set(const Table& given, const FitSettings& settings) {
  TrainingSet set;
  required_side(given, settings.target);
  PreparedTable prepared = prepare_table(given, settings);
  Table& table = prepared.table;
  set.rows = std::move(prepared.rows);
  set.leaks = std::move(prepared.leaks);
  const std::vector<double> weights = sample_weights(table, settings.sample_weight);
  std::vector<Index> rows;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) rows.push_back(static_cast<Index>(i));
  if (!weights.empty() && rows.size() < weights.size()) {
    set.dropped = static_cast<Index>(weights.size() - rows.size());
    set.table = select_rows(table, rows);
    if (set.table.row_numbers.empty()) set.table.row_numbers = rows;
    for (const Index i : rows) set.targets.weights.push_back(weights[static_cast<std::size_t>(i)]);
    for (Index& i : rows)
      if (!set.rows.empty()) i = set.rows[static_cast<std::size_t>(i)];
    set.rows = std::move(rows);
  } else {
    set.table = std::move(table);
    set.targets.weights = weights;
  }
  const SideColumn& target = required_side(set.table, settings.target);
  if (target.noticed.missing > 0)
    throw Error(Code::data,
                fmt::format("found no {}, expected one in every row",
                            settings.task == Task::regression ? "target" : "label"),
                {set.table.file, target.noticed.first_missing_line, settings.target});
  if (settings.task == Task::classification) {
    set_labels(set, settings);
  } else {
    check_targets(set.table, target);
    set.targets.values = target.values;
  }
  double total = 0;
  for (const double weight : set.targets.weights) total += weight;
  if (!(total < 1e150))
    throw Error(Code::data, fmt::format("the weights add up to {:.1g}, expected less than 1e150", total),
                {set.table.file, 0, settings.sample_weight});
  return set;
}

}  // namespace discern
