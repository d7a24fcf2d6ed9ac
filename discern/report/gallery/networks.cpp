// F20: OR, AND and XOR as networks; F21: what layers can enclose; F23: radial units.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/report/figures/shapes.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// So many cells that none has its middle on a line of the units.
const Grid square{-0.5, 1.5, -0.5, 1.5, 59, 59};

// A unit with a step: class 1 where w1 x1 + w2 x2 + w0 >= 0.
struct StepUnit {
  const char* name;
  double w1, w2, w0;
  double sum(double x1, double x2) const { return w1 * x1 + w2 * x2 + w0; }
  double answer(double x1, double x2) const { return sum(x1, x2) >= 0 ? 1 : 0; }
};
constexpr StepUnit or_unit{"OR", 1, 1, -0.5}, and_unit{"AND", 1, 1, -1.5},
    and_not{"y1 AND NOT y2", 1, -1, -0.5};

double xor_answer(double x1, double x2) {
  return and_not.answer(or_unit.answer(x1, x2), and_unit.answer(x1, x2));
}

template <class Answer>
Json truth_map(const std::string& title, Answer&& answer, const std::vector<StepUnit>& units) {
  std::vector<std::int32_t> labels;
  for (const double v : over(square, answer)) labels.push_back(static_cast<std::int32_t>(v));
  // The ground is as sure as the nearest of the lines is far.
  const Numbers margin = over(square, [&](double a, double b) {
    double least = 1;
    for (const StepUnit& unit : units) least = std::min(least, 0.25 * std::abs(unit.sum(a, b)));
    return least;
  });
  Numbers x{0, 0, 1, 1}, y{0, 1, 0, 1};
  std::vector<std::int32_t> kinds;
  for (std::size_t i = 0; i < 4; ++i) kinds.push_back(static_cast<std::int32_t>(answer(x[i], y[i])));
  Json layers = Json::array();
  layers.push_back(regions(square, labels, margin));
  layers.push_back(points(x, y, {{"class", kinds}, {"size", 130}}));
  return plane(square, layers, {{"title", title}});
}

// The lines where the sums of the hidden units of a network over two columns are zero.
void hidden_lines(const Network& network, const Grid& grid, std::vector<Json>& frames) {
  const Layer& hidden = network.layers.front();
  frames.resize(static_cast<std::size_t>(hidden.weights.rows()), Json::array());
  for (Index u = 0; u < hidden.weights.rows(); ++u) {
    Vector w = hidden.weights.row(u).transpose();
    double b = hidden.bias[u];
    if (network.scale.size() > 0) w = w.cwiseQuotient(network.scale);
    if (network.center.size() > 0) b -= w.dot(network.center);
    const Json at = straight(grid, w[0], w[1], b);
    frames[static_cast<std::size_t>(u)].push_back({{"x", at["x"]}, {"y", at["y"]}});
  }
}

}  // namespace

std::vector<Figure> logic_networks() {
  Json panels = Json::array();
  panels.push_back(truth_map(
      "OR: x1 + x2 − 0.5", [](double a, double b) { return or_unit.answer(a, b); }, std::vector{or_unit}));
  panels.push_back(truth_map(
      "AND: x1 + x2 − 1.5", [](double a, double b) { return and_unit.answer(a, b); }, std::vector{and_unit}));
  panels.push_back(truth_map("XOR: OR and not AND", xor_answer, std::vector{or_unit, and_unit}));
  Figure maps{
      "F20", "OR, AND and XOR by units with steps",
      "One line is enough for OR and for AND. XOR needs two: it is 1 between them, where OR says yes and AND "
      "says no, and a second layer puts that together."};
  maps.formula = "y1 = [x1 + x2 ≥ 0.5],   y2 = [x1 + x2 ≥ 1.5],   XOR = [y1 − y2 ≥ 0.5]";
  maps.data = text_of(plots(panels, {"0", "1"}));
  Figure wiring{"F20-wiring", "The 2-2-1 network of XOR",
                "The weights of the lectures: orange above zero, dashed blue below, thicker the larger."};
  Json links = Json::array();
  const auto link = [&](int layer, int from, int to, double weight) {
    links.push_back({{"layer", layer}, {"from", from}, {"to", to}, {"weight", weight}});
  };
  link(0, 0, 0, or_unit.w1);
  link(0, 1, 0, or_unit.w2);
  link(0, 0, 1, and_unit.w1);
  link(0, 1, 1, and_unit.w2);
  link(1, 0, 0, and_not.w1);
  link(1, 1, 0, and_not.w2);
  wiring.data = text_of({{"kind", "wiring"},
                         {"layers",
                          {{{"name", "inputs"}, {"units", {"x1", "x2"}}},
                           {{"name", "steps"}, {"units", {"OR", "AND"}}},
                           {{"name", "output"}, {"units", {"XOR"}}}}},
                         {"links", links},
                         {"biases", {{or_unit.w0, and_unit.w0}, {and_not.w0}}}});
  return {maps, wiring};
}

std::vector<Figure> truth_tables() {
  Json rows = Json::array();
  for (const double a : {0.0, 1.0})
    for (const double b : {0.0, 1.0})
      rows.push_back({a, b, or_unit.sum(a, b), or_unit.answer(a, b), and_unit.sum(a, b),
                      and_unit.answer(a, b), and_not.sum(or_unit.answer(a, b), and_unit.answer(a, b)),
                      xor_answer(a, b)});
  Figure figure{"truth-tables", "Truth tables",
                "The sums and the answers of the units with the given weights, for every input."};
  figure.formula = "OR: g = x1 + x2 − 0.5      AND: g = x1 + x2 − 1.5      XOR: g = y1 − y2 − 0.5";
  figure.data = text_of({{"kind", "table"},
                         {"columns", {"x1", "x2", "g of OR", "OR", "g of AND", "AND", "g of XOR", "XOR"}},
                         {"rows", rows}});
  return {figure};
}

std::vector<Figure> layers() {
  GenerateOptions shape;
  shape.shape = "rings";
  shape.rows = 160;
  shape.noise = 0.15;
  shape.seed = 2;
  const Table table = generate(shape);
  Grid grid = around(table);
  grid.cols = 70;
  grid.rows = 62;
  Json panels = Json::array();
  Figure figure{"F21", "What layers can enclose",
                "One layer cuts the plane by a line. A hidden layer of a few units encloses a polygon with "
                "as many sides; "
                "more units, or another layer, make unions of such pieces and round the corners. The last "
                "picture shows "
                "the lines of three hidden units finding their places."};
  struct Shape {
    const char* title;
    const char* layers;
  };
  for (const Shape& one :
       {Shape{"no hidden layer", "0"}, Shape{"3 hidden units", "3"}, Shape{"two layers of 8", "8,8"}}) {
    const FitOutcome outcome = demo_fit(
        table, "mlp", {{"layers", one.layers}, {"activation", "tanh"}, {"restarts", "4"}, {"l2", "0.01"}});
    panels.push_back(plane(grid, {model_regions(outcome.model, grid), class_points(table, {{"size", 24}})},
                           {{"title", one.title}}));
    figure.numbers.emplace_back(fmt::format("wrong of 160, {}", one.title),
                                std::to_string(mistakes_of(outcome)));
  }
  FitSettings settings;
  settings.options = find_model("mlp").make("mlp");
  for (const auto& [name, value] :
       NamedOptions{{"layers", "3"}, {"activation", "tanh"}, {"l2", "0.01"}, {"max-iter", "60"}})
    set_option(settings.options, name, value);
  settings.target = "class";
  settings.seed = 3;
  std::vector<Json> frames;
  Json names = Json::array();
  settings.watch = [&](const TraceStep& step) {
    if (names.size() >= 60) return;
    hidden_lines(std::get<Network>(step.predictor), grid, frames);
    names.push_back(std::to_string(step.iteration));
  };
  fit_model(table, settings);
  Json layer_list = Json::array();
  layer_list.push_back(class_points(table, {{"size", 24}}));
  for (std::size_t u = 0; u < frames.size(); ++u)
    layer_list.push_back(line({}, {},
                              {{"color", u + 2},
                               {"name", fmt::format("hidden unit {}", u + 1)},
                               {"dash", u == 0   ? ""
                                        : u == 1 ? "dashed"
                                                 : "dotted"},
                               {"frames", frames[u]}}));
  panels.push_back(plane(grid, layer_list, {{"title", "the lines of three hidden units"}}));
  figure.formula = "y = f(W1 x + b1),   g = w2·y + b2";
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Iteration"}, {"values", names}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> radial_units() {
  const Numbers x{0, 1, 0, 1}, y{0, 1, 1, 0};
  const std::vector<std::int32_t> kinds{0, 0, 1, 1};
  const auto bump = [](double a, double b, double ca, double cb) {
    return std::exp(-(a - ca) * (a - ca) - (b - cb) * (b - cb));
  };
  Numbers y1, y2;
  for (std::size_t i = 0; i < 4; ++i)
    y1.push_back(bump(x[i], y[i], 1, 1)), y2.push_back(bump(x[i], y[i], 0, 0));
  const Grid grid{-1, 2, -1, 2, 60, 60};
  const Numbers sum = over(grid, [&](double a, double b) { return bump(a, b, 1, 1) + bump(a, b, 0, 0); });
  const Grid unit{-0.1, 1.15, -0.1, 1.15, 40, 40};
  Json panels = Json::array();
  panels.push_back(plane(grid,
                         {levels(grid, sum, {0.2, 0.4, 0.6, 0.8, 1.2}, {{"color", "soft"}}),
                          levels(grid, sum, {1}, {{"color", "ink"}, {"width", 2.4}, {"name", "y1 + y2 = 1"}}),
                          points(x, y, {{"class", kinds}, {"size", 110}})},
                         {{"title", "the sum of two bumps"}}));
  panels.push_back(plot(axis("y1 = exp(−|x − (1,1)|²)", unit.left, unit.right),
                        axis("y2 = exp(−|x|²)", unit.bottom, unit.top),
                        {straight(unit, 1, 1, -1, {{"color", "ink"}, {"name", "y1 + y2 = 1"}}),
                         points(y1, y2, {{"class", kinds}, {"size", 110}})},
                        {{"equal", true}, {"title", "XOR as the units see it"}}));
  GenerateOptions shape;
  shape.shape = "rings";
  shape.rows = 160;
  shape.noise = 0.15;
  shape.seed = 2;
  const Table table = generate(shape);
  const FitOutcome outcome =
      demo_fit(table, "rbf-network", {{"centers", "8"}, {"placement", "kmeans"}, {"l2", "0.1"}});
  Grid wide = around(table);
  wide.cols = 70;
  wide.rows = 62;
  Json ground = Json::array();
  ground.push_back(model_regions(outcome.model, wide));
  ground.push_back(class_points(table, {{"size", 22}}));
  for (const Step& step : outcome.model.pipeline.steps())
    if (const auto* basis = std::get_if<Radial>(&step)) {
      Numbers cx, cy;
      for (Index k = 0; k < basis->units(); ++k) {
        cx.push_back(basis->centers(k, 0));
        cy.push_back(basis->centers(k, 1));
        Numbers ex, ey;
        for (int a = 0; a <= 40; ++a) {
          const double angle = 2 * std::numbers::pi * a / 40, r = basis->widths[static_cast<std::size_t>(k)];
          ex.push_back(cx.back() + r * basis->scale[0] * std::cos(angle));
          ey.push_back(cy.back() + r * basis->scale[1] * std::sin(angle));
        }
        ground.push_back(line(ex, ey, {{"color", "soft"}, {"thin", true}}));
      }
      ground.push_back(
          points(cx, cy, {{"color", "ink"}, {"shape", 4}, {"size", 90}, {"name", "centres and widths"}}));
    }
  panels.push_back(plane(wide, ground, {{"title", "eight units on rings"}}));
  Figure figure{"F23", "Radial units",
                "Two bumps at the corners where XOR is 0 make it a question of whether their sum is above 1: "
                "a straight "
                "line in the plane of the two units. On other data k-means finds the centres, neighbours the "
                "widths, and "
                "least squares the weights."};
  figure.formula = "g(x) = Σ_k w_k exp(−|x − c_k|² / 2 s_k²) + w0";
  figure.numbers = {{"wrong of 160 on the rings", std::to_string(mistakes_of(outcome))}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"}));
  return {figure};
}

}  // namespace discern::report
