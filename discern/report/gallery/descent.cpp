// F3: gradient descent on the level lines of an error surface; F7: three step lengths; F30: batch, online, stochastic
// and mini-batch.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/surface.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// A window that holds the start, the minimum and as much again.
Grid weight_window(const ErrorSurface& surface) {
  const auto [m1, m2] = surface.minimum();
  const double reach = 1.5 * std::max(std::abs(m1), std::abs(m2));
  return {m1 - reach, m1 + reach, m2 - 0.8 * reach, m2 + 0.8 * reach, 80, 64};
}

Json weight_plot(const Grid& grid, Json layers, const std::string& title = "") {
  Json panel = plot(axis("w1", grid.left, grid.right), axis("w2", grid.bottom, grid.top), std::move(layers),
                    {{"equal", true}});
  if (!title.empty()) panel["title"] = title;
  return panel;
}

Json frame_names(std::size_t count) {
  Json names = Json::array();
  for (std::size_t k = 0; k < count; ++k) names.push_back(std::to_string(k));
  return names;
}

// The largest step that does not diverge is 2 / the largest curvature.
double largest_step(const Table& table) {
  const Matrix x = cells_of(table);
  const Eigen::Matrix2d h = x.transpose() * x;
  const double half = h.trace() / 2;
  return 2 / (half + std::sqrt(half * half - h.determinant()));
}

WatchedFit descend(const Table& table, double rate, int count) {
  return watched(table, "least-squares",
                 {{"solver", "gd"},
                  {"no-bias", "true"},
                  {"learning-rate", fmt::format("{}", rate)},
                  {"max-iter", fmt::format("{}", count)}});
}

}  // namespace

std::vector<Figure> descent() {
  const Table table = valley_table();
  const ErrorSurface surface(table);
  const Grid grid = weight_window(surface);
  const auto [m1, m2] = surface.minimum();
  constexpr std::size_t steps_shown = 31, usual = 2;
  Json frames = Json::array(), curves = Json::array(), markers = Json::array(), rates = Json::array();
  Numbers count, usual_errors;
  for (std::size_t k = 0; k < steps_shown; ++k) count.push_back(static_cast<double>(k));
  for (const double share : {0.05, 0.25, 0.55, 0.9, 1.01}) {
    const double rate = share * largest_step(table);
    const Steps path = steps_of(descend(table, rate, 30).history);
    Numbers errors;
    for (std::size_t k = 0; k < path.w1.size(); ++k) errors.push_back(surface.at(path.w1[k], path.w2[k]));
    // A fit that has come to rest stays where it is.
    errors.resize(steps_shown, errors.back());
    const Json grown = growing_frames(path);
    for (std::size_t k = 0; k < steps_shown; ++k) {
      frames.push_back(grown[std::min(k, grown.size() - 1)]);
      curves.push_back({{"y", numbers(errors)}});
      markers.push_back({{"x", numbers({count[k]})}, {"y", numbers({errors[k]})}});
    }
    if (rates.size() == usual) usual_errors = errors;
    rates.push_back(rounded(rate, 3));
  }
  Json layers = Json::array();
  layers.push_back(surface.level_lines(grid));
  layers.push_back(line({}, {}, {{"color", 1}, {"dots", true}, {"name", "steps"}, {"frames", frames}}));
  layers.push_back(points({m1}, {m2}, {{"color", "good"}, {"shape", 4}, {"size", 110}, {"name", "minimum"}}));
  const auto [low, high] = range_of(usual_errors);
  Json panels = Json::array();
  panels.push_back(weight_plot(grid, layers, "the weights"));
  panels.push_back(plot(axis("step", 0, count.back(), {{"whole", true}}),
                        axis("E(w)", std::max(0.0, low), high),
                        {line(count, usual_errors, {{"color", 1}, {"frames", curves}}),
                         points({0}, {usual_errors[0]}, {{"color", 1}, {"size", 90}, {"frames", markers}})},
                        {{"title", "the error"}}));
  Figure figure{
      "F3", "Gradient descent",
      "The level lines are those of the squared error of 60 points over the two weights. Each step goes down "
      "the steepest way, at a right angle to the level line, by a fixed share h of the slope. Try longer and "
      "shorter steps."};
  figure.formula = "w ← w − h ∇E(w)";
  figure.numbers = {{"E at the start", rounded(usual_errors.front(), 5)},
                    {fmt::format("E after {} steps of {}", steps_shown - 1, rates[usual].get<std::string>()),
                     rounded(usual_errors.back(), 5)},
                    {"least E", rounded(surface.at(m1, m2), 5)}};
  figure.data =
      text_of(plots(panels, {},
                    {{"frames",
                      {{"label", "Step"},
                       {"values", frame_names(steps_shown)},
                       {"play", true},
                       {"second", {{"label", "Step length h"}, {"values", rates}, {"start", usual}}}}}}));
  return {figure};
}

std::vector<Figure> learning_rates() {
  const Table table = valley_table();
  const ErrorSurface surface(table);
  const Grid grid = weight_window(surface);
  const auto [m1, m2] = surface.minimum();
  const double most = largest_step(table);
  struct Rate {
    const char* name;
    double share;
    int color;
  };
  Json panels = Json::array(), curves = Json::array();
  Figure figure{
      "F7", "Small, good and too large steps",
      "The same descent three times. A small step is sure and slow. A good one takes off a fixed share of "
      "the "
      "distance each time. A step above 2 / L, L the largest curvature, jumps over the valley farther and "
      "farther."};
  for (const Rate& rate : {Rate{"small", 0.05, 0}, Rate{"good", 0.5, 2}, Rate{"too large", 1.02, 1}}) {
    const WatchedFit fit = descend(table, rate.share * most, 25);
    const Steps path = steps_of(fit.history);
    Json layers = Json::array();
    layers.push_back(surface.level_lines(grid));
    layers.push_back(line({}, {}, {{"color", rate.color}, {"dots", true}, {"frames", growing_frames(path)}}));
    layers.push_back(points({m1}, {m2}, {{"color", "good"}, {"shape", 4}, {"size", 90}}));
    panels.push_back(
        weight_plot(grid, layers, fmt::format("{}: h = {}", rate.name, rounded(rate.share * most, 3))));
    figure.numbers.emplace_back(fmt::format("E − min after 25 steps, {}", rate.name),
                                rounded(surface.at(path.w1.back(), path.w2.back()) - surface.at(m1, m2), 3));
  }
  figure.formula = "w ← w − h ∇E(w)      converges for h < 2 / L";
  figure.data = text_of(
      plots(panels, {}, {{"frames", {{"label", "Step"}, {"values", frame_names(26)}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> descents() {
  const Table table = valley_table();
  const ErrorSurface surface(table);
  const Grid grid = weight_window(surface);
  const auto [m1, m2] = surface.minimum();
  const std::string rate = "0.02";
  struct Way {
    const char* name;
    NamedOptions options;
  };
  const std::vector<Way> ways{
      {"batch",
       {{"solver", "gd"},
        {"learning-rate", fmt::format("{}", 0.5 * largest_step(table))},
        {"max-iter", "10"}}},
      {"online (every row in turn)",
       {{"solver", "sgd"}, {"learning-rate", rate}, {"schedule", "constant"}, {"epochs", "10"}}},
      {"stochastic (rows drawn, 1/√l)",
       {{"solver", "sgd"},
        {"learning-rate", "0.1"},
        {"schedule", "inverse-sqrt"},
        {"order", "drawn"},
        {"epochs", "10"}}},
      {"mini-batches of 10",
       {{"solver", "sgd"},
        {"learning-rate", "0.01"},
        {"schedule", "constant"},
        {"batch-size", "10"},
        {"epochs", "10"}}}};
  Json panels = Json::array();
  Figure figure{
      "F30", "Batch, online, stochastic and mini-batch",
      "Ten passes over the same 60 points, four ways. Batch descent makes one exact step a pass. The others "
      "make many inexact ones: online goes through the rows in a new order each pass, stochastic draws them, "
      "mini-batches average ten. With a constant step they end up wandering about the minimum; a falling "
      "step "
      "comes to rest."};
  int color = 0;
  Json costs = Json::array();
  Numbers all_costs;
  std::size_t longest = 0;
  for (const Way& way : ways) {
    NamedOptions options = way.options;
    options.emplace_back("no-bias", "true");
    const WatchedFit fit = watched(table, "least-squares", options, 3);
    const Steps path = steps_of(fit.history);
    const Json frames = growing_frames(path, 40);
    longest = std::max(longest, frames.size());
    Json layers = Json::array();
    layers.push_back(surface.level_lines(grid));
    layers.push_back(line({}, {},
                          {{"color", color},
                           {"thin", path.w1.size() > 40},
                           {"dots", path.w1.size() <= 80},
                           {"frames", frames}}));
    layers.push_back(points({m1}, {m2}, {{"color", "good"}, {"shape", 4}, {"size", 90}}));
    panels.push_back(weight_plot(grid, layers, way.name));
    Numbers passes, cost;
    for (std::size_t k = 0; k < path.w1.size(); ++k) {
      passes.push_back(10 * static_cast<double>(k) / static_cast<double>(path.w1.size() - 1));
      cost.push_back(std::max(1e-4, surface.at(path.w1[k], path.w2[k]) - surface.at(m1, m2)));
    }
    all_costs.insert(all_costs.end(), cost.begin(), cost.end());
    static constexpr const char* dashes[] = {"", "dotted", "dashed", ""};
    costs.push_back(line(
        passes, cost, {{"color", color}, {"thin", color != 0}, {"dash", dashes[color]}, {"name", way.name}}));
    figure.numbers.emplace_back(fmt::format("E − min, {}", way.name),
                                rounded(surface.at(path.w1.back(), path.w2.back()) - surface.at(m1, m2), 3));
    ++color;
  }
  panels.push_back(plot(axis("passes over the rows", 0, 10),
                        axis("E − min", *std::min_element(all_costs.begin(), all_costs.end()) / 1.5,
                             *std::max_element(all_costs.begin(), all_costs.end()) * 1.5, {{"log", true}}),
                        costs, {{"title", "the cost per pass"}, {"height", 0.8}}));
  figure.formula = "w ← w − h_l Σ_{i in batch} ∇L_i(w)";
  Json names = Json::array();
  for (std::size_t k = 0; k < longest; ++k) names.push_back(fmt::format("{} %", 100 * (k + 1) / longest));
  figure.data = text_of(plots(
      panels, {}, {{"frames", {{"label", "Share of the ten passes"}, {"values", names}, {"play", true}}}}));
  return {figure};
}

}  // namespace discern::report
