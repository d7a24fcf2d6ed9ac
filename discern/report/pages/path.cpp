#include "discern/report/pages/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/report/names.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_lines = 40, most_named = 12;
constexpr Index most_panels = 12;

double strength(const PathPage& path, const PathPoint& point) { return path.by_l1 ? point.l1 : point.l2; }

Numbers strengths_of(const PathPage& path) {
  Numbers x;
  for (const PathPoint& point : path.outcome.path.points) x.push_back(strength(path, point));
  return x;
}

Json penalty_axis(const PathPage& path) {
  const Numbers x = strengths_of(path);
  // As the path runs: from the strongest penalty to the weakest.
  return axis(path.by_l1 ? "penalty l1" : "penalty l2", x.front() * 1.05, std::max(x.back(), 1e-300) / 1.05,
              {{"log", true}});
}

void add_choices(const PathPage& path, Json& layers) {
  if (path.outcome.scores.empty()) return;
  const auto& points = path.outcome.path.points;
  layers.push_back({{"type", "rule"},
                    {"x", number(strength(path, points[path.outcome.best]))},
                    {"text", "best mean"},
                    {"color", "good"}});
  if (path.outcome.within_se != path.outcome.best)
    layers.push_back({{"type", "rule"},
                      {"x", number(strength(path, points[path.outcome.within_se]))},
                      {"text", "one standard error"},
                      {"color", "soft"}});
}

// Of score k: the weights per standard deviation of the features that are largest anywhere on the path.
Json weights_panel(const PathPage& path, Index k, const std::vector<std::string>& features) {
  const LinearPath& linear = path.outcome.path;
  const Numbers x = strengths_of(path);
  std::vector<Numbers> courses(static_cast<std::size_t>(linear.features));
  std::vector<std::pair<double, Index>> sizes;
  for (std::size_t p = 0; p < linear.points.size(); ++p)
    for (const auto& [place, weight] : linear.points[p].weights) {
      if (place / linear.features != k) continue;
      Numbers& course = courses[static_cast<std::size_t>(place % linear.features)];
      course.resize(linear.points.size(), 0.0);
      course[p] = weight * linear.scale[place % linear.features];
    }
  for (Index j = 0; j < linear.features; ++j) {
    double most = 0;
    for (const double w : courses[static_cast<std::size_t>(j)]) most = std::max(most, std::abs(w));
    if (most > 0) sizes.emplace_back(-most, j);
  }
  std::stable_sort(sizes.begin(), sizes.end());
  Json layers = Json::array();
  layers.push_back({{"type", "rule"}, {"y", 0}, {"color", "soft"}, {"dash", "dotted"}});
  Numbers all{0};
  const std::size_t named = linear.scores == 1 ? most_named : most_named / 2;
  for (std::size_t i = std::min(sizes.size(), most_lines); i-- > 0;) {
    const auto j = static_cast<std::size_t>(sizes[i].second);
    Json more{{"color", i < named ? Json(i) : Json("soft")}, {"thin", i >= named}};
    if (i < named) more["end"] = shortened(features[j], 24);
    layers.push_back(line(x, courses[j], more));
    all.insert(all.end(), courses[j].begin(), courses[j].end());
  }
  add_choices(path, layers);
  const auto [low, high] = range_of(all);
  Json panel = plot(penalty_axis(path), axis("weight per standard deviation", low, high), layers,
                    {{"height", linear.scores == 1 ? 0.6 : 0.66}});
  if (linear.scores > 1) panel["title"] = score_names(path.outcome.fit.model)[static_cast<std::size_t>(k)];
  return panel;
}

Figure weights_along(const PathPage& path) {
  const LinearPath& linear = path.outcome.path;
  const std::vector<std::string> features = path.outcome.fit.model.pipeline.feature_names();
  Json panels = Json::array();
  for (Index k = 0; k < std::min(linear.scores, most_panels); ++k)
    panels.push_back(weights_panel(path, k, features));
  Figure figure{
      "weights", "The weights as the penalty falls",
      "From left to right the penalty falls and weights grow; under an l1 penalty they enter one after the "
      "other. What enters early and stays is what the data speak of most clearly."};
  figure.formula = "E(w, b) = Σ_i L(g(x_i), y_i) + l2/2 ‖w‖² + l1 ‖w‖₁";
  if (linear.features > static_cast<Index>(most_lines))
    figure.notes.push_back(
        fmt::format("The {} features with the largest weights, of {}; {} of them in colour.", most_lines,
                    grouped(linear.features), linear.scores == 1 ? most_named : most_named / 2));
  if (linear.scores > most_panels)
    figure.notes.push_back(fmt::format("{} of {} classes.", most_panels, linear.scores));
  figure.data = text_of(plots(panels));
  return figure;
}

std::optional<Figure> choice_figure(const PathPage& path) {
  if (path.outcome.scores.empty()) return std::nullopt;
  Numbers x, mean, low, high;
  for (std::size_t p = 0; p < path.outcome.scores.size(); ++p) {
    const Estimate& score = path.outcome.scores[p];
    if (!score.mean) continue;
    x.push_back(strength(path, path.outcome.path.points[p]));
    mean.push_back(*score.mean);
    low.push_back(*score.mean - score.se.value_or(0));
    high.push_back(*score.mean + score.se.value_or(0));
  }
  Json layers = Json::array();
  layers.push_back(area(x, low, high, {{"color", 0}, {"name", "± one standard error"}}));
  layers.push_back(line(x, mean, {{"color", 0}, {"name", "mean over the folds"}}));
  add_choices(path, layers);
  Numbers all = low;
  all.insert(all.end(), high.begin(), high.end());
  const auto [bottom, top] = range_of(all);
  const PathPoint& best = path.outcome.path.points[path.outcome.best];
  const PathPoint& sparse = path.outcome.path.points[path.outcome.within_se];
  Figure figure{
      "choice", "The choice of the penalty",
      fmt::format(
          "The {} on rows that were not fitted on, for every penalty ({}). The best mean is one choice; "
          "the largest penalty within one standard error of it is a simpler model that is as good as "
          "one can tell.",
          path.outcome.metric->title, path.folds)};
  figure.numbers = {{"best mean at", rounded(strength(path, best))},
                    {"its weights that are not zero", grouped(best.nonzero)},
                    {"one standard error at", rounded(strength(path, sparse))},
                    {"its weights that are not zero ", grouped(sparse.nonzero)}};
  figure.data = text_of(
      plots({plot(penalty_axis(path), axis(std::string(path.outcome.metric->title), bottom, top), layers)}));
  return figure;
}

Figure sparsity_figure(const PathPage& path) {
  Numbers count, explained;
  for (const PathPoint& point : path.outcome.path.points) {
    count.push_back(static_cast<double>(point.nonzero));
    explained.push_back(point.explained);
  }
  const Numbers x = strengths_of(path);
  Json panels = Json::array();
  panels.push_back(
      plot(penalty_axis(path),
           axis("weights that are not zero", 0,
                std::max(1.0, *std::max_element(count.begin(), count.end()) * 1.05), {{"whole", true}}),
           {line(x, count, {{"color", 0}, {"step", true}})}, {{"title", "how many weights"}}));
  panels.push_back(plot(penalty_axis(path), axis("explained", 0, 1, {{"percent", true}}),
                        {line(x, explained, {{"color", 1}})}, {{"title", "what they explain"}}));
  Figure figure{"sparsity", "How many weights, and what they explain",
                "The number of weights that are not zero, and the share of the loss of the bias alone that "
                "the fit takes "
                "away from the training rows."};
  figure.data = text_of(plots(panels));
  return figure;
}

}  // namespace

Page path_page(const PathPage& path) {
  const PathOutcome& outcome = path.outcome;
  const Model& model = outcome.fit.model;
  Page page{fmt::format("{}: the path of {}", shortened(path.file, 60), model.name), "path"};
  const auto& points = outcome.path.points;
  page.summary.push_back(fmt::format("{} fits of {} to {} with {}, under penalties from {} down to {}.",
                                     grouped(static_cast<Index>(points.size())), model.name,
                                     counted(model.samples, "row"), counted(outcome.path.features, "feature"),
                                     rounded(strength(path, points.front())),
                                     rounded(strength(path, points.back()))));
  Index converged = 0;
  for (const PathPoint& point : points) converged += point.converged ? 1 : 0;
  page.summary.push_back(fmt::format("{} of {} fits reached the tolerance {}.", converged, points.size(),
                                     rounded(outcome.path.tolerance, 3)));
  page.warnings = path.warnings;
  page.figures.push_back(weights_along(path));
  if (auto figure = choice_figure(path)) page.figures.push_back(std::move(*figure));
  page.figures.push_back(sparsity_figure(path));
  return page;
}

}  // namespace discern::report
