// F6: least squares by descent; F17: least squares that does not separate, Ho and Kashyap's procedure that does; F19:
// outliers.
#include <fmt/format.h>

#include <cmath>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

Json objective_curve(const History& history, Json& markers, std::size_t frames) {
  Numbers x, y;
  for (const auto& m : history.moments())
    if (m.objective) x.push_back(static_cast<double>(m.iteration)), y.push_back(*m.objective);
  for (std::size_t k = 0; k < frames; ++k) {
    const std::size_t i = k * (x.size() - 1) / std::max<std::size_t>(1, frames - 1);
    markers.push_back({{"x", numbers({x[i]})}, {"y", numbers({y[i]})}});
  }
  return line(x, y, {{"color", 1}});
}

Table far_table() {
  // A line separates these classes, but the far points of class 1 pull the least-squares line across class 0's edge.
  return two_classes(
      {{-1.2, 0.4}, {-0.7, -0.6}, {-0.5, 0.9}, {-0.35, 0.1}, {-0.3, -1.0}, {-1.0, -0.2}},
      {{0.1, 0.7}, {0.15, -0.5}, {0.3, 0.15}, {4.6, -2.2}, {5.1, -1.6}, {5.4, -2.6}, {4.9, -3.0}});
}

}  // namespace

std::vector<Figure> least_squares_descent() {
  Json panels = Json::array(), names = Json::array();
  Figure figure{
      "F6", "Least squares by descent",
      "The line that minimises the squared error comes to rest whether a line separates the classes or not: "
      "the error has one minimum, and the descent goes there. It need not be a line that separates."};
  for (const bool separable : {true, false}) {
    GenerateOptions shape;
    shape.shape = "linear";
    shape.rows = 60;
    shape.seed = 12;
    shape.features = 2;
    shape.margin = 0.3;
    const Table table = separable ? generate(shape) : tilted_classes(60, {0.9, 0.4}, 1.0, 0.3, 0.9, 12);
    const WatchedFit fit =
        watched(table, "least-squares", {{"solver", "gd"}, {"learning-rate", "0.001"}, {"max-iter", "60"}});
    const Grid grid = around(table);
    const LineFrames lines = line_frames(fit.history, grid, 60);
    if (lines.names.size() > names.size()) names = lines.names;
    Json layers = Json::array();
    layers.push_back(class_points(table));
    layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "separator"}, {"frames", lines.frames}}));
    panels.push_back(plane(grid, layers, {{"title", separable ? "separable" : "not separable"}}));
    Json markers = Json::array();
    Json curve = objective_curve(fit.history, markers, lines.names.size());
    Numbers values;
    for (const auto& m : fit.history.moments()) values.push_back(m.objective.value_or(0));
    const auto [low, high] = range_of(values);
    panels.push_back(
        plot(axis("step", 0, 60, {{"whole", true}}), axis("E", std::max(0.0, low), high),
             {curve, points({0}, {0}, {{"color", 1}, {"size", 90}, {"frames", markers}})},
             {{"title", separable ? "error, separable" : "error, not separable"}, {"height", 0.8}}));
    figure.numbers.emplace_back(separable ? "wrong rows, separable" : "wrong rows, not separable",
                                rounded(static_cast<double>(mistakes_of(fit.outcome))));
  }
  figure.formula = "E(w) = ½ Σ_i (t_i − w·x_i − w0)²";
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Step"}, {"values", names}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> ho_kashyap_steps() {
  const Table table = far_table();
  const FitOutcome squares = demo_fit(table, "least-squares", {});
  const WatchedFit kashyap = watched(table, "ho-kashyap", {{"learning-rate", "0.9"}});
  const Grid grid = around(table);
  const LineFrames lines = line_frames(kashyap.history, grid, 60);
  Json layers = Json::array();
  layers.push_back(class_points(table));
  layers.push_back(
      boundary(linear_of(squares), grid,
               {{"color", "bad"}, {"dash", "dashed"}, {"name", "least squares, all targets 1"}}));
  layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "Ho and Kashyap"}, {"frames", lines.frames}}));
  // The scores Yw, which the targets b follow upwards.
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  Numbers rows, all_scores;
  Json score_frames = Json::array();
  for (const auto* m : shown_moments(kashyap.history, 60)) {
    Numbers scores;
    for (Index i = 0; i < x.rows(); ++i)
      scores.push_back((labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1) *
                       (m->weights.row(0).dot(x.row(i)) + m->bias[0]));
    all_scores.insert(all_scores.end(), scores.begin(), scores.end());
    score_frames.push_back({{"heights", numbers(scores)}});
  }
  for (Index i = 0; i <= x.rows(); ++i) rows.push_back(static_cast<double>(i) + 0.5);
  Numbers steps_done, residuals;
  for (const auto& m : kashyap.history.moments())
    if (m.objective && *m.objective > 0)
      steps_done.push_back(static_cast<double>(m.iteration)), residuals.push_back(*m.objective);
  Json panels = Json::array();
  panels.push_back(plane(grid, layers, {{"title", "the lines"}}));
  const auto [low, high] = range_of(all_scores);
  panels.push_back(
      plot(axis("row", 0.5, static_cast<double>(x.rows()) + 0.5, {{"whole", true}}),
           axis("t g(x)", std::min(0.0, low), high),
           {bars(rows, Numbers(rows.size() - 1, 0.0),
                 {{"color", 2}, {"name", "t g(x): above 0 is right"}, {"frames", score_frames}}),
            Json{{"type", "rule"}, {"y", 1}, {"text", "what least squares wants"}, {"color", "bad"}}},
           {{"title", "the score of each row"}}));
  if (steps_done.size() > 1) {
    const double least = *std::min_element(residuals.begin(), residuals.end()),
                 most = *std::max_element(residuals.begin(), residuals.end());
    panels.push_back(plot(axis("step", 0, steps_done.back(), {{"whole", true}}),
                          axis("criterion ‖Yw − b‖²", std::max(least / 2, 1e-30), most * 2, {{"log", true}}),
                          {line(steps_done, residuals, {{"color", 1}, {"dots", steps_done.size() < 40}})},
                          {{"title", "the residual"}}));
  }
  Figure figure{
      "F17", "Targets that adapt",
      "Least squares wants a score of exactly 1 from every row, so far points pull its line away and it gets "
      "rows wrong that a line could get right. Ho and Kashyap let the targets grow where rows want more, and "
      "the residual that is left tells whether a separating line exists."};
  figure.formula = "min over w and b > 0 of ‖Y w − b‖²";
  figure.numbers = {
      {"wrong rows, least squares", rounded(static_cast<double>(mistakes_of(squares)))},
      {"wrong rows, Ho and Kashyap", rounded(static_cast<double>(mistakes_of(kashyap.outcome)))},
      {"steps", rounded(static_cast<double>(kashyap.outcome.model.summary.iterations))}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Step"}, {"values", lines.names}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> outliers() {
  const std::vector<std::pair<double, double>> zeros{{-1.6, 0.2},  {-1.1, -0.7}, {-0.9, 0.8}, {-0.6, 0.1},
                                                     {-1.3, -0.1}, {-0.4, -0.9}, {-0.7, 1.3}, {-0.2, 0.5}};
  const std::vector<std::pair<double, double>> ones{{1.4, 0.1},  {1.0, -0.8}, {0.8, 0.9}, {0.7, 0.0},
                                                    {1.5, -0.3}, {0.5, -1.0}, {0.9, 1.2}, {0.2, -0.2}};
  Json square_frames = Json::array(), logistic_frames = Json::array(), point_frames = Json::array(),
       names = Json::array(), notes = Json::array();
  const Grid grid{-3, 9, -7, 3.5, 60, 50};
  for (int step = 0; step <= 12; ++step) {
    const double away = 0.5 * step;
    auto moved = ones;
    for (const auto& [dx, dy] : {std::pair{0.0, 0.0}, {0.4, -0.3}, {-0.2, -0.5}})
      moved.emplace_back(1.4 + away + dx, -0.3 - 0.8 * away + dy);
    const Table table = two_classes(zeros, moved);
    const FitOutcome squares = demo_fit(table, "least-squares", {}),
                     logistic = demo_fit(table, "logistic", {{"l2", "0.1"}});
    const Json a = boundary(linear_of(squares), grid), b = boundary(linear_of(logistic), grid),
               c = class_points(table);
    square_frames.push_back({{"x", a["x"]}, {"y", a["y"]}});
    logistic_frames.push_back({{"x", b["x"]}, {"y", b["y"]}});
    point_frames.push_back({{"x", c["x"]}, {"y", c["y"]}});
    names.push_back(fmt::format("{:.1f}", away));
    notes.push_back(fmt::format("Wrong rows: least squares {}, logistic regression {}.", mistakes_of(squares),
                                mistakes_of(logistic)));
  }
  auto last = ones;
  for (int k = 0; k < 3; ++k) last.emplace_back(0, 0);
  Json rows = class_points(two_classes(zeros, last));
  rows["frames"] = point_frames;
  Json layers = Json::array();
  layers.push_back(rows);
  layers.push_back(line(
      {}, {}, {{"color", "bad"}, {"dash", "dashed"}, {"name", "least squares"}, {"frames", square_frames}}));
  layers.push_back(
      line({}, {}, {{"color", "good"}, {"name", "logistic regression"}, {"frames", logistic_frames}}));
  const Numbers m = steps(-4, 8, 121);
  Json losses_panel = plot(axis("margin t g(x)", -4, 8), axis("loss", 0, 8),
                           {line(m, at(m, [](double v) { return 0.5 * (1 - v) * (1 - v); }),
                                 {{"color", "bad"}, {"dash", "dashed"}, {"name", "least squares"}}),
                            line(m, at(m, [](double v) { return std::log1p(std::exp(-v)); }),
                                 {{"color", "good"}, {"name", "logistic regression"}})},
                           {{"title", "what a row costs"}});
  Json panels = Json::array();
  panels.push_back(plane(grid, layers, {{"title", "the lines"}}));
  panels.push_back(losses_panel);
  const Numbers d = steps(-5, 5, 121);
  panels.push_back(plot(axis("signed distance g(x) / ‖w‖", -5, 5), axis("P(C1 | x)", 0, 1.12),
                        {line(d, at(d, [](double v) { return 1 / (1 + std::exp(-v)); }), {{"color", "good"}}),
                         Json{{"type", "rule"}, {"x", 0}, {"text", "the line"}}},
                        {{"title", "the logistic curve"}}));
  Figure figure{
      "F19", "Points that are too correct",
      "Move three points of class 1 away, farther and farther onto their own side. Their squared error grows "
      "although they are right, so the least-squares line turns towards them until it gets others wrong. The "
      "logistic loss of a row that is right by far is next to nothing, and its line stays."};
  figure.formula = "squared: ½ (1 − t g)²      logistic: log(1 + e^(−t g))";
  figure.data = text_of(
      plots(panels, {"class 0", "class 1"},
            {{"frames",
              {{"label", "How far"}, {"values", names}, {"start", 12}, {"notes", notes}, {"play", true}}}}));
  return {figure};
}

}  // namespace discern::report
