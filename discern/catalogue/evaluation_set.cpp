#include "discern/catalogue/evaluation_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

#include "discern/base/clock.hpp"
#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/evaluate/judge.hpp"

namespace discern {
namespace {

constexpr double most_bytes = 2e9;  // of folds that are fitted at a time

template <class T>
std::vector<T> pick(const std::vector<T>& items, const std::vector<Index>& rows) {
  std::vector<T> picked;
  if (items.empty()) return picked;
  picked.reserve(rows.size());
  for (const Index i : rows) picked.push_back(items[static_cast<std::size_t>(i)]);
  return picked;
}

// Labels that spell one number differently ("1", "1.0") get one name, the same in every part of the rows.
void name_classes(EvaluationSet& set, const std::string& target) {
  for (SideColumn& column : set.table.side) {
    if (column.name != target) continue;
    column.levels = set.classes;
    column.noticed.level_line.clear();
    column.values.assign(set.rows.labels.begin(), set.rows.labels.end());
  }
}

void set_groups(EvaluationSet& set, const std::string& name) {
  const SideColumn* column = set.table.find_side(name);
  if (column == nullptr) throw Error(Code::data, "the data have no such column", {set.table.file, 0, name});
  if (column->noticed.missing > 0)
    throw Error(Code::data, "found no group, expected one in every row",
                {set.table.file, column->noticed.first_missing_line, name});
  set.group_names = column->levels;
  for (const double value : column->values) set.rows.groups.push_back(static_cast<std::int32_t>(value));
}

// Which of the set's classes each class of a model is.
std::vector<Index> classes_in(const EvaluationSet& set, const Model& model) {
  std::vector<Index> place;
  for (const std::string& name : model.classes)
    place.push_back(std::find(set.classes.begin(), set.classes.end(), name) - set.classes.begin());
  return place;
}

// A score a class, the lowest of all for classes that the model does not know.
Matrix spread_scores(const Matrix& scores, const std::vector<Index>& place, Index positive, Index classes) {
  const auto known = static_cast<Index>(place.size());
  const bool one = scores.cols() == 1 && known == 2;
  if (!one && scores.cols() != known) return {};
  Matrix all = Matrix::Constant(scores.rows(), classes, -std::numeric_limits<double>::infinity());
  for (Index k = 0; k < known; ++k)
    all.col(place[static_cast<std::size_t>(k)]) =
        one ? Vector((k == positive ? 1 : -1) * scores.col(0)) : scores.col(k);
  return all;
}

// The prediction of a model that knows only some of the classes.
void spread(const EvaluationSet& set, const Model& model, Prediction& said) {
  const std::vector<Index> place = classes_in(set, model);
  const auto classes = static_cast<Index>(set.classes.size());
  for (std::int32_t& label : said.labels)
    if (label >= 0) label = static_cast<std::int32_t>(place[static_cast<std::size_t>(label)]);
  said.scores = spread_scores(said.scores, place, model.positive, classes);
  if (said.proba.size() == 0) return;
  Matrix proba = Matrix::Zero(said.proba.rows(), classes);
  for (std::size_t k = 0; k < place.size(); ++k) proba.col(place[k]) = said.proba.col(static_cast<Index>(k));
  said.proba = std::move(proba);
}

Index absent_rows(const EvaluationSet& set, const Model& model, const std::vector<Index>& test) {
  const std::vector<Index> place = classes_in(set, model);
  return std::count_if(test.begin(), test.end(), [&](Index i) {
    return std::find(place.begin(), place.end(), set.rows.labels[static_cast<std::size_t>(i)]) == place.end();
  });
}

// "a=1,b=2" without the items of absent classes.
std::string without(const std::string& text, const std::vector<std::string>& absent) {
  if (text.find('=') == std::string::npos) return text;
  std::vector<std::string> kept;
  for (std::string item : split_list(text)) {
    if (std::find(absent.begin(), absent.end(), item.substr(0, item.rfind('='))) != absent.end()) continue;
    if (item.find_first_of(",\"") != std::string::npos) {
      for (auto at = item.find('"'); at != std::string::npos; at = item.find('"', at + 2))
        item.insert(at, 1, '"');
      item.insert(0, 1, '"');
      item.push_back('"');
    }
    kept.push_back(std::move(item));
  }
  return join(kept, ",");
}

// The settings for rows of which some classes are absent.
FitSettings settings_without_absent(const EvaluationSet& set, FitSettings settings,
                                    const std::vector<Index>& train) {
  if (set.classes.empty()) return settings;
  std::vector<bool> there(set.classes.size());
  for (const Index i : train)
    there[static_cast<std::size_t>(set.rows.labels[static_cast<std::size_t>(i)])] = true;
  std::vector<std::string> absent;
  std::vector<Index> present;
  for (std::size_t k = 0; k < there.size(); ++k) {
    if (there[k])
      present.push_back(static_cast<Index>(k));
    else
      absent.push_back(set.classes[k]);
  }
  if (absent.empty()) return settings;
  settings.class_weight = without(settings.class_weight, absent);
  std::visit(
      [&](auto& options) {
        if constexpr (requires { options.priors; }) options.priors = without(options.priors, absent);
      },
      settings.options);
  if (settings.decision.has_cost() && set.decision && set.decision->cost.size() > 0) {
    settings.decision.cost.clear();
    settings.decision.costs = set.decision->cost(present, present);
  }
  return settings;
}

// What a fold takes: a copy of its rows, and in some models a square of its features.
double bytes_of_fold(const Table& table) {
  double features = 0;
  for (Index j = 0; !table.schema.is_numbered() && j < table.schema.size(); ++j)
    features += table.schema.categorical(j) ? static_cast<double>(table.schema.column(j).levels.size()) : 1;
  if (table.schema.is_numbered()) features = static_cast<double>(table.schema.size());
  const double entry = is_sparse(table.x) ? 12 : 8;
  return entry * static_cast<double>(stored_entries(table.x)) + 8 * features * features;
}

}  // namespace

EvaluationSet evaluation_set(const Table& table, const FitSettings& settings, const std::string& group) {
  FitSettings plain = settings;
  plain.class_weight.clear();
  TrainingSet training = training_set(table, plain);
  EvaluationSet set;
  set.table = std::move(training.table);
  set.classes = std::move(training.classes);
  set.positive = training.positive;
  set.rows = {set.table.rows(), std::move(training.labels), {}};
  if (settings.task == Task::regression) set.targets = std::move(training.targets.values);
  set.weights = std::move(training.targets.weights);
  set.origin = set.table.row_numbers;
  set.leaks = std::move(training.leaks);
  if (settings.task == Task::classification) name_classes(set, settings.target);
  if (settings.task == Task::classification && !settings.decision.empty())
    set.decision = make_decision(settings.decision, {set.classes, set.positive, {}});
  if (!group.empty()) set_groups(set, group);
  return set;
}

Judged judge_said(const EvaluationSet& set, const FitSettings& settings, const Prediction& said,
                  const std::vector<Index>& rows) {
  Judged judged{settings.task, {}, {}};
  const std::vector<double> weights = pick(set.weights, rows);
  if (settings.task == Task::regression) {
    judged.regression = judge(said, pick(set.targets, rows), weights);
    return judged;
  }
  Model frame;
  frame.classes = set.classes;
  frame.positive = set.positive;
  frame.decision = set.decision;
  judged.metrics = judge(frame, said, pick(set.rows.labels, rows), weights);
  return judged;
}

namespace {

// The model's word on rows of the set, in terms of the set's classes.
Prediction say(const EvaluationSet& set, const Model& model, const Table& table) {
  PredictOptions options;
  options.ignore_unseen = true;
  Prediction said = predict(model, table, options);
  if (model.classes.size() < set.classes.size()) spread(set, model, said);
  return said;
}

}  // namespace

FoldRun judge_fold(const EvaluationSet& set, const FitSettings& settings, const Model& model,
                   const std::vector<Index>& test, const Table& tested) {
  FoldRun run;
  run.converged = model.summary.converged;
  run.said = say(set, model, tested);
  run.unseen = run.said.unseen;
  run.judged = judge_said(set, settings, run.said, test);
  if (model.classes.size() < set.classes.size()) run.absent = absent_rows(set, model, test);
  return run;
}

FoldRun run_fold(const EvaluationSet& set, const FitSettings& settings, const std::vector<Index>& train,
                 const std::vector<Index>& test, bool judge_training) {
  const auto start = Clock::now();
  FitSettings own = settings_without_absent(set, settings, train);
  own.on_training = OnTraining::nothing;
  own.whole_or_nothing = true;
  own.choose_columns = false;  // that was decided for all folds
  const Table fitted = select_rows(set.table, train);
  if (!own.reference.empty())
    own.references = present_references(parse_references(own.reference, set.table), fitted);
  Model model = fit_model(fitted, own).model;
  if (model.summary.interrupted) throw Error(Code::interrupted, "interrupted");
  FoldRun run = judge_fold(set, settings, model, test, select_rows(set.table, test));
  run.train_rows = static_cast<Index>(train.size());
  if (judge_training) run.training = judge_said(set, settings, say(set, model, fitted), train);
  run.model = std::move(model);
  run.seconds = seconds_since(start);
  return run;
}

std::string small_classes(const EvaluationSet& set, const Folds& folds) {
  constexpr std::size_t most_named = 10;
  std::vector<Index> counts(set.classes.size());
  for (const std::int32_t label : set.rows.labels) ++counts[static_cast<std::size_t>(label)];
  const auto rows = [&](std::size_t k) {
    return fmt::format("{} row{}", counts[k], counts[k] == 1 ? "" : "s");
  };
  std::vector<std::size_t> small;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] < folds.per_repeat()) small.push_back(k);
  if (small.empty()) return "";
  if (small.size() == 1)
    return fmt::format("class '{}' has {}, fewer than the {} folds: some folds do not test it",
                       set.classes[small[0]], rows(small[0]), folds.per_repeat());
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(small.size(), most_named); ++i)
    named.push_back(fmt::format("'{}' ({})", set.classes[small[i]], rows(small[i])));
  const std::size_t others = small.size() - named.size();
  return fmt::format("classes {}{} have fewer rows than the {} folds: some folds do not test them",
                     join(named, ", "), others > 0 ? fmt::format(" and {} more", others) : "",
                     folds.per_repeat());
}

Index absent_rows(const EvaluationSet& set, const Folds& folds) {
  if (set.classes.empty()) return 0;
  Index absent = 0;
  for (Index k = 0; k < folds.count(); ++k) {
    std::vector<bool> known(set.classes.size());
    const auto label = [&](Index row) {
      return static_cast<std::size_t>(set.rows.labels[static_cast<std::size_t>(row)]);
    };
    for (const Index row : folds.train(k)) known[label(row)] = true;
    for (const Index row : folds.test(k)) absent += known[label(row)] ? 0 : 1;
  }
  return absent;
}

std::string absent_text(Index rows) {
  return fmt::format("{} tested row{} of {} that no training row of {} fold has; {} as wrong", rows,
                     rows == 1 ? " is" : "s are", rows == 1 ? "a class" : "classes",
                     rows == 1 ? "its" : "their", rows == 1 ? "it counts" : "they count");
}

std::string unseen_text(Index cells) {
  return fmt::format(
      "{} tested cell{} a text that no training row of {} fold has, taken as none of the known ones", cells,
      cells == 1 ? " holds" : "s hold", cells == 1 ? "its" : "their");
}

Error in_fold(const Error& error, Index fold, Index train, Index rows) {
  if (error.code() == Code::interrupted || error.code() == Code::usage) return error;
  return {error.code(),
          fmt::format("fold {}, fitting on {} of {} rows: {}", fold + 1, train, rows, error.message()),
          error.place()};
}

FoldRows part_of(const FoldRows& all, const std::vector<Index>& rows) {
  FoldRows part{static_cast<Index>(rows.size()), pick(all.labels, rows), pick(all.groups, rows)};
  std::map<std::int32_t, std::int32_t> number;
  for (const std::int32_t group : part.groups) number.emplace(group, 0);
  std::int32_t next = 0;
  for (auto& [group, n] : number) n = next++;
  for (std::int32_t& group : part.groups) group = number[group];
  return part;
}

void for_each_fold(const EvaluationSet& set, Index count, const std::string& stage, const Monitor& monitor,
                   const std::function<void(Index, const Monitor&)>& body) {
  std::vector<std::optional<Error>> errors(static_cast<std::size_t>(count));
  std::atomic<Index> done = 0;
  std::atomic<bool> failed = false;
  const Monitor quiet = [&](const Progress&) { return go_on(monitor, {stage, done.load(), count}); };
  const auto one = [&](Index k) {
    if (failed) return;
    try {
      body(k, quiet);
    } catch (const Error& error) {
      errors[static_cast<std::size_t>(k)] = error;
      if (error.code() == Code::interrupted) failed = true;
    }
    ++done;
    quiet({});
  };
  // A thread that waits for others in a fit may begin another fold meanwhile.
  const double together = std::min(2.0 * thread_count(), static_cast<double>(count));
  if (bytes_of_fold(set.table) * together <= most_bytes)
    parallel_for(count, one);
  else
    for (Index k = 0; k < count; ++k) one(k);
  for (const auto& error : errors)
    if (error) throw Error(*error);
}

}  // namespace discern
