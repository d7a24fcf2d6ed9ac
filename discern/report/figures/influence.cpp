#include "discern/report/figures/influence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_points = 1500, most_named = 12;

// The curve on which Cook's distance of least squares is D: |r| = sqrt(D p (1 - h) / h), r the standardised residual.
Numbers cook_curve(const Numbers& leverage, double distance, double parameters) {
  Numbers values;
  for (const double h : leverage) values.push_back(std::sqrt(distance * parameters * (1 - h) / h));
  return values;
}

}  // namespace

Figure influence_figure(const Model& model, const RowInfluence& influence) {
  const Influence& of = influence.of;
  std::vector<Index> order;
  for (Index i = 0; i < of.cook.size(); ++i)
    if (std::isfinite(of.cook[i]) && std::isfinite(of.standardized[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of.cook[a] > of.cook[b]; });
  const std::size_t all = order.size();
  if (order.size() > most_points) order.resize(most_points);
  Numbers x, y;
  std::vector<std::int32_t> kinds;
  std::vector<std::string> names;
  for (const Index i : order) {
    x.push_back(of.leverage[i]);
    y.push_back(of.standardized[i]);
    names.push_back(fmt::format("row {}, Cook's distance {}", influence.rows[static_cast<std::size_t>(i)] + 1,
                                rounded(of.cook[i])));
    if (!influence.labels.empty()) kinds.push_back(influence.labels[static_cast<std::size_t>(i)]);
  }
  const auto [bottom, top] = range_of(y);
  const double right = x.empty() ? 1 : *std::max_element(x.begin(), x.end()) * 1.06;
  Json layers = Json::array();
  layers.push_back({{"type", "rule"}, {"y", 0}});
  layers.push_back({{"type", "rule"}, {"x", 3 * of.parameters / of.samples}, {"text", "3 p / n"}});
  const Numbers along = steps(right / 200, right, 120);
  for (const double distance : {0.5, 1.0})
    for (const double sign : {1.0, -1.0}) {
      Numbers curve = cook_curve(along, distance, of.parameters);
      for (double& v : curve) v *= sign;
      // A curve that does not come into the picture would only stand in the legend.
      if (sign > 0 ? curve.back() > top : curve.back() < bottom) continue;
      layers.push_back(line(along, curve,
                            {{"color", "bad"},
                             {"thin", true},
                             {"dash", distance < 1 ? "dotted" : "dashed"},
                             {"name", fmt::format("Cook's distance {}", distance)}}));
    }
  Json rows{{"label", names}};
  if (kinds.empty())
    rows["color"] = 0;
  else
    rows["class"] = kinds;
  layers.push_back(points(x, y, rows));
  for (std::size_t i = 0; i < std::min<std::size_t>(4, order.size()); ++i)
    layers.push_back(
        {{"type", "text"},
         {"x", number(x[i])},
         {"y", number(y[i])},
         {"anchor", x[i] > right / 2 ? "end" : "start"},
         {"text", fmt::format("  {}  ", influence.rows[static_cast<std::size_t>(order[i])] + 1)}});
  Figure figure{
      "influence", "The rows that bend the fit",
      "Leverage (across) says how far a row lies from the others, the residual (up) how badly it fits. A row "
      "with much of both moves the fit: Cook's distance measures how far. Look at the rows with numbers "
      "first."};
  figure.formula = "Cook's distance D = r² h / ( p f (1 − h)² )";
  for (std::size_t i = 0; i < std::min<std::size_t>(5, order.size()); ++i)
    figure.numbers.emplace_back(fmt::format("row {}", influence.rows[static_cast<std::size_t>(order[i])] + 1),
                                fmt::format("D = {}", rounded(of.cook[order[i]], 3)));
  if (!order.empty() && of.cook[order[0]] < 0.5)
    figure.notes.push_back("No row has a Cook's distance of 0.5 or more, from which on one looks closer.");
  if (all > order.size())
    figure.notes.push_back(fmt::format("The {} rows with the largest Cook's distance, of {}.",
                                       grouped(static_cast<Index>(order.size())),
                                       grouped(static_cast<Index>(all))));
  figure.data =
      text_of(plots({plot(axis("leverage h", 0, right), axis("standardised residual", bottom, top), layers)},
                    influence.labels.empty() ? std::vector<std::string>{} : model.classes));
  return figure;
}

}  // namespace discern::report
