// Calibration, the confusion table and the scores of the classes.
#include "discern/report/figures/judged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t widest_confusion = 30;
constexpr Index most_bars = 40;

// The classes with the most errors, where there are too many for a table.
std::vector<std::size_t> confused_classes(const JudgedModel& judged) {
  const std::size_t classes = judged.classes.size();
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (classes <= widest_confusion) return order;
  const auto wrong = [&](std::size_t k) {
    return judged.metrics.per_class[k].support - judged.metrics.confusion[k * classes + k];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wrong(a) > wrong(b); });
  order.resize(widest_confusion);
  std::sort(order.begin(), order.end());
  return order;
}

// Equal bins between the 0.1 % and the 99.9 % quantile of the scores, which the ends take the rest of.
std::pair<double, double> inner_range(Numbers values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  const double low = at(0.001), high = at(0.999);
  return high > low ? std::pair{low, high} : std::pair{low - 1, low + 1};
}

}  // namespace

std::optional<Figure> calibration_figure(const JudgedModel& judged) {
  const Metrics& m = judged.metrics;
  if (m.calibration.empty()) return std::nullopt;
  Numbers said, share, low, high, counts(10, 0.0);
  for (const CalibrationBin& bin : m.calibration) {
    said.push_back(bin.probability);
    share.push_back(bin.share);
    const Interval interval = wilson_interval(bin.share, bin.weight);
    low.push_back(interval.low);
    high.push_back(interval.high);
    const auto place = static_cast<std::size_t>(std::clamp(std::ceil(bin.probability * 10) - 1, 0.0, 9.0));
    counts[place] += bin.weight;
  }
  const double most = *std::max_element(counts.begin(), counts.end());
  const std::string of =
      judged.two()
          ? fmt::format("P({})", shortened(judged.classes[static_cast<std::size_t>(judged.positive)], 24))
          : std::string("probability of the likeliest class");
  Json curve = Json::array();
  curve.push_back(line(
      {0, 1}, {0, 1}, {{"color", "soft"}, {"dash", "dashed"}, {"thin", true}, {"name", "as often as said"}}));
  curve.push_back({{"type", "errors"},
                   {"x", numbers(said)},
                   {"low", numbers(low)},
                   {"high", numbers(high)},
                   {"color", 0}});
  curve.push_back(line(said, share, {{"color", 0}, {"dots", true}, {"name", "came true"}}));
  Json panels = Json::array();
  panels.push_back(plot(axis(of, 0, 1, {{"percent", true}}), axis("came true", 0, 1, {{"percent", true}}),
                        curve, {{"height", 0.8}, {"title", "said and came true"}}));
  panels.push_back(plot(axis(of, 0, 1, {{"percent", true}}), axis("rows", 0, most * 1.05, {{"whole", true}}),
                        {bars(steps(0, 1, 11), counts, {{"color", 0}})},
                        {{"height", 0.8}, {"title", "how often it was said"}}));
  Figure figure{
      "calibration", "Do probabilities come true?",
      fmt::format("Of the rows for which about 70 % was said, about 70 % should be of the class: then the "
                  "curve follows the diagonal. The bars are 95 % intervals of Wilson; a bin with few rows "
                  "says little. Of {}.",
                  judged.of)};
  figure.formula = "ECE = Σ_b (n_b / n) · | share that came true − mean probability |";
  figure.numbers = {{"expected calibration error", rounded(m.ece, 6)}};
  if (m.brier) figure.numbers.emplace_back("Brier score", rounded(m.brier, 6));
  if (m.log_loss) figure.numbers.emplace_back("log loss", rounded(m.log_loss, 6));
  figure.data = text_of(plots(panels));
  return figure;
}

std::optional<Figure> confusion_figure(const JudgedModel& judged) {
  const Metrics& m = judged.metrics;
  const std::size_t classes = judged.classes.size();
  if (m.confusion.empty()) return std::nullopt;
  const auto shown = confused_classes(judged);
  Json counts = Json::array();
  std::vector<std::string> names, predicted;
  for (const std::size_t k : shown) names.push_back(judged.classes[k]);
  predicted = names;
  const bool part = shown.size() < classes;
  if (part) predicted.emplace_back("(other classes)");
  if (m.undecided > 0) predicted.emplace_back(undecided_name);
  for (const std::size_t k : shown) {
    Numbers row;
    double rest = m.per_class[k].support - m.per_class[k].undecided;
    for (const std::size_t j : shown) row.push_back(m.confusion[k * classes + j]), rest -= row.back();
    if (part) row.push_back(std::max(0.0, rest));
    if (m.undecided > 0) row.push_back(m.per_class[k].undecided);
    counts.push_back(numbers(row));
  }
  Figure figure{
      "confusion", "Confusion table",
      fmt::format("The truth down, the decision across; the diagonal is right. Shades are shares of the rows "
                  "of a class. Of {}.",
                  judged.of)};
  if (m.accuracy) figure.numbers.emplace_back("accuracy", percent(*m.accuracy));
  if (m.balanced_accuracy) figure.numbers.emplace_back("balanced accuracy", percent(*m.balanced_accuracy));
  if (m.error_interval)
    figure.numbers.emplace_back("error, 95 % interval",
                                percent(m.error_interval->low) + " to " + percent(m.error_interval->high));
  if (m.mcc) figure.numbers.emplace_back("Matthews correlation", rounded(m.mcc));
  if (part)
    figure.notes.push_back(fmt::format("The {} classes with the most errors, of {}.", shown.size(),
                                       grouped(static_cast<Index>(classes))));
  figure.data =
      text_of({{"kind", "confusion"}, {"classes", names}, {"predicted", predicted}, {"counts", counts}});
  return figure;
}

std::optional<Figure> score_figure(const JudgedModel& judged) {
  if (!judged.two() || judged.rows() == 0 || judged.said.scores.rows() != judged.rows()) return std::nullopt;
  Numbers scores;
  for (Index i = 0; i < judged.rows(); ++i) scores.push_back(judged.rank(judged.positive, i));
  auto [low, high] = inner_range(scores);
  low = std::min(low, 0.0);
  high = std::max(high, 0.0);
  const Index count = std::clamp<Index>(judged.rows() / 8, 10, most_bars);
  std::vector<Numbers> heights(2, Numbers(static_cast<std::size_t>(count), 0.0));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double place = (scores[i] - low) / (high - low) * static_cast<double>(count);
    const auto bin = static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(count - 1)));
    heights[static_cast<std::size_t>(judged.labels[i])][bin] += judged.weight(i);
  }
  double most = 0;
  Json layers = Json::array();
  for (std::size_t k = 0; k < 2; ++k) {
    for (const double h : heights[k]) most = std::max(most, h);
    layers.push_back(bars(steps(low, high, count + 1), heights[k],
                          {{"color", k}, {"name", shortened(judged.classes[k])}}));
  }
  layers.push_back({{"type", "rule"}, {"x", 0}, {"text", "decision"}, {"color", "ink"}});
  Figure figure{
      "scores", "The rows along the score",
      fmt::format("Every row has one number, its score g(x): its place along the direction that the model "
                  "looks in. Above 0 it is decided for {}. Where the two heaps overlap no threshold can be "
                  "right for all. Of {}.",
                  shortened(judged.classes[static_cast<std::size_t>(judged.positive)]), judged.of)};
  figure.data = text_of(
      plots({plot(axis("score g(x)", low, high), axis("rows", 0, most * 1.05), layers, {{"height", 0.45}})}));
  return figure;
}

std::vector<Figure> judged_figures(const JudgedModel& judged) {
  std::vector<Figure> figures;
  const std::vector<RankCurve> curves = rank_curves(judged);
  for (auto figure : {confusion_figure(judged), score_figure(judged), roc_figure(judged, curves),
                      precision_recall_figure(judged, curves), calibration_figure(judged),
                      threshold_figure(judged, curves)})
    if (figure) figures.push_back(std::move(*figure));
  return figures;
}

}  // namespace discern::report
