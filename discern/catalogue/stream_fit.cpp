#include "discern/catalogue/stream_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"
#include "discern/catalogue/positive_class.hpp"
#include "discern/catalogue/stream_model.hpp"
#include "discern/catalogue/stream_options.hpp"
#include "discern/catalogue/stream_rows.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/stats/statistics.hpp"

namespace discern {
namespace {

constexpr std::string_view state_name = "online_weights";  // the statistic that tells a streamed model

bool streamed(const Model& model) {
  return std::any_of(model.statistics.begin(), model.statistics.end(),
                     [](const Statistic& one) { return one.name == state_name; });
}

// The classes in the order in which they appear.
class Classes {
 public:
  explicit Classes(const std::vector<std::string>& given) : fixed_(!given.empty()) {
    for (const std::string& name : given) {
      if (find(name) >= 0)
        throw Error(Code::usage, fmt::format("`classes`: expected different classes, got '{}' twice", name));
      add(name);
    }
  }

  const std::vector<std::string>& names() const { return names_; }
  bool fixed() const { return fixed_; }
  void fix() { fixed_ = true; }
  void add(std::string name) {
    index_.emplace(name, static_cast<Index>(names_.size()));
    names_.push_back(std::move(name));
  }
  // Equal text, or else an equal number ("1" matches "1.0"); -1: a new one.
  Index find(const std::string& label) const {
    if (const auto found = index_.find(label); found != index_.end()) return found->second;
    const auto number = number_of(label);
    for (std::size_t k = 0; number && k < names_.size(); ++k)
      if (number_of(names_[k]) == number && std::fabs(*number) < 0x1p53) return static_cast<Index>(k);
    return -1;
  }

 private:
  bool fixed_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Index> index_;
};

Index scores_for(Index classes) { return classes > 2 ? classes : 1; }

}  // namespace

class StreamFit::State {
 public:
  State(const FitSettings& settings, const StreamSettings& stream)
      : settings_(settings),
        stream_(stream),
        options_(online_options(settings)),
        regression_(settings.task == Task::regression),
        class_weights_(parse_class_weights(settings.class_weight, stream.classes)),
        classes_(settings.before == nullptr ? stream.classes : std::vector<std::string>{}) {
    check_positive();
    if (classes_.fixed()) check_class_weights();
  }

  void learn(const Table& table);
  Model model(bool interrupted);

  Progressive progress;
  Index missing() const { return rows_ ? rows_->missing() : 0; }

 private:
  const SideColumn& side(const Table& table, const std::string& name) const;
  void begin(const Table& first);
  void restore(const Model& before);
  void check_positive() const;
  void check_class_weights() const;
  double factor_of(Index of_class) const;
  Index class_of(const Table& table, const SideColumn& column, std::size_t level);
  double weight_of(const Table& table, const SideColumn* column, Index i) const;
  Statistics statistics(const std::vector<Index>& order) const;
  void describe(Model& model, bool interrupted) const;

  FitSettings settings_;
  StreamSettings stream_;
  OnlineOptions options_;
  bool regression_;
  std::vector<std::pair<std::string, double>> class_weights_;
  Classes classes_;
  std::vector<double> class_seen_;  // the weight of each
  std::optional<StreamRows> rows_;
  std::optional<OnlineLearner> learner_;
  double rows_before_ = 0;
  double next_watch_ = 1;
};

const SideColumn& StreamFit::State::side(const Table& table, const std::string& name) const {
  // A column that was asked for by its number has its name here.
  const SideColumn* found = table.find_side(name);
  if (found == nullptr && !table.side.empty())
    found = &table.side[name == settings_.sample_weight && table.side.size() > 1 ? 1 : 0];
  if (found == nullptr) throw Error(Code::data, "the data have no such column", {table.file, 0, name});
  return *found;
}

void StreamFit::State::begin(const Table& first) {
  if (settings_.before == nullptr && first.schema.size() == 0 && !is_sparse(first.x))
    throw Error(Code::data, "the table has no feature columns", {first.file, 0, ""});
  settings_.target = side(first, settings_.target).name;
  const StreamRows::Policy policy{settings_.impute, settings_.encode, stream_.hash_bits};
  const Model* before = settings_.before;
  if (before != nullptr)
    rows_.emplace(before->pipeline, first, policy);
  else
    rows_.emplace(first, policy);
  options_.unit_entries = rows_->indicators();
  const auto known = before != nullptr ? before->classes.size() : classes_.names().size();
  class_seen_.assign(known, 0);
  learner_.emplace(options_, rows_->numbers(), rows_->entries(), scores_for(static_cast<Index>(known)));
  if (before == nullptr) return;
  if (streamed(*before)) {
    restore(*before);
  } else {
    // Of two classes the learner's second is the one that a score above zero means.
    std::vector<std::string> names = before->classes;
    if (names.size() == 2 && before->positive == 0) std::swap(names[0], names[1]);
    for (std::string& name : names) classes_.add(std::move(name));
    start_at(*before, *rows_, options_, *learner_);
  }
  if (classes_.fixed()) check_class_weights();
  rows_before_ = static_cast<double>(before->samples);
}

void StreamFit::State::restore(const Model& before) {
  discern::restore(before.statistics, *learner_);
  learner_->restored();
  if (!learner_->sound()) throw Error(Code::model, "the statistic 'counts' is of no learner that has steps");
  const auto classes = static_cast<Index>(before.classes.size());
  const auto& sums = find_statistic(before.statistics, "progress", {5}).values;
  progress = {sums[0], sums[1], sums[2], sums[3]};
  while (next_watch_ <= progress.rows) next_watch_ *= 2;
  rows_->set_level_counts(
      find_statistic(before.statistics, "level_counts", {static_cast<Index>(rows_->level_counts().size())})
          .values);
  if (regression_) return;
  class_seen_ = find_statistic(before.statistics, "class_weights", {classes}).values;
  std::vector<double> all(before.classes.size());
  std::iota(all.begin(), all.end(), 0.0);
  const auto& order = find_statistic(before.statistics, "class_order", {classes}).values;
  if (!std::is_permutation(order.begin(), order.end(), all.begin()))
    throw Error(Code::model, "the statistic 'class_order' is no order of the classes");
  for (const double k : order) classes_.add(before.classes[static_cast<std::size_t>(k)]);
  if (sums[4] != 0) classes_.fix();
}

// What is certain to be wrong at the end is so as soon as there are two classes.
void StreamFit::State::check_positive() const {
  const auto& names = classes_.names();
  if (settings_.before != nullptr || settings_.positive.empty() || names.size() < 2) return;
  if (names.size() == 2 && std::find(names.begin(), names.end(), settings_.positive) != names.end()) return;
  throw Error(Code::usage, fmt::format("`positive`: expected one of two classes, and they are {}, got '{}'",
                                       join(names, ", "), settings_.positive));
}

void StreamFit::State::check_class_weights() const {
  for (const auto& [label, weight] : class_weights_)
    if (classes_.find(label) < 0) refuse_class_weight(fmt::format("{}={}", label, weight), classes_.names());
}

double StreamFit::State::factor_of(Index of_class) const {
  double factor = 1;
  for (const auto& [label, weight] : class_weights_)
    if (classes_.find(label) == of_class) factor = weight;
  return factor;
}

Index StreamFit::State::class_of(const Table& table, const SideColumn& column, std::size_t level) {
  const std::string& label = column.levels[level];
  Index found = classes_.find(label);
  if (found >= 0) return found;
  if (classes_.fixed())
    throw Error(Code::data,
                fmt::format("found the label '{}', expected one of {}; leave out `classes` to learn classes "
                            "as they appear",
                            label, join(classes_.names(), ", ")),
                {table.file, level < column.noticed.level_line.size() ? column.noticed.level_line[level] : 0,
                 column.name});
  found = static_cast<Index>(classes_.names().size());
  classes_.add(label);
  class_seen_.push_back(0);
  check_positive();
  if (found >= 2) learner_->set_scores(found + 1);
  return found;
}

double StreamFit::State::weight_of(const Table& table, const SideColumn* column, Index i) const {
  if (column == nullptr) return 1;
  const double weight = column->values[static_cast<std::size_t>(i)];
  if (!(weight >= 0))
    throw Error(Code::data, "found a sample weight that is missing or below 0, expected 0 or more",
                {table.file, column->noticed.first_missing_line, column->name});
  return weight;
}

void StreamFit::State::learn(const Table& table) {
  if (table.rows() == 0) return;
  if (!rows_) begin(table);
  const SideColumn& target = side(table, settings_.target);
  const SideColumn* weights =
      settings_.sample_weight.empty() ? nullptr : &side(table, settings_.sample_weight);
  if (target.noticed.missing > 0)
    throw Error(Code::data,
                fmt::format("found no {}, expected one in every row", regression_ ? "target" : "label"),
                {table.file, target.noticed.first_missing_line, target.name});
  rows_->begin(table);
  learner_->add_entries(rows_->entries() - learner_->entries());
  std::vector<Index> class_of_level(target.levels.size(), -1);
  std::vector<double> factor(target.levels.size(), 1);
  for (Index i = 0; i < table.rows(); ++i) {
    double weight = weight_of(table, weights, i);
    if (weight == 0) continue;
    double y = target.values[static_cast<std::size_t>(i)];
    if (!regression_) {
      const auto level = static_cast<std::size_t>(y);
      if (class_of_level[level] < 0) {
        class_of_level[level] = class_of(table, target, level);
        factor[level] = factor_of(class_of_level[level]);
      }
      weight *= factor[level];
      class_seen_[static_cast<std::size_t>(class_of_level[level])] += weight;
      y = static_cast<double>(class_of_level[level]);
    }
    const StreamRows::Row row = rows_->row(i);
    if (rows_->entries() > learner_->entries()) learner_->add_entries(rows_->entries() - learner_->entries());
    const OnlineLearner::Said said = learner_->learn(row.numbers, row.entries, y, weight, regression_);
    progress.rows += 1;
    progress.weight += weight;
    progress.loss += weight * said.loss;
    if (!regression_ && said.label == static_cast<Index>(y)) progress.right += weight;
    if (progress.rows < next_watch_) continue;
    next_watch_ *= 2;
    if (stream_.watch) stream_.watch(progress);
  }
}

// `order`: the learner's class of each of the model's.
Statistics StreamFit::State::statistics(const std::vector<Index>& order) const {
  Statistics kept = keep(*learner_);
  const auto add = [&](std::string name, std::vector<double> values) {
    const auto size = static_cast<Index>(values.size());
    kept.push_back({std::move(name), {size}, std::move(values)});
  };
  add("progress",
      {progress.rows, progress.weight, progress.loss, progress.right, classes_.fixed() ? 1.0 : 0.0});
  add("level_counts", rows_->level_counts());
  if (regression_) return kept;
  std::vector<double> class_order(order.size());  // the model's class of each of the learner's
  for (std::size_t k = 0; k < order.size(); ++k)
    class_order[static_cast<std::size_t>(order[k])] = static_cast<double>(k);
  add("class_order", class_order);
  add("class_weights", class_seen_);
  return kept;
}

void StreamFit::State::describe(Model& model, bool interrupted) const {
  Summary& summary = model.summary;
  summary.solver = "stream";
  summary.iterations = static_cast<Index>(learner_->steps());
  summary.interrupted = interrupted;
  summary.certificate = {"progressive-loss", progress.mean_loss()};
  summary.facts.push_back({"progressive_loss", progress.mean_loss()});
  if (!regression_) summary.facts.push_back({"progressive_accuracy", progress.accuracy()});
  if (rows_before_ > 0) summary.facts.push_back({"rows_before", rows_before_});
  for (const auto& field : fields_of(settings_.options)) model.options.emplace_back(field.name, field.value);
}

Model StreamFit::State::model(bool interrupted) {
  if (!rows_ || progress.rows == 0) throw Error(Code::data, "there are no rows to learn from");
  if (!regression_ && classes_.names().size() < 2)
    throw Error(interrupted ? Code::interrupted : Code::data,
                fmt::format("{}all rows {}have the label '{}', expected at least two classes",
                            interrupted ? "interrupted, and there is no model yet: " : "",
                            interrupted ? "so far " : "", classes_.names()[0]),
                {"", 0, settings_.target});
  // A class that was to come may not have come yet.
  if (!regression_ && !interrupted) check_class_weights();
  learner_->finish_batch();
  if (rows_->indicators()) learner_->arrange_entries(rows_->arrange_entries());
  Model model;
  model.name = entry_of(settings_.options).name;
  model.task = settings_.task;
  model.target = settings_.target;
  model.classes = classes_.names();
  sort_levels(model.classes);
  std::vector<Index> order;
  for (const std::string& name : model.classes) order.push_back(classes_.find(name));
  if (model.classes.size() == 2)
    model.positive = positive_class(model.classes, settings_.positive, settings_.positive_by_name);
  model.pipeline = rows_->pipeline(learner_->fill());
  const bool flipped =
      !regression_ && learner_->scores() == 1 && order[static_cast<std::size_t>(model.positive)] == 0;
  const Linear linear = predictor_of(*learner_, *rows_, options_, order, flipped);
  if (linear.link != Link::none) {
    model.priors.resize(static_cast<Index>(order.size()));
    for (std::size_t k = 0; k < order.size(); ++k)
      model.priors[static_cast<Index>(k)] = class_seen_[static_cast<std::size_t>(order[k])];
    // A class that was announced and has not been seen leaves the priors unknown.
    if (model.priors.minCoeff() > 0)
      model.priors /= model.priors.sum();
    else
      model.priors.resize(0);
  }
  model.predictor = linear;
  model.standardized = settings_.standardize;
  model.samples =
      static_cast<Index>(progress.rows) +
      (settings_.before != nullptr && !streamed(*settings_.before) ? settings_.before->samples : 0);
  if (!settings_.decision.empty())
    model.decision = make_decision(settings_.decision, {model.classes, model.positive, model.priors});
  else if (settings_.before != nullptr)
    model.decision = settings_.before->decision;
  model.statistics = statistics(order);
  describe(model, interrupted);
  return model;
}

StreamFit::StreamFit(const FitSettings& settings, const StreamSettings& stream)
    : state_(std::make_unique<State>(settings, stream)) {}
StreamFit::~StreamFit() = default;
void StreamFit::learn(const Table& table) { state_->learn(table); }
const Progressive& StreamFit::so_far() const { return state_->progress; }
Index StreamFit::missing() const { return state_->missing(); }
Model StreamFit::model(bool interrupted) { return state_->model(interrupted); }

namespace {

// How often and in which order the earlier rows were taken says nothing about those to come.
void forget_passes(ModelOptions& options) {
  std::visit(
      []<class O>(O& o) {
        if constexpr (requires { o.epochs; }) o.epochs = O{}.epochs;
        if constexpr (requires { o.order; }) o.order = O{}.order;
        if constexpr (std::is_same_v<O, Perceptron>) o.shuffle = o.pocket = false;
      },
      options);
}

}  // namespace

bool learns_online(const Model& model) {
  if (streamed(model)) return true;
  const bool online = model.summary.solver == "sgd" || model.name == "perceptron";
  return online && std::holds_alternative<Linear>(model.predictor) && !model.reduction;
}

FitSettings stream_settings_of(const Model& before) {
  FitSettings settings = fitted_settings(before);
  if (!streamed(before)) forget_passes(settings.options);
  set_stream_defaults(settings.options);
  return settings;
}

}  // namespace discern
