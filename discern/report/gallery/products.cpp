// F14: XOR in the plane and in space; F15: one dimension that no threshold separates.
#include <fmt/format.h>

#include <cmath>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {

std::vector<Figure> xor_space() {
  const Table table = two_classes({{0, 0}, {1, 1}}, {{0, 1}, {1, 0}});
  const PairSeparability flat = demo_verdict(table), lifted = demo_verdict(table, "products:2");
  const Linear& best = lifted.result.plane;
  const double a = best.weights(0, 0), b = best.weights(0, 1), c = best.weights(0, 2),
               d = best.bias_at_origin()[0];
  Json points3 = Json::array(), lines3 = Json::array();
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  for (Index i = 0; i < 4; ++i)
    points3.push_back({{"at", {x(i, 0), x(i, 1), x(i, 0) * x(i, 1)}},
                       {"class", labels[static_cast<std::size_t>(i)]},
                       {"label", fmt::format("({}, {})", x(i, 0), x(i, 1))}});
  for (Index i = 0; i < x.rows(); ++i) {
    const double on = -(a * x(i, 0) + b * x(i, 1) + d) / c;
    lines3.push_back({{"at", {{x(i, 0), x(i, 1), x(i, 0) * x(i, 1)}, {x(i, 0), x(i, 1), tidy(on)}}},
                      {"color", labels[static_cast<std::size_t>(i)]},
                      {"dash", "dotted"}});
  }
  Json sheet = Json::array();
  for (const auto& [u, v] : {std::pair{-0.2, -0.2}, {1.2, -0.2}, {1.2, 1.2}, {-0.2, 1.2}})
    sheet.push_back({u, v, tidy(-(a * u + b * v + d) / c)});
  lines3.push_back({{"at", sheet}, {"color", "good"}, {"closed", true}});
  Figure space{
      "F14", "XOR in three dimensions",
      "In the plane no line has both corners of a class on one side: the middle of the square is a mean of "
      "the "
      "corners of the one class and of the other. With the product x1·x2 for a third coordinate the corner "
      "(1, 1) is lifted, and a plane goes between the classes: dotted lines lead from each corner to the "
      "plane. Drag "
      "to turn."};
  space.formula =
      fmt::format("g(x) = {} x1 + {} x2 − {} x1·x2 − {}", rounded(a), rounded(b), rounded(-c), rounded(-d));
  space.numbers = {{"separable in the plane", flat.result.verdict == Verdict::separable ? "yes" : "no"},
                   {"margin in space", rounded(lifted.result.margin)}};
  space.data = text_of({{"kind", "space"},
                        {"axes", {"x1", "x2", "x1·x2"}},
                        {"domain", {{-0.2, 1.2}, {-0.2, 1.2}, {-1.2, 1.6}}},
                        {"classes", {"XOR = 0", "XOR = 1"}},
                        {"points", points3},
                        {"lines", lines3},
                        {"labelled", true},
                        {"turn", 25},
                        {"tilt", 18}});
  const Grid grid{-0.4, 1.4, -0.4, 1.4, 60, 60};
  const FitOutcome product = demo_fit(table, "logistic", {{"l2", "0.001"}}, "products:2");
  Figure ground{"F14-plane", "The same boundary in the plane",
                "Where the plane in space is above or below the product, seen from above: the boundary is a "
                "hyperbola."};
  ground.data =
      text_of(plots({plane(grid, {model_regions(product.model, grid), class_points(table, {{"size", 150}})})},
                    {"XOR = 0", "XOR = 1"}));
  return {space, ground};
}

std::vector<Figure> basis_line() {
  const Numbers inner{-0.9, -0.5, -0.2, 0.1, 0.4, 0.8}, outer{-2.6, -2.1, -1.7, 1.6, 2.0, 2.4};
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (const double v : inner) rows.push_back({v}), labels.emplace_back("0");
  for (const double v : outer) rows.push_back({v}), labels.emplace_back("1");
  const Table table = points_table(rows, labels);
  const FitOutcome outcome = demo_fit(table, "logistic", {{"l2", "0.01"}}, "poly:2");
  const Linear& plane_now = linear_of(outcome);
  Numbers x, y, zero;
  for (const auto& row : rows) x.push_back(row[0]), y.push_back(row[0] * row[0]), zero.push_back(0);
  const Grid grid{-3, 3, -0.5, 7.2};
  const Numbers curve = steps(-3, 3, 81);
  const double w1 = plane_now.weights(0, 0), w2 = plane_now.weights(0, 1), w0 = plane_now.bias_at_origin()[0];
  // Where the line meets the parabola, the model changes its mind on the axis.
  Json line_layers = Json::array();
  const double root = std::sqrt(std::max(0.0, w1 * w1 - 4 * w2 * w0));
  line_layers.push_back(
      {{"type", "rule"}, {"x", number((-w1 - root) / (2 * w2))}, {"text", "g(x) = 0"}, {"color", "ink"}});
  line_layers.push_back(
      {{"type", "rule"}, {"x", number((-w1 + root) / (2 * w2))}, {"text", "g(x) = 0"}, {"color", "ink"}});
  line_layers.push_back(points(x, zero, {{"class", labels_of_table(table)}}));
  Json panels = Json::array();
  panels.push_back(plot(axis("x", -3, 3),
                        axis("", -1, 1, {{"ticks", {{"at", Json::array()}, {"text", Json::array()}}}}),
                        line_layers, {{"title", "one dimension"}, {"height", 0.62}}));
  panels.push_back(plot(axis("x", -3, 3), axis("x²", -0.5, 7.2),
                        {line(curve, at(curve, [](double v) { return v * v; }),
                              {{"color", "soft"}, {"thin", true}, {"name", "φ(x) = (x, x²)"}}),
                         straight(grid, w1, w2, w0, {{"color", "ink"}, {"name", "the line that separates"}}),
                         points(x, y, {{"class", labels_of_table(table)}})},
                        {{"title", "under the basis function"}}));
  Figure figure{
      "F15", "A basis function makes it linear",
      "On the line no threshold has the inner points on one side and the outer ones on the other. Seen as "
      "points (x, x²) on a parabola, a straight line separates them: the model is linear in what it is "
      "given, "
      "not in x."};
  figure.formula = "g(x) = w1 x + w2 x² + w0";
  figure.numbers = {{"wrong rows", std::to_string(mistakes_of(outcome))},
                    {"w1", rounded(w1)},
                    {"w2", rounded(w2)},
                    {"w0", rounded(w0)}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"}));
  return {figure};
}

}  // namespace discern::report
