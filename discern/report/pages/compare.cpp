#include "discern/report/pages/compare.hpp"

#include <fmt/format.h>

#include "discern/evaluate/paired_test.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr double two_sided_95 = 1.96;

Figure ranking_figure(const ComparePage& compare) {
  Json rows = Json::array();
  for (const Contender& one : compare.comparison.ranking) {
    if (!one.score.mean) continue;
    Json row{{"name", one.model}, {"value", number(*one.score.mean)}};
    if (one.score.se) {
      row["low"] = number(*one.score.mean - two_sided_95 * *one.score.se);
      row["high"] = number(*one.score.mean + two_sided_95 * *one.score.se);
    }
    row["note"] =
        one.p_value ? fmt::format("differs from the best with p = {}", rounded(*one.p_value, 3)) : "the best";
    rows.push_back(std::move(row));
  }
  if (compare.comparison.baseline.mean)
    rows.push_back({{"name", "(baseline)"},
                    {"value", number(*compare.comparison.baseline.mean)},
                    {"note", "always the most frequent class, or the mean"}});
  Figure figure{
      "ranking", "The models, ranked",
      fmt::format(
          "The mean {} over the folds with 95 % intervals, the best first; {} is better. Models whose "
          "intervals overlap widely may as well be equally good: the fold-by-fold picture and the test "
          "in the table tell more.",
          compare.metric.title, compare.metric.higher ? "more" : "less")};
  figure.data = text_of({{"kind", "forest"},
                         {"axis", compare.metric.title},
                         {"free", true},
                         {"groups", {{{"name", "models"}, {"rows", rows}}}}});
  return figure;
}

// A line a fold through the models, so that one sees who wins where.
std::optional<Figure> folds_compared(const ComparePage& compare) {
  const auto& ranking = compare.comparison.ranking;
  if (ranking.size() < 2 || ranking.front().scores.empty()) return std::nullopt;
  Json layers = Json::array();
  Numbers all, places;
  std::vector<std::string> names;
  for (std::size_t m = 0; m < ranking.size(); ++m)
    places.push_back(static_cast<double>(m)), names.push_back(ranking[m].model);
  for (std::size_t f = 0; f < ranking.front().scores.size(); ++f) {
    Numbers y;
    for (const Contender& one : ranking) {
      y.push_back(f < one.scores.size() && one.scores[f] ? *one.scores[f] : std::nan(""));
      if (y.back() == y.back()) all.push_back(y.back());
    }
    layers.push_back(line(places, y, {{"color", "soft"}, {"thin", true}, {"end", ""}, {"dots", true}}));
  }
  Numbers means;
  for (const Contender& one : ranking) means.push_back(one.score.mean.value_or(std::nan("")));
  layers.push_back(line(places, means, {{"color", 1}, {"dots", true}, {"name", "mean"}}));
  const auto [low, high] = range_of(all);
  Figure figure{
      "folds", "Fold by fold",
      "Each thin line is one fold, the same rows for every model. Lines that run together say that the folds "
      "differ more than the models do; what counts is whether a model is above another in most folds."};
  figure.data = text_of(plots({plot(axis("model", -0.4, static_cast<double>(ranking.size()) - 0.6,
                                         {{"ticks", {{"at", places}, {"text", names}}}}),
                                    axis(std::string(compare.metric.title), low, high), layers)}));
  return figure;
}

// Of each model the differences from the best, a dot a fold, and the interval of their mean.
std::optional<Figure> differences_figure(const ComparePage& compare) {
  const auto& ranking = compare.comparison.ranking;
  Numbers x, y, at, low, high, mean_x, mean_y, places;
  std::vector<std::string> names, labels;
  for (std::size_t m = 1; m < ranking.size(); ++m) {
    const double place = static_cast<double>(m);
    std::vector<double> differences;
    for (std::size_t f = 0; f < ranking[m].scores.size(); ++f) {
      if (!ranking[m].scores[f] || !ranking[0].scores[f]) continue;
      differences.push_back(*ranking[m].scores[f] - *ranking[0].scores[f]);
      x.push_back(place - 0.12);
      y.push_back(differences.back());
      labels.push_back(fmt::format("{}, fold {}", ranking[m].model, f + 1));
    }
    places.push_back(place);
    names.push_back(ranking[m].model);
    const auto interval = corrected_interval(differences, compare.comparison.test_ratio);
    if (!interval) continue;
    at.push_back(place + 0.12);
    low.push_back(interval->first);
    high.push_back(interval->second);
    mean_x.push_back(at.back());
    mean_y.push_back((interval->first + interval->second) / 2);
  }
  if (at.empty()) return std::nullopt;
  Numbers all{0};
  for (const Numbers* part : {&y, &low, &high}) all.insert(all.end(), part->begin(), part->end());
  const auto [bottom, top] = range_of(all);
  Json layers = Json::array();
  layers.push_back(
      {{"type", "rule"}, {"y", 0}, {"text", fmt::format("as {}", ranking[0].model)}, {"color", "ink"}});
  layers.push_back(points(x, y, {{"color", 0}, {"size", 44}, {"label", labels}, {"name", "one fold"}}));
  layers.push_back({{"type", "errors"},
                    {"x", numbers(at)},
                    {"low", numbers(low)},
                    {"high", numbers(high)},
                    {"color", 1},
                    {"name", "95 % interval of the mean"}});
  layers.push_back(points(mean_x, mean_y, {{"color", 1}, {"shape", 3}, {"size", 70}, {"name", "mean"}}));
  Figure figure{
      "differences", fmt::format("Fold by fold against {}", ranking[0].model),
      fmt::format(
          "How much {} each model has than the best on the same fold. Folds share training rows, so the "
          "interval is that of the corrected test of Nadeau and Bengio, which is wider than the dots "
          "alone suggest. An interval that holds 0 says that the two cannot be told apart.",
          compare.metric.higher ? fmt::format("less {}", compare.metric.title)
                                : fmt::format("more {}", compare.metric.title))};
  figure.formula = "d̄ ± t_{J−1} √( (1/J + n_test/n_train) s² )";
  figure.data = text_of(
      plots({plot(axis("model", 0.5, static_cast<double>(ranking.size()) - 0.5,
                       {{"ticks", {{"at", places}, {"text", names}}}}),
                  axis(fmt::format("difference of {}", compare.metric.title), bottom, top), layers)}));
  return figure;
}

Figure tests_table(const ComparePage& compare) {
  Json rows = Json::array();
  for (const Contender& one : compare.comparison.ranking) {
    std::string chosen;
    if (!one.chosen.empty())
      for (const auto& [name, value] : one.chosen.front().first)
        chosen += fmt::format("{}{} = {}", chosen.empty() ? "" : ", ", name, value);
    rows.push_back({one.model, one.score.mean ? number(*one.score.mean) : Json(nullptr),
                    one.score.se ? number(*one.score.se) : Json(nullptr),
                    one.p_value ? number(*one.p_value) : Json(nullptr), chosen});
  }
  for (const Contender& one : compare.comparison.left_out)
    rows.push_back({one.model, nullptr, nullptr, nullptr, "left out: " + one.left_out});
  Figure figure{
      "tests", "Is the best really better?",
      "The corrected resampled t-test of Nadeau and Bengio between each model and the best. Below 0.05 the "
      "difference is more than the choice of folds explains. The options are those chosen most often inside "
      "the folds."};
  figure.data = text_of({{"kind", "table"},
                         {"columns",
                          {"model", std::string("mean ") + std::string(compare.metric.title),
                           "standard error", "p", "options"}},
                         {"rows", rows}});
  return figure;
}

}  // namespace

Page compare_page(const ComparePage& compare) {
  const Comparison& comparison = compare.comparison;
  Page page{fmt::format("{}: models compared", shortened(compare.file, 60)), "compare"};
  page.summary.push_back(fmt::format(
      "{} on {} of {}, in {}, by {}.", counted(static_cast<Index>(comparison.ranking.size()), "model"),
      counted(comparison.rows, "row"), shortened(compare.file, 60), compare.folds, compare.metric.title));
  if (!comparison.ranking.empty()) {
    const Contender& best = comparison.ranking.front();
    std::size_t equal = 0;
    for (const Contender& one : comparison.ranking) equal += one.p_value && *one.p_value >= 0.05 ? 1 : 0;
    page.summary.push_back(
        fmt::format("The best is {} with {} {}{}. {} of the others cannot be told from it at 5 %.",
                    best.model, compare.metric.title, rounded(best.score.mean),
                    best.score.se ? " ± " + rounded(*best.score.se, 2) : "", equal));
    page.figures.push_back(ranking_figure(compare));
    if (auto figure = folds_compared(compare)) page.figures.push_back(std::move(*figure));
    if (auto figure = differences_figure(compare)) page.figures.push_back(std::move(*figure));
    page.figures.push_back(tests_table(compare));
  }
  page.warnings = compare.warnings;
  return page;
}

}  // namespace discern::report
