#include "discern/catalogue/path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/data/select_rows.hpp"

namespace discern {
namespace {

constexpr Measure squared_error{
    "mse", "mean squared error", Task::regression, false, true, false, false, [](const Judged& j) {
      const auto rmse = j.regression.rmse;
      return rmse ? std::optional<double>(*rmse * *rmse) : std::nullopt;
    }};

Summary summary_of(const LinearPath& path, std::size_t k) {
  const PathPoint& point = path.points[k];
  Summary summary;
  summary.solver = "path";
  summary.objective = point.objective;
  summary.iterations = point.iterations;
  summary.converged = point.converged;
  summary.certificate = point.certificate;
  summary.tolerance = path.tolerance;
  return summary;
}

Error without_path(const FitSettings& settings) {
  return Error(Code::usage, fmt::format("the model {} has no path of penalties; least-squares (ridge, lasso, "
                                        "elastic-net), logistic and svm `loss` squared-hinge have one",
                                        entry_of(settings.options).name));
}

LinearPath path_by(const FitSettings& settings, const Training& training, const PathOptions& options) {
  return std::visit(
      [&]<class O>(const O& o) -> LinearPath {
        if constexpr (requires { fit_path(o, training, options); })
          return fit_path(o, training, options);
        else
          throw without_path(settings);
      },
      settings.options);
}

// The whole path on the rows of a table; the outcome's model is that of the last point.
FitOutcome path_of(const Table& table, const FitSettings& settings, const PathOptions& options,
                   LinearPath& path) {
  FitSettings own = settings;
  own.options = with_penalty(settings.options, 1, 1);  // penalised, so that text gets all of its levels
  own.inference = {};
  own.on_training = OnTraining::nothing;
  own.whole_or_nothing = true;
  own.trainer = [&](const Training& training) {
    try {
      path = path_by(settings, training, options);
    } catch (const Error& error) {
      if (error.code() != Code::data || !error.place().file.empty()) throw;
      throw Error(Code::data, error.message(), {table.file, 0, settings.target});
    }
    if (path.points.empty()) throw Error(Code::interrupted, "interrupted before the first point");
    const std::size_t last = path.points.size() - 1;
    return Fitted{path.predictor(last), summary_of(path, last)};
  };
  return fit_model(table, own);
}

struct FoldScores {
  std::vector<std::optional<double>> values;  // a point each
  Index stopped = 0, absent = 0, unseen = 0;
};

FoldScores fold_scores(const EvaluationSet& set, const FitSettings& settings, const PathOptions& options,
                       const Measure& metric, const std::vector<Index>& train,
                       const std::vector<Index>& test) {
  LinearPath path;
  const Table fitted = select_rows(set.table, train);
  FitSettings own = settings;
  own.choose_columns = false;  // that was decided for all folds
  if (!own.reference.empty())
    own.references = present_references(parse_references(own.reference, set.table), fitted);
  Model model = path_of(fitted, own, options, path).model;
  if (path.interrupted) throw Error(Code::interrupted, "interrupted");
  const Table tested = select_rows(set.table, test);
  FoldScores scores;
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    if (!go_on(settings.monitor, {})) throw Error(Code::interrupted, "interrupted");
    model.predictor = path.predictor(k);
    const FoldRun run = judge_fold(set, settings, model, test, tested);
    scores.values.push_back(metric.value(run.judged));
    scores.stopped += path.points[k].converged ? 0 : 1;
    scores.absent = run.absent;
    scores.unseen = run.unseen;
  }
  return scores;
}

// Of equally good points the one with the largest penalty.
void choose(PathOutcome& outcome, const Place& target) {
  const auto better = [&](double a, double b) { return outcome.metric->higher ? a > b : a < b; };
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < outcome.scores.size(); ++k)
    if (const auto mean = outcome.scores[k].mean)
      if (!best || better(*mean, *outcome.scores[*best].mean)) best = k;
  if (!best)
    throw Error(Code::data,
                fmt::format("no fold has a value of the {}, so there is nothing to choose the penalty by",
                            outcome.metric->title),
                target);
  outcome.best = *best;
  const double mean = *outcome.scores[*best].mean, se = outcome.scores[*best].se.value_or(0);
  const double limit = outcome.metric->higher ? mean - se : mean + se;
  outcome.within_se = *best;
  for (std::size_t k = 0; k < *best; ++k)
    if (const auto here = outcome.scores[k].mean; here && !better(limit, *here)) {
      outcome.within_se = k;
      break;
    }
}

void validate(const Table& table, const FitSettings& settings, const PathSettings& path,
              PathOutcome& outcome) {
  const EvaluationSet set = evaluation_set(table, settings, path.group);
  const Folds folds = make_folds(set.rows, *path.folds);
  PathOptions options = path.path;
  options.given.clear();
  for (const PathPoint& point : outcome.path.points) options.given.push_back({point.l1, point.l2});
  std::vector<FoldScores> all(static_cast<std::size_t>(folds.count()));
  for_each_fold(set, folds.count(), "cross-validating the path", settings.monitor,
                [&](Index k, const Monitor& monitor) {
                  FitSettings own = settings;
                  own.monitor = monitor;
                  const std::vector<Index> train = folds.train(k);
                  try {
                    all[static_cast<std::size_t>(k)] =
                        fold_scores(set, own, options, *outcome.metric, train, folds.test(k));
                  } catch (const Error& error) {
                    throw in_fold(error, k, static_cast<Index>(train.size()), set.rows.count);
                  }
                });
  for (std::size_t k = 0; k < outcome.path.points.size(); ++k) {
    std::vector<double> values;
    for (const FoldScores& fold : all)
      if (fold.values[k]) values.push_back(*fold.values[k]);
    outcome.scores.push_back(mean_and_error(values, folds.per_repeat()));
  }
  Index stopped = 0, absent = 0, unseen = 0;
  for (const FoldScores& fold : all) {
    stopped += fold.stopped;
    absent += fold.absent;
    unseen += fold.unseen;
  }
  if (stopped > 0)
    outcome.warnings.push_back(fmt::format("{} of {} points in the folds did not converge", stopped,
                                           all.size() * outcome.path.points.size()));
  if (absent > 0) outcome.warnings.push_back(absent_text(absent));
  if (unseen > 0) outcome.warnings.push_back(unseen_text(unseen));
  choose(outcome, {table.file, 0, settings.target});
}

}  // namespace

void check_path(const FitSettings& settings) {
  if (settings.multiclass.multiclass != Strategy::joint ||
      settings.multiclass.calibrate != CalibrationKind::none)
    throw Error(Code::usage, "`multiclass` and `calibrate` do not go with a path: it is that of one machine");
  std::visit(
      [&]<class O>(const O& o) {
        if constexpr (requires { check_path(o); })
          check_path(o);
        else
          throw without_path(settings);
      },
      settings.options);
}

const Measure& path_measure(const FitSettings& settings) {
  if (settings.task == Task::regression) return squared_error;
  return find_measure(entry_of(settings.options).probabilities ? "log_loss" : "error", settings.task);
}

ModelOptions with_penalty(ModelOptions options, double l1, double l2) {
  std::visit(
      [&](auto& o) {
        if constexpr (requires { o.l1; }) {
          o.l1 = l1;
          o.l2 = l2;
        }
      },
      options);
  return options;
}

PathOutcome follow_path(const Table& table, const FitSettings& settings, const PathSettings& path) {
  check_path(settings);
  PathOutcome outcome;
  outcome.metric = path.metric != nullptr ? path.metric : &path_measure(settings);
  outcome.fit = path_of(table, settings, path.path, outcome.path);
  Index stopped = 0;
  for (const PathPoint& point : outcome.path.points) stopped += point.converged ? 0 : 1;
  if (stopped > 0)
    outcome.warnings.push_back(
        fmt::format("{} of {} points did not converge", stopped, outcome.path.points.size()));
  if (path.folds && !outcome.path.interrupted) validate(table, settings, path, outcome);
  return outcome;
}

}  // namespace discern
