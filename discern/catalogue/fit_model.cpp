#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "discern/base/error.hpp"
#include "discern/base/uninterrupted.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/catalogue/rare_levels.hpp"
#include "discern/catalogue/target_sizes.hpp"
#include "discern/catalogue/trace_file.hpp"
#include "discern/catalogue/training_set.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/multiclass/reduce.hpp"

namespace discern {
namespace {

// The trainers keep a handful of dense vectors with an entry for every feature.
constexpr Index feature_limit = 50000000;

// Several machines are fitted, one for each side of a code or one for each part of a calibration.
bool several_machines(const FitSettings& settings) {
  return settings.multiclass.multiclass != Strategy::joint ||
         settings.multiclass.calibrate != CalibrationKind::none;
}

bool asks_inference(const FitSettings& settings) {
  return settings.inference.intervals != Intervals::none && has_inference(settings.options);
}
// Why a fit with these settings has no standard errors, whatever the trainer knows; empty: it may.
std::string no_inference(const FitSettings& settings) {
  if (several_machines(settings)) return "machines for two sides, or a calibration, have none as a whole";
  if (settings.before != nullptr && !settings.warm_start())
    return "the rows that the fit goes on from are not here";
  return settings.class_weight.empty() ? "" : "with class weights it is no likelihood of the rows";
}

bool gives_probabilities(const FitSettings& settings, const ModelEntry& entry) {
  const auto* radial = std::get_if<RbfNetwork>(&settings.options);
  if (radial != nullptr && radial->loss == RbfLoss::logistic) return true;
  return entry.probabilities || settings.multiclass.calibrate != CalibrationKind::none;
}

void check(const FitSettings& settings, const ModelEntry& entry, const Table& table) {
  if (table.rows() == 0) throw Error(Code::data, "the table has no rows", {table.file, 0, ""});
  if (table.schema.size() == 0)
    throw Error(Code::data, "the table has no feature columns", {table.file, 0, ""});
  if (table.schema.size() > feature_limit)
    throw Error(Code::memory,
                fmt::format("{} features, and the limit is {}", table.schema.size(), feature_limit),
                {table.file, 0, ""});
  if (settings.task == Task::regression && !entry.regression)
    throw Error(
        Code::usage,
        fmt::format("'{}' is a classifier; for `task` regression take least-squares or mlp", entry.name));
  check_decidable(entry.name, settings.task, gives_probabilities(settings, entry), settings.decision);
  if (settings.multiclass.decision == Combining::unanimous && !settings.decision.empty())
    throw Error(
        Code::usage,
        "`decision` unanimous excludes `threshold`, `cost`, `risk` and `reject`: there the probabilities "
        "decide, and every row has some");
  if (settings.keep_statistics) check_continues(entry.name, settings.options);
  if (settings.keep_statistics && several_machines(settings))
    throw Error(Code::usage,
                "`keep_statistics` is for one machine: no statistics of several can go on, so leave out "
                "`multiclass` and `calibrate`");
  if (settings.keep_statistics && settings.class_weight == "balanced")
    throw Error(Code::usage,
                "`keep_statistics`: what is balanced changes with the rows to come; give `class_weight` as "
                "LABEL=WEIGHT,...");
  if (settings.task == Task::regression) check(settings.multiclass, 0);
  if (several_machines(settings) && std::holds_alternative<RbfNetwork>(settings.options))
    throw Error(
        Code::usage,
        "`multiclass` and `calibrate` fit several machines, and each rbf-network would have units of its "
        "own; take `basis` rbf:N:kmeans with a linear model");
  if (settings.multiclass.multiclass != Strategy::joint && std::holds_alternative<Mlp>(settings.options))
    throw Error(
        Code::usage,
        "`multiclass`: the scores of an mlp share its hidden units, so it has no machines of its own for "
        "each class; leave it out");
  for (const auto& field : fields_of(settings.options))
    if (settings.multiclass.multiclass != Strategy::joint && field.name == "priors" &&
        field.value.find('=') != std::string::npos)
      throw Error(
          Code::usage,
          fmt::format("`priors` {}: priors of single classes are for `multiclass` joint; for machines "
                      "of two sides take shares or equal",
                      field.value));
  if (!settings.reference.empty() && std::holds_alternative<NaiveBayes>(settings.options))
    throw Error(Code::usage,
                "`reference`: naive-bayes has a probability for every level of a text; leave it out");
  if (settings.task == Task::regression && !(settings.positive.empty() && settings.class_weight.empty()))
    throw Error(Code::usage, "`positive` and `class_weight` are for classification");
}

// A fit that starts at weights is one of the new rows alone, so they must have what every fit needs. The sum
// of a kernel perceptron goes on with any.
void check_every_class(const TrainingSet& set, const FitSettings& settings) {
  if (!settings.warm_start() || std::holds_alternative<KernelPerceptron>(settings.options)) return;
  std::vector<bool> found(set.classes.size());
  for (const std::int32_t label : set.labels) found[static_cast<std::size_t>(label)] = true;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!found[k])
      throw Error(Code::data,
                  fmt::format("no row has the label '{}', a class of the model: a fit that starts at its "
                              "weights is one of these rows alone, and needs some of every class",
                              set.classes[k]),
                  {set.table.file, 0, settings.target});
}

// True when no cell changes on its way through the pipeline.
bool passes_through(const Pipeline& pipeline, Index missing) {
  for (const auto& step : pipeline.steps()) {
    const auto* impute = std::get_if<Impute>(&step);
    if (impute == nullptr || !impute->indicators.empty()) return false;
  }
  return missing == 0;
}

// Makes the pipeline, and counts the missing cells that it fills in. False: the monitor stopped it, and it
// has the centres so far.
bool make_pipeline(TrainingSet& set, const FitSettings& settings, FitOutcome& outcome) {
  for (std::size_t j = 0; j < set.table.noticed.size(); ++j) {
    const Index missing = set.table.noticed[j].missing;
    outcome.imputed += missing;
    if (missing > 0)
      outcome.imputed_columns.emplace_back(set.table.schema.name(static_cast<Index>(j)), missing);
  }
  if (settings.before == nullptr) {
    bool interrupted = false;
    if (settings.rare > 0) outcome.pooled = pool_rare_levels(set.table, settings.rare);
    const bool drop_first = !every_level(settings.options) || !settings.reference.empty();
    outcome.model.pipeline = fit_pipeline(set.table, set.targets.weights,
                                          {.impute = settings.impute || settings.drop_missing,
                                           .indicate = settings.missing_indicators,
                                           .encode = settings.encode,
                                           .drop_first = drop_first,
                                           .date_parts = settings.date_parts,
                                           .basis = settings.basis,
                                           .standardize = settings.standardize,
                                           .seed = settings.seed,
                                           .monitor = settings.monitor},
                                          settings.whole_or_nothing ? nullptr : &interrupted);
    return !interrupted;
  }
  // That of the earlier fit stays: its fill values, levels and scales, and the columns in its order.
  outcome.model.pipeline = settings.before->pipeline;
  set.table.x = arrange(set.table, outcome.model.pipeline,
                        {.refuse_missing = !settings.impute && !settings.drop_missing,
                         .unseen_advice = "a fit that goes on keeps the categories of its model: leave such "
                                          "rows out, or fit all rows anew"})
                    .x;
  set.table.schema = outcome.model.pipeline.input();
  return true;
}

// Who stops a fit behind a basis wants an end at once, but what it took to place centres should not be lost:
// lets formulas be made to their end, and of iterations the first.
Monitor end_soon() {
  const auto start = std::chrono::steady_clock::now();
  return [start](const Progress& progress) {
    if (!progress.iterative && progress.stage != "fitting") return true;
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(5)) return false;
    return progress.iterative ? progress.done < 1 : progress.done <= progress.total / 20;
  };
}

// The targets y = t b of least squares with sizes b of the user's.
std::vector<double> sized_targets(const FitSettings& settings, const Table& table, const TrainingSet& set) {
  const std::string& path = std::get<LeastSquares>(settings.options).targets;
  if (set.classes.size() != 2)
    throw Error(Code::usage,
                fmt::format("`targets` {}: a file of targets is for two classes, and there are {}", path,
                            set.classes.size()));
  if (static_cast<Index>(settings.target_sizes.size()) != table.rows())
    throw Error(Code::data,
                fmt::format("found {} targets, expected {}: one for every row of the data",
                            settings.target_sizes.size(), table.rows()),
                {path, 0, ""});
  std::vector<double> targets;
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    const double size = settings.target_sizes[set.rows.empty() ? i : static_cast<std::size_t>(set.rows[i])];
    targets.push_back(set.targets.labels[i] == 1 ? size : -size);
  }
  return targets;
}

// The priors that the probabilities will stand for: the shares of the classes in the weight, or what is set.
Vector fitted_priors(const TrainingSet& set, const ModelOptions& options) {
  Vector weights = Vector::Zero(static_cast<Index>(set.classes.size()));
  for (std::size_t i = 0; i < set.labels.size(); ++i)
    weights[set.labels[i]] += set.targets.weights.empty() ? 1.0 : set.targets.weights[i];
  return std::visit(
      [&](const auto& o) -> Vector {
        if constexpr (requires { o.priors; })
          if (o.priors != "shares") return parse_priors(o.priors, set.classes);
        return weights / weights.sum();
      },
      options);
}

// What a model that goes on from another has of that one. A fit that starts at its weights is one of the new
// rows alone.
void add_earlier(const Model& before, const ModelOptions& options, Model& model) {
  if (!model.decision) model.decision = before.decision;
  if (before.statistics.empty() && !std::holds_alternative<KernelSum>(before.predictor)) {
    model.summary.facts.push_back(
        {"start", fmt::format("the weights of a model of {} rows; this is the fit of the new rows alone",
                              before.samples)});
    return;
  }
  model.samples += before.samples;
  model.summary.facts.push_back({"rows_before", static_cast<double>(before.samples)});
  const bool shares = std::visit(
      [](const auto& o) {
        if constexpr (requires { o.priors; }) return o.priors == "shares";
        return false;
      },
      options);
  if (!shares) return;
  // The statistics have the weight of each class, the positive one of two last.
  const Statistic& weights = find_statistic(model.statistics, "weights", {model.priors.size()});
  model.priors = Eigen::Map<const Vector>(weights.values.data(), model.priors.size());
  model.priors /= model.priors.sum();
  if (model.classes.size() == 2 && model.positive == 0) model.priors.reverseInPlace();
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
  return {.source = source,
          .task = settings.task,
          .classes = static_cast<Index>(set.classes.size()),
          .standardize = settings.standardize,
          .indicator = indicator,
          .class_names = class_names,
          .feature_names = feature_names,
          .seed = settings.seed,
          .monitor = settings.monitor,
          .category = category,
          .input = &pipeline.input(),
          .inference = no_inference(settings).empty() ? settings.inference : InferenceRequest{}};
}

}  // namespace

FitOutcome fit_model(const Table& table, const FitSettings& settings) {
  const ModelEntry& entry = entry_of(settings.options);
  check(settings, entry, table);
  TrainingSet set = training_set(table, settings);
  check_every_class(set, settings);
  if (!settings.reference.empty())
    set.table =
        with_references(set.table, settings.references ? *settings.references
                                                       : parse_references(settings.reference, set.table));
  if (settings.multiclass.decision == Combining::unanimous &&
      std::find(set.classes.begin(), set.classes.end(), undecided_name) != set.classes.end())
    throw Error(Code::usage,
                fmt::format("`decision` unanimous: a class is called '{}', the word for rows that are "
                            "not decided",
                            undecided_name));
  if (settings.task == Task::classification && has_target_file(settings.options))
    set.targets.values = sized_targets(settings, table, set);

  FitOutcome outcome;
  outcome.dropped = set.dropped;
  outcome.notes = set.table.notes;
  outcome.leaks = set.leaks;
  Model& model = outcome.model;
  if (gives_probabilities(settings, entry)) model.priors = fitted_priors(set, settings.options);
  if (!settings.decision.empty())
    model.decision = make_decision(settings.decision, {set.classes, set.positive, model.priors});
  bool undisturbed = make_pipeline(set, settings, outcome);

  // Trainers pass over the features several times; they are computed once unless they would not fit.
  const PipelineSource lazy(set.table.x, model.pipeline, set.targets);
  Features features;
  const double bytes = 8.0 * static_cast<double>(lazy.rows()) * static_cast<double>(lazy.cols());
  const bool direct = passes_through(model.pipeline, outcome.imputed);
  const bool stored = !direct && (lazy.sparse() || bytes < 4e9);
  if (stored) features = materialize(lazy);
  const MemorySource memory(set.table.x, set.targets);
  const StoredSource computed(lazy, features, set.targets);
  const Source& source = direct   ? static_cast<const Source&>(memory)
                         : stored ? static_cast<const Source&>(computed)
                                  : lazy;

  Training training = make_training(source, set, settings, model.pipeline);
  if (!undisturbed) training.monitor = end_soon();
  training.keep_statistics = settings.keep_statistics;
  if (!several_machines(settings) && settings.on_training != OnTraining::nothing)
    training.rows = &set.table.row_numbers;
  if (settings.warm_start())
    training.start = &settings.before->predictor;
  else if (settings.before != nullptr)
    training.before = &settings.before->statistics;
  std::optional<TraceFile> trace;
  if (!settings.trace.empty()) trace.emplace(settings.trace, source, set.table.row_numbers, settings.seed);
  const bool watched = settings.watch && !several_machines(settings);
  if (trace || watched)
    training.trace = {[&](const TraceStep& step) {
                        if (trace) trace->write(step);
                        if (watched) settings.watch(step);
                      },
                      settings.trace_every};
  const Trainer trainer = [&](const Training& on) {
    if (settings.trainer) return settings.trainer(on);
    return std::visit([&](const auto& options) { return fit(options, on); }, settings.options);
  };
  const auto train = [&] {
    return settings.task == Task::classification
               ? fit_reduced(trainer, training, settings.multiclass, loss_of(settings.options))
               : Reduced{trainer(training), {}};
  };
  Reduced reduced;
  try {
    reduced = train();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted || settings.basis.empty() || settings.whole_or_nothing) throw;
    undisturbed = false;
    training.monitor = end_soon();
    reduced = train();
  }
  Fitted& fitted = reduced.fitted;
  model.reduction = std::move(reduced.reduction);
  if (fitted.basis) {
    // `lazy` looks at the model's pipeline, and from here on includes the step.
    std::vector<Step> steps = model.pipeline.steps();
    steps.push_back(*fitted.basis);
    model.pipeline = Pipeline(set.table.schema, std::move(steps));
  }
  const Source& judged = fitted.basis ? lazy : source;
  if (trace) trace->finish(fitted, judged);
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
  if (!undisturbed) {
    model.summary.interrupted = true;
    model.summary.converged = false;
  }
  if (outcome.pooled > 0) model.summary.facts.push_back({"rare_levels", static_cast<double>(outcome.pooled)});
  model.statistics = std::move(fitted.statistics);
  if (settings.before != nullptr) add_earlier(*settings.before, settings.options, model);
  model.inference = std::move(fitted.inference);
  if (const std::string reason = no_inference(settings); !reason.empty() && asks_inference(settings))
    model.inference = Inference{.absent = reason};
  outcome.projection = std::move(fitted.projection);

  const auto fitted_at = std::chrono::steady_clock::now();
  // A rule that leaves rows undecided says in the model how many.
  const bool counts_undecided = model.reduction && model.reduction->combining == Combining::unanimous;
  const bool predicts = settings.on_training == OnTraining::predictions ||
                        (settings.on_training == OnTraining::warnings && counts_undecided);
  outcome.predicted = predicts && uninterrupted([&] {
                        if (better_by_blocks(model, judged.rows()))
                          outcome.judged = judge_rows(model, judged, set.labels, set.targets.weights,
                                                      outcome.train.labels, settings.judging);
                        else
                          outcome.train = predict_rows(model, judged, false, settings.judging);
                      });
  outcome.predict_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - fitted_at).count();
  if (outcome.predicted && counts_undecided) {
    const auto& labels = outcome.train.labels;
    model.summary.facts.push_back(
        {"ambiguous_rows", static_cast<double>(std::count(labels.begin(), labels.end(), undecided))});
  }
  outcome.train_labels = std::move(set.labels);
  outcome.train_targets = std::move(set.targets.values);
  outcome.train_weights = std::move(set.targets.weights);
  return outcome;
}

}  // namespace discern
