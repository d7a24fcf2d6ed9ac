#include "discern/api/path.hpp"

#include "discern/api/tables.hpp"
#include "discern/catalogue/path.hpp"
#include "discern/evaluate/measures.hpp"

namespace discern {
namespace {

PathStep step_of(const PathOutcome& outcome, std::size_t k) {
  const PathPoint& point = outcome.path.points[k];
  const Linear linear = outcome.path.predictor(k);
  PathStep step{.l1 = point.l1,
                .l2 = point.l2,
                .objective = point.objective,
                .nonzero = point.nonzero,
                .explained = point.explained,
                .certificate = point.certificate,
                .converged = point.converged,
                .weights = linear.weights,
                .bias = linear.bias_at_origin()};
  if (k < outcome.scores.size()) {
    step.score = outcome.scores[k].mean;
    step.standard_error = outcome.scores[k].se;
  }
  return step;
}

PathResult followed(const Table& table, const FitSettings& settings, const PathFitOptions& options) {
  PathSettings how;
  how.path.penalty = options.penalty;
  how.path.l1_ratio = options.l1_ratio;
  how.path.fixed = options.fixed;
  how.path.points = options.points;
  how.path.ratio = options.ratio;
  how.folds = options.folds;
  if (!options.metric.empty()) how.metric = &find_measure(options.metric, settings.task);
  return on_threads(options.fit.threads, [&] {
    const PathOutcome outcome = follow_path(table, settings, how);
    PathResult result;
    for (std::size_t k = 0; k < outcome.path.points.size(); ++k) result.steps.push_back(step_of(outcome, k));
    result.feature_names = outcome.fit.model.pipeline.feature_names();
    result.metric = outcome.metric->name;
    if (!outcome.scores.empty()) {
      result.best = outcome.best;
      result.within_se = outcome.within_se;
    }
    result.warnings = outcome.warnings;
    return result;
  });
}

}  // namespace

PathResult path(const ModelOptions& model, const MatrixView& x, const Labels& y,
                const PathFitOptions& options) {
  return followed(training_table(x, y, options.fit),
                  settings_for(model, options.fit, Task::classification, target_name), options);
}

PathResult path_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                           const PathFitOptions& options) {
  return followed(training_table(x, y, options.fit),
                  settings_for(model, options.fit, Task::regression, target_name), options);
}

PathResult path(const ModelOptions& model, const Frame& frame, const std::string& target,
                const PathFitOptions& options, Task task) {
  return followed(training_table(frame, target, task, options.fit),
                  settings_for(model, options.fit, task, target), options);
}

ModelOptions with_penalty_of(const ModelOptions& model, const PathStep& step) {
  return with_penalty(model, step.l1, step.l2);
}

}  // namespace discern
