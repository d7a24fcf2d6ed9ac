// ROC, precision and recall, and the threshold explorer: all from the rows in the order of their scores.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "discern/report/figures/judged.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_curves = 10;

using RankedRow = std::pair<double, Index>;  // score, row

// The classes that get a curve of their own: the positive one of two, otherwise those with the most rows.
std::vector<Index> curve_classes(const JudgedModel& judged) {
  if (judged.two()) return {judged.positive};
  std::vector<Index> order(judged.classes.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto support = [&](Index k) { return judged.metrics.per_class[static_cast<std::size_t>(k)].support; };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return support(a) > support(b); });
  if (order.size() > most_curves) order.resize(most_curves);
  std::sort(order.begin(), order.end());
  return order;
}

bool can_rank(const JudgedModel& judged) {
  return judged.rows() > 0 && judged.said.scores.rows() == judged.rows() && judged.metrics.auc.has_value();
}

std::string class_text(const JudgedModel& judged, Index k) {
  return shortened(judged.classes[static_cast<std::size_t>(k)]);
}

std::vector<std::string> curve_notes(const JudgedModel& judged, std::size_t curves) {
  if (judged.two() || curves == judged.classes.size()) return {};
  return {fmt::format("The {} classes with the most rows, of {}.", curves, judged.classes.size())};
}

}  // namespace

double JudgedModel::rank(Index k, Index row) const {
  if (two()) return said.scores.cols() == 1 ? said.scores(row, 0) : said.scores(row, positive);
  return probabilities() ? said.proba(row, k) : said.scores(row, k);
}

RankCurve rank_curve(const JudgedModel& judged, Index k, std::size_t most) {
  std::vector<RankedRow> rows;
  rows.reserve(judged.labels.size());
  for (Index i = 0; i < judged.rows(); ++i) rows.emplace_back(judged.rank(k, i), i);
  std::sort(rows.begin(), rows.end(), [](const RankedRow& a, const RankedRow& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  RankCurve all;
  for (std::size_t i = 0; i < rows.size();) {
    const double score = rows[i].first;
    all.rows.push_back(rows[i].second);
    for (; i < rows.size() && rows[i].first == score; ++i) {
      const auto row = static_cast<std::size_t>(rows[i].second);
      (judged.labels[row] == k ? all.positives : all.negatives) += judged.weight(row);
    }
    all.at.push_back(score);
    all.hits.push_back(all.positives);
    all.alarms.push_back(all.negatives);
  }
  // Points that lie on the way between their neighbours are not needed; of the others those after equal ways.
  RankCurve thin;
  thin.of = k;
  thin.positives = all.positives;
  thin.negatives = all.negatives;
  double kept_x = 0, kept_y = 0;
  const double way = 2.0 / static_cast<double>(most);
  for (std::size_t i = 0; i < all.at.size(); ++i) {
    const double x = all.negatives > 0 ? all.alarms[i] / all.negatives : 0;
    const double y = all.positives > 0 ? all.hits[i] / all.positives : 0;
    const bool ends = i == 0 || i + 1 == all.at.size();
    if (!ends && all.at.size() > most && (x - kept_x) + (y - kept_y) < way) continue;
    kept_x = x;
    kept_y = y;
    thin.at.push_back(all.at[i]);
    thin.rows.push_back(all.rows[i]);
    thin.hits.push_back(all.hits[i]);
    thin.alarms.push_back(all.alarms[i]);
  }
  return thin;
}

std::vector<RankCurve> rank_curves(const JudgedModel& judged) {
  std::vector<RankCurve> curves;
  if (!can_rank(judged)) return curves;
  for (const Index k : curve_classes(judged)) curves.push_back(rank_curve(judged, k));
  return curves;
}

std::optional<Figure> roc_figure(const JudgedModel& judged, const std::vector<RankCurve>& curves) {
  if (curves.empty()) return std::nullopt;
  Json layers = Json::array();
  layers.push_back(
      line({0, 1}, {0, 1}, {{"color", "soft"}, {"dash", "dashed"}, {"thin", true}, {"name", "chance"}}));
  for (const RankCurve& curve : curves) {
    if (!(curve.positives > 0) || !(curve.negatives > 0)) continue;
    Numbers x{0}, y{0};
    for (std::size_t i = 0; i < curve.at.size(); ++i) {
      x.push_back(curve.alarms[i] / curve.negatives);
      y.push_back(curve.hits[i] / curve.positives);
    }
    layers.push_back(
        line(x, y, {{"color", judged.two() ? 1 : curve.of}, {"name", class_text(judged, curve.of)}}));
  }
  Figure figure{
      "roc", "ROC curve",
      fmt::format("Each point is a threshold on the score: how many rows of the class it finds (up) and how "
                  "many others it takes along (across). The area under the curve is the share of pairs, one "
                  "row of the class and one other, that the score puts in the right order. Of {}.",
                  judged.of)};
  figure.formula = "AUC = P( g(x₊) > g(x₋) ) + ½ P( g(x₊) = g(x₋) )";
  figure.numbers = {{judged.two() ? "AUC" : "AUC, mean over the classes", rounded(judged.metrics.auc, 6)}};
  figure.notes = curve_notes(judged, curves.size());
  figure.data = text_of(plots({plot(axis("false alarms", 0, 1, {{"percent", true}}),
                                    axis("found", 0, 1, {{"percent", true}}), layers, {{"height", 0.8}})}));
  return figure;
}

std::optional<Figure> precision_recall_figure(const JudgedModel& judged,
                                              const std::vector<RankCurve>& curves) {
  if (curves.empty() || !judged.metrics.average_precision) return std::nullopt;
  Json layers = Json::array();
  for (const RankCurve& curve : curves) {
    if (!(curve.positives > 0)) continue;
    Numbers x, y;
    for (std::size_t i = 0; i < curve.at.size(); ++i) {
      x.push_back(curve.hits[i] / curve.positives);
      y.push_back(curve.hits[i] / (curve.hits[i] + curve.alarms[i]));
    }
    x.insert(x.begin(), 0);
    y.insert(y.begin(), y.front());
    if (judged.two())
      layers.push_back({{"type", "rule"},
                        {"y", curve.positives / (curve.positives + curve.negatives)},
                        {"text", "share of the class"}});
    layers.push_back(
        line(x, y, {{"color", judged.two() ? 1 : curve.of}, {"name", class_text(judged, curve.of)}}));
  }
  Figure figure{
      "precision-recall", "Precision and recall",
      fmt::format("For every threshold on the score: of the rows that it takes for the class, the share that "
                  "are (precision), and of the rows of the class, the share that it finds (recall). It tells "
                  "more than the ROC curve where a class is rare. Of {}.",
                  judged.of)};
  figure.formula = "precision = TP / (TP + FP)      recall = TP / (TP + FN)";
  figure.numbers = {{"average precision", rounded(judged.metrics.average_precision, 6)}};
  figure.notes = curve_notes(judged, curves.size());
  figure.data =
      text_of(plots({plot(axis("recall", 0, 1, {{"percent", true}}),
                          axis("precision", 0, 1.02, {{"percent", true}}), layers, {{"height", 0.8}})}));
  return figure;
}

std::optional<Figure> threshold_figure(const JudgedModel& judged, const std::vector<RankCurve>& curves) {
  if (!judged.two() || curves.empty()) return std::nullopt;
  const RankCurve& curve = curves.front();
  Numbers at(curve.at.rbegin(), curve.at.rend());
  // The score and the probability rise together; readers think in the latter.
  if (judged.probabilities())
    for (std::size_t i = 0; i < at.size(); ++i)
      at[at.size() - 1 - i] = judged.said.proba(curve.rows[i], judged.positive);
  Json data{{"kind", "threshold"},
            {"positive", judged.classes[static_cast<std::size_t>(judged.positive)]},
            {"negative", judged.classes[static_cast<std::size_t>(1 - judged.positive)]},
            {"probability", judged.probabilities()},
            {"at", numbers(at)},
            {"hits", numbers({curve.hits.rbegin(), curve.hits.rend()})},
            {"alarms", numbers({curve.alarms.rbegin(), curve.alarms.rend()})},
            {"positives", curve.positives},
            {"negatives", curve.negatives},
            {"start", judged.probabilities() ? 0.5 : 0.0}};
  Figure figure{
      "threshold", "What a threshold decides, and what it costs",
      fmt::format("Move the threshold to see what is found and what is missed among {}. Errors seldom cost "
                  "the same: set what a missed row and a false alarm cost, and the curve shows the threshold "
                  "with the least mean cost. For probabilities that are true it lies at C(alarm) / "
                  "(C(alarm) + C(miss)).",
                  judged.of)};
  figure.formula = "mean cost(t) = ( C(miss) · misses(t) + C(alarm) · false alarms(t) ) / n";
  figure.data = text_of(data);
  return figure;
}

}  // namespace discern::report
