#include "discern/api/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/catalogue/target_sizes.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

Schema names_of(const MatrixView& x, const std::vector<std::string>& names) {
  if (names.empty()) return Schema::numbered(x.cols());
  if (static_cast<Index>(names.size()) != x.cols())
    throw Error(Code::usage, fmt::format("`feature_names`: found {} names, expected {}, one per column",
                                         names.size(), x.cols()));
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name, false, {}});
  return Schema(std::move(columns));
}

void check_count(std::string_view what, Index found, Index rows) {
  if (found != rows)
    throw Error(Code::usage, fmt::format("found {} {}, expected {}, one per row", found, what, rows));
}

void add_weights(Table& table, const FitOptions& options) {
  if (options.sample_weight.empty()) return;
  if (!options.weight_column.empty())
    throw Error(Code::usage, "`sample_weight` and `weight_column` exclude each other");
  check_count("sample weights", static_cast<Index>(options.sample_weight.size()), table.rows());
  table.side.push_back({weight_name, false, {}, options.sample_weight, {}});
}

Table table_of(const MatrixView& x, const FitOptions& options) {
  if (!options.weight_column.empty())
    throw Error(Code::usage, "`weight_column` is for frames; with a matrix `sample_weight` has the weights");
  Table table;
  table.schema = names_of(x, options.feature_names);
  table.x = features_of(x, table.schema, options.impute || options.drop_missing ? &table.noticed : nullptr);
  add_weights(table, options);
  return table;
}

}  // namespace

bool imputes(const Pipeline& pipeline) {
  const auto& steps = pipeline.steps();
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step& step) { return std::holds_alternative<Impute>(step); });
}

void add_side(Table& table, const std::string& name, const Labels& labels) {
  const auto& indices = labels.indices();
  SideColumn column{name, true, labels.names(), {indices.begin(), indices.end()}, {}};
  column.noticed.level_line.assign(labels.names().size(), 0);
  for (std::size_t i = indices.size(); i-- > 0;)
    column.noticed.level_line[static_cast<std::size_t>(indices[i])] = static_cast<Index>(i) + 1;
  table.side.push_back(std::move(column));
}

Table training_table(const MatrixView& x, const Labels& y, const FitOptions& options) {
  check_count("labels", y.size(), x.rows());
  Table table = table_of(x, options);
  add_side(table, target_name, y);
  return table;
}

Table training_table(const MatrixView& x, const Numbers& y, const FitOptions& options) {
  check_count("targets", y.size(), x.rows());
  for (std::size_t i = 0; i < y.values().size(); ++i)
    if (!std::isfinite(y.values()[i]))
      throw Error(Code::data,
                  fmt::format("row {}: found the target {}, expected a number", i + 1, y.values()[i]));
  Table table = table_of(x, options);
  table.side.push_back({target_name, false, {}, y.values(), {}});
  return table;
}

Table training_table(const Frame& frame, const std::string& target, Task task, const FitOptions& options,
                     const std::string& group) {
  if (!options.feature_names.empty())
    throw Error(Code::usage, "`feature_names` is for matrices; the columns of a frame have names");
  ReadOptions wanted;
  wanted.side.push_back({target, task == Task::classification});
  if (!options.weight_column.empty()) wanted.side.push_back({options.weight_column, false});
  if (!group.empty()) wanted.side.push_back({group});
  Table table = select_columns(frame.table(), wanted);
  add_weights(table, options);
  return table;
}

FitSettings settings_for(const FitOptions& options, Task task) {
  FitSettings settings;
  settings.multiclass = options.multiclass;
  // Reading the values back checks their ranges.
  for (const FieldInfo& field : list_fields(options.multiclass))
    set_field(settings.multiclass, field.name, field.value);
  settings.task = task;
  settings.sample_weight = options.sample_weight.empty() ? options.weight_column : weight_name;
  settings.class_weight = options.class_weight;
  settings.positive = options.positive;
  settings.decision = options.decision;
  settings.basis = options.basis;
  settings.reference = options.reference;
  settings.standardize = options.standardize;
  settings.encode = options.encode;
  settings.impute = options.impute;
  settings.missing_indicators = options.missing_indicators;
  settings.drop_missing = options.drop_missing;
  settings.drop_unlabelled = options.drop_unlabelled;
  settings.choose_columns = options.choose_columns;
  if (options.rare < 0)
    throw Error(Code::usage, fmt::format("`rare`: expected 0 or more, got {}", options.rare));
  settings.rare = options.rare;
  settings.seed = options.seed;
  settings.inference = options.inference;
  settings.monitor = options.monitor;
  settings.keep_statistics = options.keep_statistics;
  settings.before = options.start.get();
  return settings;
}

FitSettings settings_for(const ModelOptions& model, const FitOptions& options, Task task,
                         const std::string& target) {
  FitSettings settings = settings_for(options, task);
  settings.target = target;
  settings.options = model;
  for (const FieldInfo& field : fields_of(model)) set_option(settings.options, field.name, field.value);
  settings.target_sizes = read_target_sizes(settings.options);
  settings.on_training = OnTraining::warnings;
  return settings;
}

}  // namespace discern
