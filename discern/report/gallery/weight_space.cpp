// F16: the solution region in weight space; F31: what normalising the weights does.
#include <fmt/format.h>

#include <cmath>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/surface.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// The perceptron's criterion over the weights: the sum of -t w.x of the rows that are wrong.
Numbers criterion(const Matrix& x, const std::vector<std::int32_t>& labels, const Grid& grid) {
  return over(grid, [&](double u, double v) {
    double sum = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      const double m = (labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1) * (u * x(i, 0) + v * x(i, 1));
      sum += std::max(0.0, -m);
    }
    return sum;
  });
}

}  // namespace

std::vector<Figure> solution_region() {
  const Table table = two_classes({{-1.45, 0.75}, {-0.3, -1.2}}, {{1.0, 0.4}, {-0.9, 1.0}});
  const Matrix x = cells_of(table);
  const auto labels = labels_of_table(table);
  const Grid grid{-2.6, 2.6, -2.2, 2.2, 78, 66};
  std::vector<std::int32_t> inside;
  Numbers margin;
  for (const double v : over(grid, [&](double a, double b) {
         double least = 1e9;
         for (Index i = 0; i < x.rows(); ++i)
           least = std::min(
               least, (labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1) * (a * x(i, 0) + b * x(i, 1)));
         return least;
       }))
    inside.push_back(v > 0 ? 1 : 0), margin.push_back(std::abs(v) / (40 + std::abs(v)));
  const auto half_planes = [&](bool normalised) {
    Json layers = Json::array();
    layers.push_back(regions(grid, inside, margin));
    for (Index i = 0; i < x.rows(); ++i) {
      const bool one = labels[static_cast<std::size_t>(i)] == 1;
      const double sign = normalised && !one ? -1 : 1;
      layers.push_back(
          straight(grid, x(i, 0), x(i, 1), 0, {{"color", one ? 1 : 0}, {"thin", true}, {"dash", "dashed"}}));
      layers.push_back(
          arrow(0, 0, sign * x(i, 0), sign * x(i, 1),
                {{"color", one ? 1 : 0}, {"text", fmt::format("{}x{}", sign < 0 ? "−" : "", i + 1)}}));
    }
    return plot(
        axis("w1", grid.left, grid.right), axis("w2", grid.bottom, grid.top), layers,
        {{"equal", true}, {"title", normalised ? "normalised by the label" : "the samples as they are"}});
  };
  const WatchedFit fit = watched(table, "perceptron",
                                 {{"variant", "sequential"}, {"no-bias", "true"}, {"learning-rate", "0.5"}});
  const Steps path = steps_of(fit.history);
  const Numbers values = criterion(x, labels, grid);
  Numbers where;
  for (int k = 1; k <= 10; ++k) where.push_back(0.6 * k);
  Json layers = Json::array();
  layers.push_back(regions(grid, inside, margin));
  layers.push_back(levels(grid, values, where, {{"color", "soft"}, {"width", 1}, {"name", "the criterion"}}));
  layers.push_back(line({}, {},
                        {{"color", "ink"},
                         {"dots", true},
                         {"name", "steps of the perceptron"},
                         {"frames", growing_frames(path)}}));
  Json panels = Json::array();
  panels.push_back(half_planes(false));
  panels.push_back(half_planes(true));
  panels.push_back(plot(axis("w1", grid.left, grid.right), axis("w2", grid.bottom, grid.top), layers,
                        {{"equal", true}, {"title", "the criterion and the steps"}}));
  Json names = Json::array();
  for (std::size_t k = 0; k < path.w1.size(); ++k) names.push_back(std::to_string(k));
  Figure flat{
      "F16", "The solution region",
      "Seen over the weights, each sample is a half-plane of weight vectors that get it right; where all "
      "half-planes meet is the solution region (shaded). With the samples of class 0 turned round, a "
      "solution is "
      "a vector that makes an acute angle with every sample. The criterion is a surface of flat pieces, and "
      "the "
      "perceptron walks down it into the region."};
  flat.formula = "t_i w·x_i > 0 for all i;   J(w) = Σ_{wrong} −t_i w·x_i";
  flat.numbers = {{"corrections", std::to_string(path.w1.size() - 1)}};
  flat.data = text_of(plots(panels, {"some sample is wrong", "solution region"},
                            {{"frames", {{"label", "Correction"}, {"values", names}, {"play", true}}}}));
  // The same surface in space, as lines along both weights.
  Json mesh = Json::array();
  const Grid coarse{-2.6, 2.6, -2.2, 2.2, 27, 27};
  const Numbers height = criterion(x, labels, coarse);
  const auto at_cell = [&](Index c, Index r) {
    return Json{tidy(coarse.x(c)), tidy(coarse.y(r)),
                tidy(height[static_cast<std::size_t>(r * coarse.cols + c)])};
  };
  double top = 0;
  for (const double h : height) top = std::max(top, h);
  for (Index r = 1; r < coarse.rows; r += 2) {
    Json along = Json::array();
    for (Index c = 0; c < coarse.cols; ++c) along.push_back(at_cell(c, r));
    mesh.push_back({{"at", along}, {"color", 0}});
  }
  for (Index c = 1; c < coarse.cols; c += 2) {
    Json along = Json::array();
    for (Index r = 0; r < coarse.rows; ++r) along.push_back(at_cell(c, r));
    mesh.push_back({{"at", along}, {"color", 5}});
  }
  Json steps3 = Json::array();
  for (std::size_t k = 0; k < path.w1.size(); ++k) {
    double sum = 0;
    for (Index i = 0; i < x.rows(); ++i)
      sum += std::max(0.0, -(labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1) *
                               (path.w1[k] * x(i, 0) + path.w2[k] * x(i, 1)));
    steps3.push_back({{"at", {tidy(path.w1[k]), tidy(path.w2[k]), tidy(sum)}},
                      {"class", 1},
                      {"label", fmt::format("correction {}", k)}});
  }
  Figure space{"F16-surface", "The perceptron's criterion as a surface",
               "Flat pieces that meet in creases, one for each sample; the floor of the valley is the "
               "solution region."};
  space.data = text_of({{"kind", "space"},
                        {"axes", {"w1", "w2", "J"}},
                        {"domain", {{-2.6, 2.6}, {-2.2, 2.2}, {0, tidy(top)}}},
                        {"classes", {"", "corrections"}},
                        {"points", steps3},
                        {"lines", mesh},
                        {"turn", 35},
                        {"tilt", 32}});
  return {flat, space};
}

std::vector<Figure> normalisation() {
  const Table table = valley_table();
  Json lengths = Json::array(), angles = Json::array();
  int color = 0;
  Figure figure{
      "F31", "Normalised weights",
      "Logistic regression by descent, without a penalty and with the weights brought to length one after "
      "every step. Only the direction of w decides; normalising keeps the length from growing and leaves the "
      "direction to be found."};
  double longest = 1;
  Numbers all_angles;
  for (const bool normalised : {false, true}) {
    NamedOptions options{{"solver", "gd"}, {"l2", "0"}, {"learning-rate", "0.03"}, {"max-iter", "80"}};
    if (normalised) options.emplace_back("normalize-weights", "true");
    const WatchedFit fit = watched(table, "logistic", options);
    Numbers count, length, angle;
    for (const auto& m : fit.history.moments()) {
      const double norm = m.weights.row(0).norm();  // before the first step next to nothing
      if (!(norm > 0)) continue;
      count.push_back(static_cast<double>(m.iteration));
      length.push_back(norm);
      angle.push_back(m.iteration == 0
                          ? std::nan("")
                          : std::atan2(m.weights(0, 1), m.weights(0, 0)) * 180 / std::numbers::pi);
      longest = std::max(longest, norm);
    }
    all_angles.insert(all_angles.end(), angle.begin(), angle.end());
    Json style{{"color", color}, {"name", normalised ? "normalised every step" : "free"}};
    if (normalised) style["dash"] = "dashed";
    lengths.push_back(line(count, length, style));
    angles.push_back(line(count, angle, style));
    figure.numbers.emplace_back(normalised ? "wrong rows, normalised" : "wrong rows, free",
                                std::to_string(mistakes_of(fit.outcome)));
    ++color;
  }
  const auto [low, high] = range_of(all_angles);
  Json panels = Json::array();
  panels.push_back(plot(axis("step", 0, 80, {{"whole", true}}), axis("length ‖w‖", 0, longest * 1.06),
                        lengths, {{"title", "length"}}));
  panels.push_back(plot(axis("step", 0, 80, {{"whole", true}}), axis("direction of w, degrees", low, high),
                        angles, {{"title", "direction"}}));
  figure.formula = "w ← w / ‖w‖ after every step";
  figure.data = text_of(plots(panels));
  return {figure};
}

}  // namespace discern::report
