#include "discern/catalogue/cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/catalogue/possible_leaks.hpp"

namespace discern {
namespace {

// A variant in a fold: what came of it, or why nothing did.
struct Trial {
  FoldRun run;
  std::optional<Error> error = {};
};
using FoldRuns = std::vector<Trial>;  // a variant each

FoldRuns run_variants(const EvaluationSet& set, const FitSettings& settings,
                      const CrossValidationOptions& options, const std::vector<Variant>& variants,
                      const Folds& folds, Index k) {
  FoldRuns runs;
  const std::vector<Index> all = folds.train(k);
  for (const Variant& variant : variants) {
    FitSettings own = settings;
    own.options = variant.options;
    const std::vector<Index> train =
        variant.share < 1 ? thin_rows(all, set.rows, variant.share, options.folds) : all;
    Trial& trial = runs.emplace_back();
    try {
      trial.run = run_fold(set, own, train, folds.test(k), options.judge_training);
      trial.run.model = {};  // it has said what it had to say
    } catch (const Error& error) {
      if (error.code() == Code::interrupted) throw;
      trial.run.train_rows = static_cast<Index>(train.size());
      trial.error = in_fold(error, k, trial.run.train_rows, set.rows.count);
    }
  }
  return runs;
}

// The error of the first fold in which the variant could not be fitted.
std::optional<Error> failure_of(const std::vector<FoldRuns>& runs, std::size_t variant) {
  for (const FoldRuns& fold : runs)
    if (fold[variant].error) return fold[variant].error;
  return std::nullopt;
}

// The predictions of all folds under each other.
Prediction stack(const std::vector<const Prediction*>& parts) {
  Prediction all;
  Index rows = 0;
  bool same = true;
  for (const Prediction* part : parts) {
    rows += part->scores.rows() > 0 ? part->scores.rows() : static_cast<Index>(part->labels.size());
    all.labels.insert(all.labels.end(), part->labels.begin(), part->labels.end());
    same = same && part->scores.cols() == parts[0]->scores.cols();
  }
  if (same) all.scores.resize(rows, parts[0]->scores.cols());
  all.proba.resize(parts[0]->proba.size() > 0 ? rows : 0, parts[0]->proba.cols());
  Index next = 0;
  for (const Prediction* part : parts) {
    const Index count = std::max(part->scores.rows(), static_cast<Index>(part->labels.size()));
    if (all.scores.size() > 0) all.scores.middleRows(next, count) = part->scores;
    if (all.proba.size() > 0) all.proba.middleRows(next, count) = part->proba;
    next += count;
  }
  return all;
}

Validation gather(const EvaluationSet& set, const FitSettings& settings, const Folds& folds,
                  const CrossValidationOptions& options, const std::vector<FoldRuns>& runs,
                  std::size_t variant) {
  Validation validation;
  validation.per_repeat = folds.per_repeat();
  validation.single_rows = options.folds.leave_one_out;
  if (const auto error = failure_of(runs, variant)) validation.failed = error->what();
  std::vector<const Prediction*> said;
  std::vector<Index> rows;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const FoldRun& run = runs[k][variant].run;
    const std::vector<Index> test = folds.test(static_cast<Index>(k));
    FoldOutcome& fold = validation.folds.emplace_back();
    fold.repeat = static_cast<Index>(k) / folds.per_repeat();
    fold.fold = static_cast<Index>(k) % folds.per_repeat();
    fold.train_rows = run.train_rows;
    fold.test_rows = static_cast<Index>(test.size());
    if (!validation.failed.empty()) continue;
    fold.judged = run.judged;
    fold.training = run.training;
    fold.converged = run.converged;
    fold.seconds = run.seconds;
    said.push_back(&run.said);
    rows.insert(rows.end(), test.begin(), test.end());
  }
  if (validation.failed.empty()) validation.pooled = judge_said(set, settings, stack(said), rows);
  return validation;
}

std::vector<FoldPrediction> predictions_of(const EvaluationSet& set, const Folds& folds,
                                           std::vector<FoldRuns>& runs) {
  std::vector<FoldPrediction> all;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    FoldPrediction one{static_cast<Index>(k) / folds.per_repeat(),
                       static_cast<Index>(k) % folds.per_repeat(),
                       folds.test(static_cast<Index>(k)),
                       {},
                       {},
                       std::move(runs[k][0].run.said)};
    for (Index& row : one.rows) {
      const auto i = static_cast<std::size_t>(row);
      if (!set.rows.labels.empty()) one.labels.push_back(set.rows.labels[i]);
      if (!set.targets.empty()) one.targets.push_back(set.targets[i]);
      if (!set.origin.empty()) row = set.origin[i];
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> warnings_of(const EvaluationSet& set, const Folds& folds,
                                     const CrossValidationOptions& options,
                                     const std::vector<FoldRuns>& runs) {
  std::vector<std::string> warnings;
  if (const std::string small = small_classes(set, folds); !small.empty() && !options.folds.leave_one_out)
    warnings.push_back(small);
  Index absent = 0, unseen = 0, stopped = 0, fits = 0;
  for (const FoldRuns& variants : runs)
    for (const auto& [run, error] : variants) {
      if (error) continue;
      absent += run.absent;
      unseen += run.unseen;
      stopped += run.converged ? 0 : 1;
      ++fits;
    }
  if (absent > 0) warnings.push_back(absent_text(absent));
  if (unseen > 0) warnings.push_back(unseen_text(unseen));
  if (stopped > 0) warnings.push_back(fmt::format("{} of {} fits did not converge", stopped, fits));
  return warnings;
}

Estimate fold_estimate(const Validation& validation, const Measure& measure, bool training) {
  std::vector<double> values;
  for (const FoldOutcome& fold : validation.folds)
    if (const auto value = measure.value(training ? fold.training.value_or(Judged{}) : fold.judged))
      values.push_back(*value);
  return mean_and_error(values, validation.per_repeat);
}

}  // namespace

Estimate mean_and_error(const std::vector<double>& values, Index per_repeat) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value;
  mean /= count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  if (values.size() < 2) return {mean, {}};
  const double folds = std::min(count, static_cast<double>(per_repeat));
  return {mean, std::sqrt(squares / (count - 1) / folds)};
}

Estimate estimate_of(const Validation& validation, const Measure& measure) {
  Estimate estimate = fold_estimate(validation, measure, false);
  if (!validation.single_rows) return estimate;
  // Folds of a row each: all of them together are what counts, with their weights. The error is that of rows
  // that weigh the same.
  const auto pooled = measure.value(validation.pooled);
  const bool same =
      pooled && estimate.mean && std::fabs(*pooled - *estimate.mean) <= 1e-9 * std::fabs(*pooled);
  if (!measure.row_mean || !same) estimate.se.reset();
  estimate.mean = pooled;
  return estimate;
}

Estimate training_estimate_of(const Validation& validation, const Measure& measure) {
  return fold_estimate(validation, measure, true);
}

CrossValidation cross_validate(const Table& table, const FitSettings& settings,
                               const CrossValidationOptions& options, const std::vector<Variant>& variants) {
  const EvaluationSet set = evaluation_set(table, settings, options.group);
  const Folds folds = make_folds(set.rows, options.folds);
  std::vector<FoldRuns> runs(static_cast<std::size_t>(folds.count()));
  for_each_fold(set, folds.count(), "cross-validating", settings.monitor,
                [&](Index k, const Monitor& monitor) {
                  FitSettings own = settings;
                  own.monitor = monitor;
                  runs[static_cast<std::size_t>(k)] = run_variants(set, own, options, variants, folds, k);
                });
  std::size_t failed = 0;
  for (std::size_t v = 0; v < variants.size(); ++v) failed += failure_of(runs, v) ? 1 : 0;
  if (failed == variants.size()) throw Error(*failure_of(runs, 0));
  CrossValidation result;
  result.classes = set.classes;
  result.positive = set.positive;
  result.rows = set.rows.count;
  for (std::size_t v = 0; v < variants.size(); ++v)
    result.variants.push_back(gather(set, settings, folds, options, runs, v));
  result.warnings = warnings_of(set, folds, options, runs);
  for (const std::string& column : set.leaks) result.warnings.push_back(leak_text(column, settings.target));
  if (options.keep_predictions) result.predictions = predictions_of(set, folds, runs);
  return result;
}

}  // namespace discern
