#include "discern/report/pages/cv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "discern/report/figures/judged.hpp"
#include "discern/report/pages/words.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr double about_95 = 1.96;

// What no mean of such a measure can exceed: an interval that goes beyond tells nothing there.
std::pair<double, double> possible(const Measure& measure) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!measure.higher) return {0, none};
  if (measure.task == Task::regression) return {-none, 1};  // R²
  const bool share = measure.share || measure.name == "auc" || measure.name == "average_precision";
  return {share ? 0 : -1, 1};
}

struct Band {
  double low, high;
};
Band band_of(const Estimate& estimate, const Measure& measure) {
  const auto [least, most] = possible(measure);
  const double half = about_95 * estimate.se.value_or(0);
  return {std::max(least, *estimate.mean - half), std::min(most, *estimate.mean + half)};
}

std::vector<const Measure*> shown_measures(Task task) {
  std::vector<const Measure*> list;
  const std::vector<std::string_view> names =
      task == Task::classification ? std::vector<std::string_view>{"accuracy", "log_loss", "auc", "brier"}
                                   : std::vector<std::string_view>{"rmse", "mae", "r2"};
  list.reserve(names.size());
  for (const std::string_view name : names) list.push_back(&find_measure(name, task));
  return list;
}

std::optional<Json> fold_panel(const Validation& validation, const Measure& measure) {
  Numbers x, y;
  std::vector<std::string> names;
  for (const FoldOutcome& fold : validation.folds) {
    const auto value = measure.value(fold.judged);
    if (!value) continue;
    x.push_back(static_cast<double>(fold.fold + 1));
    y.push_back(*value);
    names.push_back(
        fmt::format("repeat {}, fold {}: {} rows tested", fold.repeat + 1, fold.fold + 1, fold.test_rows));
  }
  const Estimate estimate = estimate_of(validation, measure);
  if (x.size() < 2 || !estimate.mean) return std::nullopt;
  Json layers = Json::array();
  const double last = *std::max_element(x.begin(), x.end());
  Numbers all = y;
  if (estimate.se) {
    const auto [low, high] = band_of(estimate, measure);
    layers.push_back(area({0, last + 1}, {low, low}, {high, high},
                          {{"color", "soft"}, {"name", "95 % interval of the mean"}}));
    all.push_back(low);
    all.push_back(high);
  }
  layers.push_back({{"type", "rule"}, {"y", *estimate.mean}, {"text", "mean"}, {"color", "ink"}});
  layers.push_back(points(x, y, {{"color", 0}, {"label", names}, {"size", 56}}));
  const auto [low, high] = range_of(all, 0.1);
  return plot(axis("fold", 0.5, last + 0.5, {{"whole", true}}), axis(std::string(measure.title), low, high),
              layers, {{"title", measure.title}});
}

std::optional<Figure> folds_figure(const CvPage& cv, const Validation& validation) {
  Json panels = Json::array();
  Figure figure{
      "folds", "Fold by fold",
      "Each dot is a model that was fitted on the other folds and judged on this one, whose rows it had not "
      "seen. The band is where the mean lies; the spread of the dots says how much depends on which rows one "
      "happens to have."};
  for (const Measure* measure : shown_measures(cv.settings.task)) {
    auto panel = fold_panel(validation, *measure);
    if (!panel) continue;
    panels.push_back(std::move(*panel));
    const Estimate estimate = estimate_of(validation, *measure);
    figure.numbers.emplace_back(
        std::string(measure->title),
        rounded(estimate.mean) + (estimate.se ? " ± " + rounded(*estimate.se, 2) : ""));
  }
  if (panels.empty()) return std::nullopt;
  figure.formula = "se = s / √K";
  figure.data = text_of(plots(panels));
  return figure;
}

Figure grid_figure(const CvPage& cv) {
  Json rows = Json::array();
  for (std::size_t v = 0; v < cv.grid.size(); ++v) {
    const Validation& validation = cv.result.variants[v];
    const Estimate estimate = validation.failed.empty() ? estimate_of(validation, cv.metric) : Estimate{};
    if (!estimate.mean) continue;
    Json row{{"name", cv.grid[v]}, {"value", number(*estimate.mean)}};
    if (estimate.se) {
      const Band band = band_of(estimate, cv.metric);
      row["low"] = number(band.low);
      row["high"] = number(band.high);
    }
    rows.push_back(std::move(row));
  }
  Figure figure{
      "grid", "The values tried",
      fmt::format("The mean {} over the folds for each set of options, with 95 % intervals. {} is better.",
                  cv.metric.title, cv.metric.higher ? "More" : "Less")};
  figure.data = text_of({{"kind", "forest"},
                         {"axis", cv.metric.title},
                         {"free", true},
                         {"groups", {{{"name", "options"}, {"rows", rows}}}}});
  return figure;
}

Figure learning_curve(const CvPage& cv) {
  Numbers x, test, low, high, x_train, train;
  for (const Validation& validation : cv.result.variants) {
    const Estimate estimate = estimate_of(validation, cv.metric),
                   own = training_estimate_of(validation, cv.metric);
    double rows = 0;
    for (const FoldOutcome& fold : validation.folds) rows += static_cast<double>(fold.train_rows);
    rows /= static_cast<double>(std::max<std::size_t>(1, validation.folds.size()));
    if (own.mean) x_train.push_back(rows), train.push_back(*own.mean);
    if (!estimate.mean) continue;
    x.push_back(rows);
    test.push_back(*estimate.mean);
    const Band band = band_of(estimate, cv.metric);
    low.push_back(band.low);
    high.push_back(band.high);
  }
  Json layers = Json::array();
  layers.push_back(area(x, low, high, {{"color", 0}, {"name", "95 % interval"}}));
  layers.push_back(line(
      x_train, train, {{"color", 1}, {"dots", true}, {"dash", "dashed"}, {"name", "on the training rows"}}));
  layers.push_back(line(x, test, {{"color", 0}, {"dots", true}, {"name", "on rows not seen"}}));
  Numbers all = low;
  all.insert(all.end(), high.begin(), high.end());
  all.insert(all.end(), train.begin(), train.end());
  const auto [bottom, top] = range_of(all);
  Figure figure{"learning-curve", "Would more rows help?",
                "The score by the number of training rows. Where both curves have met, more rows of the same "
                "kind bring "
                "little; a gap that is still closing says that more would help."};
  figure.data = text_of(plots({plot(
      axis("training rows", x.empty() ? 1 : x.front() / 1.1, x.empty() ? 2 : x.back() * 1.1, {{"log", true}}),
      axis(std::string(cv.metric.title), bottom, top), layers)}));
  return figure;
}

}  // namespace

AllFolds all_folds(const CrossValidation& result) {
  AllFolds all;
  if (result.predictions.empty() || result.classes.empty()) return all;
  Index rows = 0;
  for (const FoldPrediction& fold : result.predictions) rows += static_cast<Index>(fold.rows.size());
  const Prediction& first = result.predictions.front().said;
  all.said.scores.resize(rows, first.scores.cols());
  if (first.proba.size() > 0) all.said.proba.resize(rows, first.proba.cols());
  Index at = 0;
  for (const FoldPrediction& fold : result.predictions) {
    const auto count = static_cast<Index>(fold.rows.size());
    // A fold whose training rows lack a class may have no score for it.
    if (fold.said.scores.cols() != first.scores.cols() || fold.said.proba.cols() != first.proba.cols())
      return {};
    all.said.scores.middleRows(at, count) = fold.said.scores;
    if (first.proba.size() > 0) all.said.proba.middleRows(at, count) = fold.said.proba;
    all.said.labels.insert(all.said.labels.end(), fold.said.labels.begin(), fold.said.labels.end());
    all.labels.insert(all.labels.end(), fold.labels.begin(), fold.labels.end());
    at += count;
  }
  return all;
}

Page cv_page(const CvPage& cv) {
  const CrossValidation& result = cv.result;
  Page page{
      fmt::format("{}: {} in cross-validation", shortened(cv.file, 60), entry_of(cv.settings.options).name),
      "cv"};
  const Validation& first = result.variants.front();
  page.summary.push_back(fmt::format(
      "{} was fitted and judged on {} of {} in {}: each row was judged by a model that had not seen it.",
      entry_of(cv.settings.options).name, counted(result.rows, "row"), shortened(cv.file, 60), cv.folds));
  const bool classification = cv.settings.task == Task::classification;
  if (cv.grid.empty() && cv.shares.empty())
    page.summary.push_back(classification ? quality_sentence(first.pooled.metrics, "these rows")
                                          : quality_sentence(first.pooled.regression, "these rows"));
  page.warnings = result.warnings;
  if (!cv.grid.empty()) page.figures.push_back(grid_figure(cv));
  if (!cv.shares.empty()) page.figures.push_back(learning_curve(cv));
  if (!cv.grid.empty() || !cv.shares.empty()) return page;
  if (auto figure = folds_figure(cv, first)) page.figures.push_back(std::move(*figure));
  if (!classification || result.predictions.empty()) return page;
  const AllFolds all = all_folds(result);
  if (all.labels.empty()) return page;
  const JudgedModel judged{
      result.classes,
      result.positive,
      all.said,
      all.labels,
      {},
      first.pooled.metrics,
      rows_text(static_cast<Index>(all.labels.size()), "row") + " as models said that had not seen them"};
  for (Figure& figure : judged_figures(judged)) page.figures.push_back(std::move(figure));
  return page;
}

}  // namespace discern::report
