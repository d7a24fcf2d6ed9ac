// F25: projections on an axis that turns; F26: multiple discriminant analysis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// Fisher's criterion of a direction, the squared distance of the projected means over the sum of the scatters, and the
// standard deviation within the classes.
struct Criterion {
  double j, within;
};
Criterion criterion_of(const Numbers& z, const std::vector<std::int32_t>& labels) {
  double sum[2] = {0, 0}, count[2] = {0, 0}, scatter = 0;
  for (std::size_t i = 0; i < z.size(); ++i) sum[labels[i]] += z[i], count[labels[i]] += 1;
  for (std::size_t i = 0; i < z.size(); ++i) scatter += std::pow(z[i] - sum[labels[i]] / count[labels[i]], 2);
  return {std::pow(sum[1] / count[1] - sum[0] / count[0], 2) / scatter,
          std::sqrt(scatter / static_cast<double>(z.size() - 2))};
}

// The rows along the axis at an angle, in degrees.
Numbers places_along(const Matrix& x, const Vector& center, int degree) {
  const double a = degree * std::numbers::pi / 180;
  Numbers z;
  for (Index i = 0; i < x.rows(); ++i)
    z.push_back((x(i, 0) - center[0]) * std::cos(a) + (x(i, 1) - center[1]) * std::sin(a));
  return z;
}

Numbers histogram_of(const Numbers& z, const std::vector<std::int32_t>& labels, std::int32_t kind, double low,
                     double high, Index bins) {
  Numbers heights(static_cast<std::size_t>(bins), 0.0);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (labels[i] == kind)
      heights[static_cast<std::size_t>(std::clamp((z[i] - low) / (high - low) * static_cast<double>(bins),
                                                  0.0, static_cast<double>(bins - 1)))] += 1;
  return heights;
}

}  // namespace

std::vector<Figure> fisher_axis() {
  const Table table = tilted_classes(200, {1.0, 0.1}, 1.4, 1.1, 0.5, 15);
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  const FitOutcome fisher = demo_fit(table, "fisher", {});
  const Projection& projection = *fisher.projection;
  const Vector best = projection.directions.row(0).transpose(), difference = projection.mean_difference;
  const auto angle_of = [](const Vector& w) {
    const double a = std::atan2(w[1], w[0]) * 180 / std::numbers::pi;
    return a < 0 ? a + 180 : a;
  };
  const Vector center = x.colwise().mean().transpose();
  const Grid grid = around(table);
  const double reach = 0.5 * std::hypot(grid.right - grid.left, grid.top - grid.bottom);
  Numbers angles, values;
  Json axis_frames = Json::array(), zero_frames = Json::array(), one_frames = Json::array(),
       dot_frames = Json::array(), names = Json::array(), notes = Json::array();
  constexpr Index bins = 30;
  constexpr double widest = 4.5;  // standard deviations
  double most = 0;
  for (int degree = 0; degree <= 180; ++degree) {
    angles.push_back(degree);
    values.push_back(criterion_of(places_along(x, center, degree), labels).j);
  }
  for (int degree = 0; degree <= 180; degree += 5) {
    const double a = degree * std::numbers::pi / 180;
    Numbers z = places_along(x, center, degree);
    const auto [j, within] = criterion_of(z, labels);
    for (double& place : z) place /= within;
    axis_frames.push_back(
        {{"x", numbers({center[0] - reach * std::cos(a), center[0] + reach * std::cos(a)})},
         {"y", numbers({center[1] - reach * std::sin(a), center[1] + reach * std::sin(a)})}});
    const Numbers h0 = histogram_of(z, labels, 0, -widest, widest, bins),
                  h1 = histogram_of(z, labels, 1, -widest, widest, bins);
    for (const Numbers* h : {&h0, &h1}) most = std::max(most, *std::max_element(h->begin(), h->end()));
    zero_frames.push_back({{"heights", numbers(h0)}});
    one_frames.push_back({{"heights", numbers(h1)}});
    dot_frames.push_back({{"x", numbers({static_cast<double>(degree)})}, {"y", numbers({j})}});
    names.push_back(fmt::format("{}°", degree));
    notes.push_back(fmt::format("J(w) = {}.", rounded(j)));
  }
  const auto through = [&](const Vector& w, const Json& style) {
    const Vector u = w / w.norm();
    return line({center[0] - reach * u[0], center[0] + reach * u[0]},
                {center[1] - reach * u[1], center[1] + reach * u[1]}, style);
  };
  Json ground = Json::array();
  ground.push_back(class_points(table, {{"size", 26}}));
  ground.push_back(through(best, {{"color", "good"}, {"dash", "dashed"}, {"name", "Fisher's direction"}}));
  ground.push_back(
      through(difference, {{"color", "bad"}, {"dash", "dotted"}, {"name", "difference of the means"}}));
  ground.push_back(line({}, {}, {{"color", "ink"}, {"name", "the axis"}, {"frames", axis_frames}}));
  Json panels = Json::array();
  panels.push_back(plane(grid, ground, {{"title", "the plane"}}));
  const Numbers edges = steps(-widest, widest, bins + 1), none(bins, 0.0);
  panels.push_back(plot(axis("place, in deviations", -widest, widest), axis("rows", 0, most * 1.05),
                        {bars(edges, none, {{"color", 0}, {"frames", zero_frames}}),
                         bars(edges, none, {{"color", 1}, {"frames", one_frames}})},
                        {{"title", "projected"}}));
  panels.push_back(
      plot(axis("angle of the axis, degrees", 0, 180),
           axis("J(w)", 0, *std::max_element(values.begin(), values.end()) * 1.1),
           {line(angles, values, {{"color", "soft"}}),
            Json{{"type", "rule"}, {"x", angle_of(best)}, {"text", "Fisher"}, {"color", "good"}},
            Json{{"type", "rule"}, {"x", angle_of(difference)}, {"text", "means"}, {"color", "bad"}},
            points({0}, {0}, {{"color", "ink"}, {"size", 90}, {"frames", dot_frames}})},
           {{"title", "Fisher's criterion"}}));
  Figure figure{
      "F25", "Which axis separates best?",
      "Turn the axis: the rows are projected on it, and J compares the distance of the projected means with "
      "the spread about them, in which the heaps are measured. The difference of the means ignores that "
      "spread; Fisher's direction, S_W⁻¹(m1 "
      "− "
      "m0), has the largest J of all."};
  figure.formula = "J(w) = (wᵀ(m1 − m0))² / wᵀ S_W w";
  figure.numbers = {{"angle of Fisher's direction", fmt::format("{:.1f}°", angle_of(best))},
                    {"angle of the mean difference", fmt::format("{:.1f}°", angle_of(difference))}};
  figure.data = text_of(plots(
      panels, {"class 0", "class 1"},
      {{"frames", {{"label", "Angle"}, {"values", names}, {"start", 4}, {"notes", notes}, {"play", true}}}}));
  return {figure};
}

std::vector<Figure> discriminant_plane() {
  GenerateOptions shape;
  shape.shape = "gaussians";
  shape.rows = 300;
  shape.features = 6;
  shape.classes = 5;
  shape.separation = 3;
  shape.seed = 7;
  const Table table = generate(shape);
  const FitOutcome outcome = demo_fit(table, "fisher", {});
  const Projection& p = *outcome.projection;
  const Matrix x = cells_of(table);
  const Matrix z = (x.rowwise() - p.center.transpose()) * p.directions.transpose();
  const auto labels = labels_of_table(table);
  std::vector<std::string> classes;
  for (int k = 0; k < 5; ++k) classes.push_back(fmt::format("class {}", k));
  Json panels = Json::array();
  for (const auto& [a, b] : {std::pair<Index, Index>{0, 1}, {2, 3}}) {
    if (b >= p.components()) break;
    const Vector u = z.col(a), v = z.col(b), mu = p.means.col(a), mv = p.means.col(b);
    const Numbers px(u.data(), u.data() + u.size()), py(v.data(), v.data() + v.size()),
        mx(mu.data(), mu.data() + mu.size()), my(mv.data(), mv.data() + mv.size());
    const auto [left, right] = range_of(px);
    const auto [bottom, top] = range_of(py);
    panels.push_back(plot(axis(fmt::format("z{} (ratio {})", a + 1, rounded(p.ratios[a], 3)), left, right),
                          axis(fmt::format("z{} (ratio {})", b + 1, rounded(p.ratios[b], 3)), bottom, top),
                          {points(px, py, {{"class", labels}}),
                           points(mx, my, {{"class", {0, 1, 2, 3, 4}}, {"open", true}, {"size", 240}})},
                          {{"equal", true}, {"title", fmt::format("directions {} and {}", a + 1, b + 1)}}));
  }
  Figure figure{
      "F26", "Multiple discriminant analysis",
      "Five classes in six dimensions have at most four directions in which their means lie apart. The first "
      "two show most of it; large open marks are the class means. Along the last ones the classes overlap."};
  figure.formula = "S_B v = λ S_W v,   at most K − 1 directions with λ > 0";
  for (Index c = 0; c < p.components(); ++c)
    figure.numbers.emplace_back(fmt::format("explained by z{}", c + 1), percent(p.explained[c]));
  figure.data = text_of(plots(panels, classes));
  return {figure};
}

}  // namespace discern::report
