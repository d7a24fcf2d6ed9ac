// F8: two Gaussian classes, with a shared covariance and with one each; F9: two normal densities and their posterior;
// F10: logistic regression in one dimension.
#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "discern/evaluate/bayes.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/normal.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// The density contours of one class at one, two and three deviations.
Json density_levels(const GaussianPart& part, const Grid& grid, int color) {
  const Eigen::Matrix2d inverse = Eigen::Matrix2d(part.covariance).inverse();
  const Numbers distance = over(grid, [&](double x, double y) {
    const Eigen::Vector2d d{x - part.mean[0], y - part.mean[1]};
    return -std::sqrt(d.dot(inverse * d));
  });
  return levels(grid, distance, {-3, -2, -1}, {{"color", color}, {"width", 1.2}});
}

Json gaussian_panel(bool own, Figure& figure) {
  GenerateOptions shape;
  shape.shape = "gaussians";
  shape.rows = 200;
  shape.features = 2;
  shape.classes = 2;
  shape.separation = own ? 1.6 : 2.4;
  shape.own_covariance = own;
  shape.seed = own ? 21 : 4;
  const Table table = generate(shape);
  const Truth truth = truth_of(shape);
  const FitOutcome outcome = demo_fit(table, own ? "qda" : "lda", {});
  const Grid grid = around(table);
  const BayesClassifier bayes(truth);
  const Numbers posterior = over(grid, [&](double x, double y) {
    const double at[2] = {x, y};
    double proba[2];
    bayes.posterior(at, proba);
    return proba[1];
  });
  Json layers = Json::array();
  layers.push_back(model_regions(outcome.model, grid));
  for (std::size_t k = 0; k < 2; ++k)
    layers.push_back(density_levels(truth.mixture[k][0], grid, static_cast<int>(k)));
  layers.push_back(
      levels(grid, posterior, {0.5}, {{"color", "good"}, {"name", "true boundary"}, {"width", 2.4}}));
  layers.push_back(class_points(table, {{"size", 22}}));
  const BayesError least = bayes_error(truth, 1);
  figure.numbers.emplace_back(own ? "wrong of 200, QDA" : "wrong of 200, LDA",
                              std::to_string(mistakes_of(outcome)));
  figure.numbers.emplace_back(own ? "Bayes error, own" : "Bayes error, shared", percent(least.value));
  return plane(grid, layers, {{"title", own ? "a covariance each: quadratic" : "one covariance: linear"}});
}

}  // namespace

std::vector<Figure> gaussian_classes() {
  Figure figure{
      "F8", "Gaussian classes",
      "Ellipses are one, two and three standard deviations of each class. With one covariance for both the "
      "quadratic terms cancel and the boundary is a line; with one each it is a conic. The green line is the "
      "boundary of the true densities, which the learned one comes near to with more rows."};
  Json panels = Json::array();
  panels.push_back(gaussian_panel(false, figure));
  panels.push_back(gaussian_panel(true, figure));
  figure.formula = "shared S: w = S⁻¹ (m1 − m0),   w0 = −½ m1ᵀS⁻¹m1 + ½ m0ᵀS⁻¹m0 + log P1/P0";
  figure.data = text_of(plots(panels, {"class 0", "class 1"}));
  return {figure};
}

std::vector<Figure> posterior_sigmoid() {
  const Numbers x = steps(-6, 6, 161), none(x.size(), 0.0);
  std::vector<Numbers> zero, one;
  Json posterior = Json::array(), names = Json::array(), notes = Json::array();
  for (int step = 0; step < 14; ++step) {
    const double deviation = 0.6 + 0.15 * step;
    const Normal a{-1.2, deviation}, b{1.2, deviation};
    zero.push_back(at(x, [&](double v) { return a.density(v); }));
    one.push_back(at(x, [&](double v) { return b.density(v); }));
    posterior.push_back(
        {{"y", numbers(at(x, [&](double v) { return b.density(v) / (a.density(v) + b.density(v)); }))}});
    names.push_back(fmt::format("{:.2f}", deviation));
    notes.push_back(fmt::format("P(C1 | x) = 1 / (1 + exp(−{:.3f} x)); the least possible error is {}.",
                                2.4 / (deviation * deviation), percent(a.below(-10) + 1 - a.below(0))));
  }
  Json panels = Json::array();
  Json densities = density(x, none, 0, "C0", zero);
  for (const Json& layer : density(x, none, 1, "C1", one)) densities.push_back(layer);
  panels.push_back(plot(axis("x", -6, 6), axis("density", 0, 0.7), densities, {{"title", "p(x | C)"}}));
  panels.push_back(plot(axis("x", -6, 6), axis("posterior", 0, 1.02),
                        {line(x, none, {{"color", 1}, {"name", "P(C1 | x)"}, {"frames", posterior}}),
                         Json{{"type", "rule"}, {"x", 0}}},
                        {{"title", "P(C1 | x)"}}));
  Figure figure{
      "F9", "Two normal densities give a sigmoid",
      "For two normal densities of the same spread the log of their ratio is linear in x, so the posterior "
      "is "
      "the logistic function of a linear score: exactly what logistic regression assumes. The wider the "
      "densities, the flatter it is."};
  figure.formula = "P(C1 | x) = 1 / (1 + exp(−(w x + w0))),   w = (m1 − m0) / s²";
  figure.data = text_of(plots(
      panels, {},
      {{"frames", {{"label", "Standard deviation s"}, {"values", names}, {"start", 3}, {"notes", notes}}}}));
  return {figure};
}

std::vector<Figure> logistic_line() {
  const Numbers at_zero{-2.8, -2.1, -1.7, -1.2, -0.8, -0.3, 0.4, 1.1},
      at_one{-0.6, 0.2, 0.7, 1.0, 1.6, 1.9, 2.5, 3.1};
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (const double v : at_zero) rows.push_back({v}), labels.emplace_back("0");
  for (const double v : at_one) rows.push_back({v}), labels.emplace_back("1");
  const Table table = points_table(rows, labels);
  const WatchedFit fit = watched(
      table, "logistic", {{"l2", "0"}, {"solver", "gd"}, {"learning-rate", "0.15"}, {"max-iter", "60"}});
  const Numbers x = steps(-3.5, 3.5, 141);
  Json curves = Json::array(), names = Json::array(), rules = Json::array();
  Numbers objective, count;
  const auto& moments = fit.history.moments();
  for (const auto& m : moments) {
    const double w = m.weights(0, 0), b = m.bias[0];
    curves.push_back({{"y", numbers(at(x, [&](double v) { return 1 / (1 + std::exp(-(w * v + b))); }))}});
    rules.push_back({{"x", w != 0 ? number(-b / w) : Json(-99)}});
    names.push_back(std::to_string(m.iteration));
    objective.push_back(m.objective.value_or(0));
    count.push_back(static_cast<double>(m.iteration));
  }
  Numbers px = at_zero, py(at_zero.size(), 0.0);
  px.insert(px.end(), at_one.begin(), at_one.end());
  py.insert(py.end(), at_one.size(), 1.0);
  Json layers = Json::array();
  layers.push_back(
      line(x, Numbers(x.size(), 0.5), {{"color", "ink"}, {"name", "P(1 | x)"}, {"frames", curves}}));
  layers.push_back({{"type", "rule"}, {"x", 0}, {"text", "threshold"}, {"frames", rules}});
  layers.push_back(points(px, py, {{"class", labels_of_table(table)}}));
  const auto [low, high] = range_of(objective);
  Json panels = Json::array();
  panels.push_back(plot(axis("x", -3.5, 3.5), axis("class, and P(1 | x)", -0.08, 1.18), layers,
                        {{"title", "the sigmoid"}}));
  panels.push_back(plot(axis("step", 0, count.back(), {{"whole", true}}), axis("cross-entropy", low, high),
                        {line(count, objective, {{"color", 1}})}, {{"title", "the error"}}));
  Figure figure{
      "F10", "Logistic regression in one dimension",
      "Gradient descent from w = 0: the curve starts flat at one half and takes the shape in which the "
      "probabilities of what happened multiply to the most."};
  figure.formula = "E(w) = −Σ_i [ y_i log p_i + (1 − y_i) log(1 − p_i) ]";
  figure.numbers = {{"w", rounded(linear_of(fit.outcome).weights(0, 0))},
                    {"b", rounded(linear_of(fit.outcome).bias_at_origin()[0])}};
  figure.data = text_of(plots(panels, {"class 0", "class 1"},
                              {{"frames", {{"label", "Step"}, {"values", names}, {"play", true}}}}));
  return {figure};
}

}  // namespace discern::report
