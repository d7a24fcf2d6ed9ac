#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/catalogue/trace_file.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/io/read.hpp"

namespace discern {
namespace {

// The trainers keep a handful of dense vectors with an entry for every feature.
constexpr Index feature_limit = 50000000;
// Scores of the training rows that are kept, 400 MB with their probabilities; more are judged as they are
// made.
constexpr double most_scores = 2.5e7;

void check(const FitSettings& settings, const ModelEntry& entry, const Table& table) {
  if (table.rows() == 0) throw Error(Code::data, "the table has no rows", {table.file, 0, ""});
  if (table.schema.size() == 0)
    throw Error(Code::data, "the table has no feature columns", {table.file, 0, ""});
  if (table.schema.size() > feature_limit)
    throw Error(Code::memory,
                fmt::format("{} features, and the limit is {}", table.schema.size(), feature_limit),
                {table.file, 0, ""});
  if (settings.task == Task::regression && !entry.regression)
    throw Error(Code::usage,
                fmt::format("'{}' is a classifier; for --task regression take least-squares", entry.name));
  if (settings.task == Task::regression && !(settings.positive.empty() && settings.class_weight.empty()))
    throw Error(Code::usage, "--positive and --class-weight are for classification");
}

// True when no cell changes on its way through the pipeline.
bool passes_through(const Pipeline& pipeline, const Table& table) {
  for (const auto& step : pipeline.steps())
    if (!std::holds_alternative<Impute>(step)) return false;
  for (const auto& noticed : table.noticed)
    if (noticed.missing > 0) return false;
  return true;
}

// The targets y = t b of least squares with the sizes b of a file, a row each.
std::vector<double> targets_of_file(const std::string& path, const Table& table, const TrainingSet& set) {
  if (set.classes.size() != 2)
    throw Error(Code::usage,
                fmt::format("--targets {}: a file of targets is for two classes, and there are {}", path,
                            set.classes.size()));
  const Table sizes = read_table(path);
  if (sizes.schema.size() != 1 || sizes.schema.categorical(0))
    throw Error(Code::data,
                fmt::format("found {} columns{}, expected one of numbers: the size of every row's target",
                            sizes.schema.size(), sizes.schema.size() == 1 ? " of text" : ""),
                {path, 0, ""});
  if (sizes.rows() != table.rows())
    throw Error(Code::data,
                fmt::format("found {} targets, expected {}: one for every row of the data", sizes.rows(),
                            table.rows()),
                {path, 0, ""});
  if (!sizes.noticed.empty() && sizes.noticed[0].missing > 0)
    throw Error(Code::data, "the cell is empty, expected a number above 0",
                {path, sizes.noticed[0].first_missing_line, sizes.schema.name(0)});
  std::vector<double> targets;
  std::visit(
      [&](const auto& x) {
        for (std::size_t i = 0; i < set.labels.size(); ++i) {
          const Index row = set.rows.empty() ? static_cast<Index>(i) : set.rows[i];
          double size = 0;
          for_each(x.view(row, 1).row(0), [&](Index, double v) { size = v; });
          if (!(size > 0))
            throw Error(Code::data,
                        fmt::format("row {}: found the target {}, expected a number above 0", row + 1, size),
                        {path, 0, ""});
          targets.push_back(set.targets.labels[i] == 1 ? size : -size);
        }
      },
      sizes.x);
  return targets;
}

Training make_training(const Source& source, const TrainingSet& set, const FitSettings& settings,
                       const Pipeline& pipeline) {
  std::vector<bool> indicator;
  std::vector<Index> category;
  std::vector<std::string> class_names = set.classes, feature_names;
  if (set.classes.size() == 2 && set.positive == 0) std::swap(class_names[0], class_names[1]);
  if (!pipeline.input().is_numbered() || !pipeline.steps().empty()) {
    feature_names = pipeline.feature_names();
    for (Index j = 0; j < pipeline.features(); ++j) {
      indicator.push_back(pipeline.indicator(j));
      category.push_back(pipeline.category(j));
    }
  }
  return {source,
          settings.task,
          static_cast<Index>(set.classes.size()),
          settings.standardize,
          indicator,
          class_names,
          feature_names,
          settings.seed,
          settings.monitor,
          category,
          &pipeline.input(),
          {},
          settings.inference};
}

}  // namespace

FitOutcome fit_model(const Table& table, const FitSettings& settings) {
  const ModelEntry& entry = find_model(settings.model);
  check(settings, entry, table);
  TrainingSet set = training_set(table, settings);
  const auto* least_squares = std::get_if<LeastSquaresOptions>(&settings.options);
  if (least_squares != nullptr && settings.task == Task::classification && least_squares->targets != "pm1" &&
      least_squares->targets != "fisher")
    set.targets.values = targets_of_file(least_squares->targets, table, set);

  FitOutcome outcome;
  outcome.dropped = set.dropped;
  Model& model = outcome.model;
  model.pipeline = fit_pipeline(set.table, set.targets.weights,
                                {.impute = settings.impute,
                                 .encode = settings.encode,
                                 .drop_first = !every_level(settings.options),
                                 .basis = settings.basis,
                                 .monitor = settings.monitor});
  for (std::size_t j = 0; j < set.table.noticed.size(); ++j) {
    const Index missing = set.table.noticed[j].missing;
    outcome.imputed += missing;
    if (missing > 0)
      outcome.imputed_columns.emplace_back(set.table.schema.name(static_cast<Index>(j)), missing);
  }

  // Trainers pass over the features several times; they are computed once unless they would not fit.
  const PipelineSource lazy(set.table.x, model.pipeline, set.targets);
  Features features;
  const double bytes = 8.0 * static_cast<double>(lazy.rows()) * static_cast<double>(lazy.cols());
  const bool direct = passes_through(model.pipeline, set.table);
  const bool stored = !direct && (lazy.sparse() || bytes < 4e9);
  if (stored) features = materialize(lazy);
  const MemorySource memory(set.table.x, set.targets);
  const StoredSource computed(lazy, features, set.targets);
  const Source& source = direct   ? static_cast<const Source&>(memory)
                         : stored ? static_cast<const Source&>(computed)
                                  : lazy;

  Training training = make_training(source, set, settings, model.pipeline);
  std::optional<TraceFile> trace;
  if (!settings.trace.empty()) {
    trace.emplace(settings.trace, source, set.rows, settings.seed);
    training.trace = {[&](const TraceStep& step) { trace->write(step); }, settings.trace_every};
  }
  Fitted fitted = std::visit([&](const auto& options) { return fit(options, training); }, settings.options);
  if (trace) trace->finish(fitted);
  model.name = entry.name;
  model.task = settings.task;
  model.target = settings.target;
  model.classes = set.classes;
  model.positive = set.positive;
  model.predictor = std::move(fitted.predictor);
  for (const auto& field : fields_of(settings.options)) model.options.emplace_back(field.name, field.value);
  model.standardized = settings.standardize;
  model.samples = set.table.rows();
  model.summary = std::move(fitted.summary);
  model.inference = std::move(fitted.inference);
  outcome.projection = std::move(fitted.projection);

  const double scores =
      static_cast<double>(source.rows()) * static_cast<double>(score_count(model.predictor));
  if (settings.predict_training && settings.task == Task::classification && scores > most_scores)
    outcome.judged = judge_rows(model, source, set.labels, set.targets.weights, outcome.train.labels);
  else if (settings.predict_training)
    outcome.train = predict_rows(model, source);
  outcome.train_labels = std::move(set.labels);
  outcome.train_targets = std::move(set.targets.values);
  outcome.train_weights = std::move(set.targets.weights);
  return outcome;
}

}  // namespace discern
