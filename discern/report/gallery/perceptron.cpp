// F4 and F5: the perceptron on data that can be separated, and on data that cannot; F24: many orders of the same rows.
#include <fmt/format.h>

#include <cmath>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

Table separable_table() {
  GenerateOptions shape;
  shape.shape = "linear";
  shape.rows = 60;
  shape.margin = 0.06;
  shape.features = 2;
  shape.seed = 22;
  return generate(shape);
}

Table overlapping_table() { return tilted_classes(60, {0.9, 0.4}, 1.0, 0.3, 0.9, 8); }

// At each of the moments that are shown: the rows that the line gets wrong, and w, drawn from the line.
struct Course {
  Json wrong = Json::array(), normals = Json::array();
};

Course course_of(const Table& table, const WatchedFit& fit, const Grid& grid, std::size_t most) {
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  const double cx = (grid.left + grid.right) / 2, cy = (grid.bottom + grid.top) / 2,
               length = 0.2 * (grid.top - grid.bottom);
  Course course;
  for (const auto* m : shown_moments(fit.history, most)) {
    std::vector<std::size_t> wrong;
    for (Index i = 0; i < x.rows(); ++i) {
      const double t = labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
      if (!(t * (m->weights.row(0).dot(x.row(i)) + m->bias[0]) > 0))
        wrong.push_back(static_cast<std::size_t>(i));
    }
    course.wrong.push_back({{"wrong", wrong}});
    const double w1 = m->weights(0, 0), w2 = m->weights(0, 1), norm = std::hypot(w1, w2);
    const double u1 = norm > 0 ? w1 / norm : 0, u2 = norm > 0 ? w2 / norm : 0;
    const double away = norm > 0 ? (w1 * cx + w2 * cy + m->bias[0]) / norm : 0;
    const double fx = cx - away * u1, fy = cy - away * u2;
    course.normals.push_back(
        {{"x", numbers({fx, fx + length * u1})}, {"y", numbers({fy, fy + length * u2})}});
  }
  return course;
}

Json lines_panel(const Table& table, const WatchedFit& fit, const std::string& title, std::size_t most,
                 Json& names) {
  const Grid grid = around(table);
  const LineFrames lines = line_frames(fit.history, grid, most);
  if (lines.names.size() > names.size()) names = lines.names;
  Json layers = Json::array();
  const Course course = course_of(table, fit, grid, most);
  layers.push_back(class_points(table, {{"frames", course.wrong}}));
  layers.push_back(line({}, {}, {{"color", "ink"}, {"name", "separator"}, {"frames", lines.frames}}));
  layers.push_back(arrow(0, 0, 1, 1, {{"text", "w"}, {"color", "good"}, {"frames", course.normals}}));
  return plane(grid, layers, {{"title", title}});
}

// The mistakes over the iterations that were kept.
std::pair<Numbers, Numbers> mistakes_by_step(const History& history) {
  std::pair<Numbers, Numbers> curve;
  for (const auto& m : history.moments())
    if (m.certificate)
      curve.first.push_back(static_cast<double>(m.iteration)), curve.second.push_back(*m.certificate);
  return curve;
}

}  // namespace

std::vector<Figure> perceptron_separable() {
  const Table table = separable_table();
  const WatchedFit batch = watched(table, "perceptron", {{"variant", "batch"}});
  const WatchedFit sequential = watched(table, "perceptron", {{"variant", "sequential"}});
  Json panels = Json::array(), names = Json::array();
  panels.push_back(lines_panel(table, batch, "batch: all wrong rows at once", 60, names));
  panels.push_back(lines_panel(table, sequential, "sequential: one row at a time", 60, names));
  Json steps = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) steps.push_back(std::to_string(k));
  Figure figure{"F4", "The perceptron learns",
                "Whenever a row is on the wrong side (ringed), w turns towards it, or away from it if it is "
                "of class 0. On "
                "classes that a line can separate this ends after finitely many corrections."};
  figure.formula = "if t (w·x + w0) ≤ 0:   w ← w + η t x,   w0 ← w0 + η t";
  figure.numbers = {{"passes, batch", rounded(static_cast<double>(batch.outcome.model.summary.iterations))},
                    {"mistakes, sequential", rounded(fact_of(sequential.outcome, "mistakes"))},
                    {"bound (R/γ)²", rounded(std::floor(fact_of(sequential.outcome, "mistake_bound")), 6)}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Step"}, {"values", steps}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> perceptron_inseparable() {
  const Table table = overlapping_table();
  const WatchedFit fit = watched(table, "perceptron", {{"variant", "batch"}, {"epochs", "100"}});
  Json panels = Json::array(), names = Json::array();
  panels.push_back(lines_panel(table, fit, "the separator", 100, names));
  const auto [x, y] = mistakes_by_step(fit.history);
  Json markers = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::size_t i = k * (x.size() - 1) / std::max<std::size_t>(1, names.size() - 1);
    markers.push_back({{"x", numbers({x[i]})}, {"y", numbers({y[i]})}});
  }
  const auto [low, high] = range_of(y);
  panels.push_back(plot(axis("pass", 0, x.back(), {{"whole", true}}),
                        axis("rows on the wrong side", std::max(0.0, low), high),
                        {line(x, y, {{"color", 0}, {"thin", true}}),
                         points({0}, {0}, {{"color", 1}, {"size", 90}, {"frames", markers}})},
                        {{"title", "mistakes"}}));
  Figure figure{
      "F5", "When no line separates the classes",
      "The perceptron never settles: every correction for one row spoils another, and the number of mistakes "
      "goes up and down for ever. It stops at the limit that it was given and says so."};
  figure.formula = "J(w) = Σ_{wrong} −t w·x has no point below which it cannot be disturbed";
  figure.numbers = {{"mistakes of the last line", rounded(static_cast<double>(mistakes_of(fit.outcome)))},
                    {"converged", fit.outcome.model.summary.converged ? "yes" : "no"}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Pass"}, {"values", names}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> perceptron_orders() {
  const Table table = separable_table();
  const Grid grid = around(table);
  Json layers = Json::array();
  Numbers seeds, mistakes;
  double bound = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const WatchedFit fit =
        watched(table, "perceptron", {{"variant", "sequential"}, {"shuffle", "true"}}, seed);
    layers.push_back(boundary(linear_of(fit.outcome), grid,
                              {{"color", "soft"}, {"thin", true}, {"name", "lines of the perceptron"}}));
    seeds.push_back(static_cast<double>(seed));
    mistakes.push_back(fact_of(fit.outcome, "mistakes"));
    bound = fact_of(fit.outcome, "mistake_bound");
  }
  const PairSeparability verdict = demo_verdict(table);
  layers.push_back(boundary(verdict.result.plane, grid,
                            {{"color", "good"}, {"dash", "dashed"}, {"name", "the widest margin"}}));
  layers.push_back(class_points(table));
  Json panels = Json::array();
  panels.push_back(plane(grid, layers, {{"title", "24 lines"}}));
  panels.push_back(plot(axis("order", 0, 25, {{"whole", true}}),
                        axis("mistakes", 1, std::max(bound * 1.5, 10.0), {{"log", true}}),
                        {points(seeds, mistakes, {{"color", "ink"}, {"shape", 3}, {"name", "mistakes made"}}),
                         Json{{"type", "rule"}, {"y", bound}, {"text", "bound (R/γ)²"}, {"color", "bad"}}},
                        {{"title", "mistakes and their bound"}}));
  Figure figure{"F24", "Many orders, many lines",
                "The same rows in 24 random orders: every line separates the classes, and no two are the "
                "same. The number "
                "of mistakes depends on the order, too, but never exceeds the bound of Novikoff."};
  figure.formula = "mistakes ≤ (R / γ)²,   R = max ‖x‖,   γ the margin";
  figure.numbers = {{"bound", rounded(std::floor(bound), 6)},
                    {"widest margin", rounded(verdict.result.margin, 4)}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"}));
  return {figure};
}

}  // namespace discern::report
