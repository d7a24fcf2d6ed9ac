#include "discern/api/evaluate.hpp"

#include <fmt/format.h>

#include "discern/api/tables.hpp"
#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/catalogue/compare.hpp"
#include "discern/catalogue/cross_validate.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/evaluate/measures.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

EvaluationResult evaluation_of(const Judged& judged, Index classes) {
  const bool classified = judged.task == Task::classification;
  EvaluationResult result;
  result.rows = classified ? judged.metrics.rows : judged.regression.rows;
  result.weight = classified ? judged.metrics.weight : judged.regression.weight;
  for (const Measure& measure : measures())
    if (const auto value = measure.task == judged.task ? measure.value(judged) : std::nullopt)
      result.measures.emplace_back(measure.name, *value);
  if (!judged.metrics.confusion.empty())
    result.confusion = Eigen::Map<const Matrix>(judged.metrics.confusion.data(), classes, classes);
  return result;
}

// Predicts and compares with the target column of the table.
EvaluationResult judge_table(const Model& model, const Table& table, Unseen unseen,
                             const std::vector<double>& weights) {
  PredictOptions options;
  options.ignore_unseen = unseen == Unseen::ignore;
  options.refuse_missing = !imputes(model.pipeline);
  const Prediction said = predict(model, table, options);
  Judged judged;
  judged.task = model.task;
  if (model.task == Task::classification)
    judged.metrics = judge(model, said, labels_of(model, table), weights);
  else
    judged.regression = judge(said, table.find_side(model.target)->values, weights);
  return evaluation_of(judged, static_cast<Index>(model.classes.size()));
}

// A table for a model of a matrix: its columns have the names of the fit.
FitOptions options_like(const FittedModel& model, const Numbers& weights) {
  FitOptions options;
  options.feature_names = model.columns();
  options.sample_weight = weights.values();
  options.impute = imputes(model.model().pipeline);
  return options;
}

void require(const FittedModel& model, Task task) {
  if (model.task() != task)
    throw Error(Code::usage, task == Task::classification
                                 ? "the model is a regression; evaluate_regression takes numbers"
                                 : "the model is a classifier; evaluate takes labels");
}

// The side column is called as the model calls its target.
void rename_target(Table& table, const std::string& name) {
  for (SideColumn& column : table.side)
    if (column.name == target_name) column.name = name;
}

template <class Item>
std::string joined(const std::vector<Item>& items, std::string (*name)(const Item&)) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(name(item));
  return join(names, ", ");
}

[[noreturn]] void refuse_measure(const std::string& name, const std::string& known) {
  throw Error(Code::usage, fmt::format("there is no measure '{}' here; there are {}", name, known));
}

CvResult validated(const Table& table, const FitSettings& settings, const CvOptions& options,
                   const std::string& group) {
  return on_threads(options.fit.threads, [&] {
    const CrossValidation found =
        cross_validate(table, settings, CrossValidationOptions{.folds = options.folds, .group = group},
                       {Variant{settings.options, 1}});
    const Validation& validation = found.variants.front();
    CvResult result{.rows = found.rows, .warnings = found.warnings};
    for (const FoldOutcome& fold : validation.folds) result.stopped += fold.converged ? 0 : 1;
    for (const Measure& measure : measures()) {
      if (measure.task != settings.task) continue;
      const Estimate estimate = estimate_of(validation, measure);
      if (!estimate.mean) continue;
      CvMeasure one{std::string(measure.name), estimate.mean, estimate.se, {}};
      for (const FoldOutcome& fold : validation.folds) one.folds.push_back(measure.value(fold.judged));
      result.measures.push_back(std::move(one));
    }
    return result;
  });
}

// Adds the groups of a matrix to its table; the name of the column with them.
std::string group_of(Table& table, const CvOptions& options) {
  if (options.groups.size() == 0) return "";
  if (options.groups.size() != table.rows())
    throw Error(Code::usage, fmt::format("`groups`: found {}, expected {}, one per row",
                                         options.groups.size(), table.rows()));
  add_side(table, group_name, options.groups);
  return group_name;
}

Rank rank_of(const Contender& contender) {
  return {contender.model,   contender.score.mean, contender.score.se,
          contender.p_value, contender.seconds,    contender.left_out};
}

ComparisonResult compared(const Table& table, const FitSettings& settings, const ComparisonOptions& options,
                          const std::string& group) {
  const bool classify = settings.task == Task::classification;
  const Measure& metric = find_measure(!options.metric.empty() ? options.metric
                                       : classify              ? "accuracy"
                                                               : "rmse",
                                       settings.task);
  return on_threads(options.cv.fit.threads, [&] {
    Comparison found = compare(table, settings,
                               CompareOptions{.folds = options.cv.folds,
                                              .group = group,
                                              .models = options.models,
                                              .metric = &metric,
                                              .budget = options.budget,
                                              .refit = options.refit});
    ComparisonResult result{.metric = std::string(metric.name), .baseline = found.baseline.mean};
    for (const Contender& one : found.ranking) result.ranking.push_back(rank_of(one));
    for (const Contender& one : found.left_out) result.left_out.push_back(rank_of(one));
    result.warnings = std::move(found.warnings);
    if (found.best) {
      result.options = std::move(found.options);
      result.best.emplace(std::move(found.best->model));
    }
    return result;
  });
}

}  // namespace

double EvaluationResult::measure(const std::string& name) const {
  for (const auto& [known, value] : measures)
    if (known == name) return value;
  using Entry = std::pair<std::string, double>;
  refuse_measure(name, joined<Entry>(measures, [](const Entry& entry) { return entry.first; }));
}

const CvMeasure& CvResult::measure(const std::string& name) const {
  for (const CvMeasure& one : measures)
    if (one.name == name) return one;
  refuse_measure(name, joined<CvMeasure>(measures, [](const CvMeasure& one) { return one.name; }));
}

EvaluationResult evaluate(const FittedModel& model, const MatrixView& x, const Labels& y,
                          const Numbers& weights) {
  require(model, Task::classification);
  Table table = training_table(x, y, options_like(model, weights));
  rename_target(table, model.model().target);
  return judge_table(model.model(), table, Unseen::refuse, weights.values());
}

EvaluationResult evaluate_regression(const FittedModel& model, const MatrixView& x, const Numbers& y,
                                     const Numbers& weights) {
  require(model, Task::regression);
  Table table = training_table(x, y, options_like(model, weights));
  rename_target(table, model.model().target);
  return judge_table(model.model(), table, Unseen::refuse, weights.values());
}

EvaluationResult evaluate(const FittedModel& model, const Frame& frame, Unseen unseen) {
  const Table table = training_table(frame, model.model().target, model.task(), {});
  return judge_table(model.model(), table, unseen, {});
}

CvResult cross_validate(const ModelOptions& model, const MatrixView& x, const Labels& y,
                        const CvOptions& options) {
  Table table = training_table(x, y, options.fit);
  const std::string group = group_of(table, options);
  return validated(table, settings_for(model, options.fit, Task::classification, target_name), options,
                   group);
}

CvResult cross_validate_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                                   const CvOptions& options) {
  Table table = training_table(x, y, options.fit);
  const std::string group = group_of(table, options);
  return validated(table, settings_for(model, options.fit, Task::regression, target_name), options, group);
}

CvResult cross_validate(const ModelOptions& model, const Frame& frame, const std::string& target,
                        const CvOptions& options, Task task) {
  const Table table = training_table(frame, target, task, options.fit, options.group_column);
  return validated(table, settings_for(model, options.fit, task, target), options, options.group_column);
}

ComparisonResult compare(const MatrixView& x, const Labels& y, const ComparisonOptions& options) {
  Table table = training_table(x, y, options.cv.fit);
  const std::string group = group_of(table, options.cv);
  return compared(table, settings_for(Lda{}, options.cv.fit, Task::classification, target_name), options,
                  group);
}

ComparisonResult compare_regression(const MatrixView& x, const Numbers& y, const ComparisonOptions& options) {
  Table table = training_table(x, y, options.cv.fit);
  const std::string group = group_of(table, options.cv);
  return compared(table, settings_for(LeastSquares{}, options.cv.fit, Task::regression, target_name), options,
                  group);
}

ComparisonResult compare(const Frame& frame, const std::string& target, const ComparisonOptions& options,
                         Task task) {
  const Table table = training_table(frame, target, task, options.cv.fit, options.cv.group_column);
  return compared(table, settings_for(LeastSquares{}, options.cv.fit, task, target), options,
                  options.cv.group_column);
}

}  // namespace discern
