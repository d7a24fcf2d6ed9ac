// F27: naive Bayes; F28: weights as images; F29: asymmetric risk.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/random.hpp"
#include "discern/report/figures/weights.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/normal.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

// The density of one feature of a class, by a Gaussian or by kernels.
double class_density(const Additive& additive, Index k, Index j, double x) {
  if (additive.precision(k, j) > 0)
    return Normal{additive.means(k, j), 1 / additive.precision(k, j)}.density(x);
  const Kernels& kernels = additive.kernels;
  for (std::size_t f = 0; f < kernels.features.size(); ++f) {
    if (kernels.features[f] != j) continue;
    const std::size_t density = static_cast<std::size_t>(k) * kernels.features.size() + f;
    const double width = kernels.widths(k, static_cast<Index>(f));
    double sum = 0;
    for (Index i = kernels.starts[density]; i < kernels.starts[density + 1]; ++i)
      sum += kernels.weights[i] * Normal{kernels.points[i], width}.density(x);
    return sum;
  }
  return 0;
}

// A small face, 12 x 12, with or without glasses, and noise.
std::vector<double> face(bool glasses, Random& random) {
  constexpr int size = 12;
  std::vector<double> pixels(static_cast<std::size_t>(size * size));
  const double shift = 0.5 * random.normal();
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) {
      const double y = r - 5.5, x = c - 5.5;
      double v = x * x / 22 + y * y / 30 < 1 ? 0.7 : 0.1;  // head
      const double left = std::hypot(x + 2.2, y + 1.5), right = std::hypot(x - 2.2, y + 1.5);
      if (left < 0.8 || right < 0.8) v = 0.2;                                                // eyes
      if (std::abs(y - 3) < 0.6 && std::abs(x) < 2.2) v = 0.35;                              // mouth
      if (glasses && (std::abs(left - 1.7) < 0.5 || std::abs(right - 1.7) < 0.5)) v = 0.05;  // rims
      if (glasses && std::abs(y + 1.5) < 0.6 && std::abs(x) < 0.8) v = 0.05;                 // bridge
      pixels[static_cast<std::size_t>(r * size + c)] = v + 0.1 * shift + 0.22 * random.normal();
    }
  return pixels;
}

}  // namespace

std::vector<Figure> bayes_densities() {
  GenerateOptions shape;
  shape.shape = "moons";
  shape.rows = 200;
  shape.noise = 0.18;
  shape.seed = 4;
  const Table table = generate(shape);
  Grid grid = around(table);
  grid.cols = 64;
  grid.rows = 52;
  const FitOutcome gaussian = demo_fit(table, "naive-bayes", {{"density", "gaussian"}});
  const Numbers widths{0.04, 0.08, 0.15, 0.3, 0.6};
  Json ground_frames = Json::array(), names = Json::array(), notes = Json::array();
  std::vector<Json> curve_frames(4, Json::array());
  const Numbers x1 = steps(grid.left, grid.right, 101), x2 = steps(grid.bottom, grid.top, 101);
  for (const double width : widths) {
    const FitOutcome kernel =
        demo_fit(table, "naive-bayes", {{"density", "kde"}, {"bandwidth", fmt::format("{}", width)}});
    const Json ground = model_regions(kernel.model, grid);
    ground_frames.push_back({{"labels", ground["labels"]}, {"margin", ground["margin"]}});
    const auto& additive = std::get<Additive>(kernel.model.predictor);
    for (Index j = 0; j < 2; ++j)
      for (Index k = 0; k < 2; ++k)
        curve_frames[static_cast<std::size_t>(2 * j + k)].push_back(
            {{"y",
              numbers(at(j == 0 ? x1 : x2, [&](double v) { return class_density(additive, k, j, v); }))}});
    names.push_back(fmt::format("{}", width));
    notes.push_back(fmt::format("Wrong rows: Gaussian {}, kernels {} of 200.", mistakes_of(gaussian),
                                mistakes_of(kernel)));
  }
  const auto& normal = std::get<Additive>(gaussian.model.predictor);
  Json panels = Json::array();
  panels.push_back(plane(grid, {model_regions(gaussian.model, grid), class_points(table, {{"size", 24}})},
                         {{"title", "Gaussian densities"}}));
  Json ground = model_regions(gaussian.model, grid);
  ground["frames"] = ground_frames;
  panels.push_back(
      plane(grid, {ground, class_points(table, {{"size", 24}})}, {{"title", "kernel densities"}}));
  for (Index j = 0; j < 2; ++j) {
    const Numbers& x = j == 0 ? x1 : x2;
    Json layers_now = Json::array();
    for (Index k = 0; k < 2; ++k) {
      layers_now.push_back(
          line(x, at(x, [&](double v) { return class_density(normal, k, j, v); }),
               {{"color", k}, {"dash", "dashed"}, {"name", fmt::format("class {}, Gaussian", k)}}));
      layers_now.push_back(line(x, x,
                                {{"color", k},
                                 {"name", fmt::format("class {}, kernels", k)},
                                 {"frames", curve_frames[static_cast<std::size_t>(2 * j + k)]}}));
    }
    panels.push_back(plot(axis(j == 0 ? "x1" : "x2", x.front(), x.back()), axis("density", 0, 1.8),
                          layers_now, {{"title", fmt::format("p(x{} | class)", j + 1)}}));
  }
  Figure figure{
      "F27", "Naive Bayes",
      "The features are taken as independent within a class, so the density is a product of one-dimensional "
      "ones: Gaussians, or sums of bumps over the rows. Narrow bumps follow every row, wide ones smooth the "
      "moons away."};
  figure.formula = "p(x | C) = Π_j p(x_j | C)";
  figure.data = text_of(
      plots(panels, {"class 0", "class 1"},
            {{"frames", {{"label", "Bandwidth"}, {"values", names}, {"start", 2}, {"notes", notes}}}}));
  return {figure};
}

std::vector<Figure> weight_images() {
  Random random(11);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<Vector> means(2, Vector::Zero(144));
  constexpr int each = 300;
  for (int i = 0; i < 2 * each; ++i) {
    const bool glasses = i % 2 == 1;
    rows.push_back(face(glasses, random));
    labels.emplace_back(glasses ? "glasses" : "none");
    means[glasses ? 1 : 0] += Eigen::Map<const Vector>(rows.back().data(), 144) / each;
  }
  const Table table = points_table(rows, labels);
  const FitOutcome fisher = demo_fit(table, "fisher", {}),
                   logistic = demo_fit(table, "logistic", {{"l2", "10"}});
  const auto image = [](const std::string& name, const Vector& v) {
    return Json{{"name", name}, {"values", numbers({v.data(), v.data() + v.size()})}};
  };
  const auto unit = [](Vector v) -> Vector { return v / v.cwiseAbs().maxCoeff(); };
  // All point towards glasses.
  const Vector difference = means[1] - means[0];
  Vector direction = fisher.projection->directions.row(0).transpose(),
         weights = linear_of(logistic).weights.row(0).transpose();
  if (direction.dot(difference) < 0) direction = -direction;
  if (weights.dot(difference) < 0) weights = -weights;
  Json images = Json::array();
  // Faces are pictures, in shades of gray; what follows are weights.
  const auto picture = [&](const std::string& name, const Vector& v) {
    Json one = image(name, v.cwiseMax(0.0));
    one["gray"] = true;
    return one;
  };
  images.push_back(picture("one face", Eigen::Map<const Vector>(rows[1].data(), 144)));
  images.push_back(picture("mean with glasses", means[1]));
  images.push_back(image("difference of the means", unit(difference)));
  images.push_back(image("Fisher's weights", unit(direction)));
  images.push_back(image("logistic weights", unit(weights)));
  Figure figure{
      "F28", "Weights as images",
      "600 small noisy faces of 12 × 12 pixels, half of them with glasses. A direction in the space of "
      "pixels is "
      "itself an image: orange speaks for glasses, blue against them. The rims stand out, dark where the "
      "glasses are dark."};
  figure.formula = "g(image) = Σ_pixels w · brightness + w0";
  figure.numbers = {{"wrong of 600, Fisher", std::to_string(mistakes_of(fisher))},
                    {"wrong of 600, logistic", std::to_string(mistakes_of(logistic))}};
  figure.data = text_of({{"kind", "pictures"}, {"width", 12}, {"height", 12}, {"images", images}});
  return {figure};
}

std::vector<Figure> risk() {
  constexpr Normal zero{-1, 1}, one{1, 1};
  const Numbers x = steps(-4.5, 4.5, 181), none(x.size(), 0.0);
  const auto posterior = [&](double v) { return one.density(v) / (zero.density(v) + one.density(v)); };
  // With equal priors and spreads P(1 | x) = 1 / (1 + exp(-2 x)).
  const auto place = [](double p) { return 0.5 * std::log(p / (1 - p)); };
  Json missed = Json::array(), alarms = Json::array(), rules = Json::array(), cost_frames = Json::array(),
       names = Json::array(), notes = Json::array(), bands = Json::array();
  const Numbers thresholds = steps(0.02, 0.98, 97);
  Json cost_curve_frames = Json::array();
  for (int step = 1; step <= 19; ++step) {
    const double h = 0.05 * step, threshold = 1 - h, t = place(threshold);
    Numbers miss_x, miss_y, alarm_x, alarm_y;
    for (const double v : x) {
      if (v <= t)
        miss_x.push_back(v), miss_y.push_back(0.5 * one.density(v));
      else
        alarm_x.push_back(v), alarm_y.push_back(0.5 * zero.density(v));
    }
    missed.push_back(
        {{"x", numbers(miss_x)}, {"low", numbers(Numbers(miss_x.size(), 0.0))}, {"high", numbers(miss_y)}});
    alarms.push_back({{"x", numbers(alarm_x)},
                      {"low", numbers(Numbers(alarm_x.size(), 0.0))},
                      {"high", numbers(alarm_y)}});
    rules.push_back({{"x", number(t)}});
    const auto cost = [&](double p) {
      return h * 0.5 * one.below(place(p)) + (1 - h) * 0.5 * (1 - zero.below(place(p)));
    };
    cost_curve_frames.push_back({{"y", numbers(at(thresholds, cost))}});
    cost_frames.push_back({{"x", numbers({threshold})}, {"y", numbers({cost(threshold)})}});
    names.push_back(fmt::format("{:.2f}", h));
    notes.push_back(fmt::format(
        "Decide for class 1 where P(1 | x) ≥ {:.2f}: misses {}, false alarms {}, expected cost {}.",
        threshold, percent(one.below(t)), percent(1 - zero.below(t)), rounded(cost(threshold), 3)));
  }
  const double reject = 0.2, from = place(reject), to = place(1 - reject);
  Json panels = Json::array();
  panels.push_back(plot(
      axis("x", -4.5, 4.5), axis("p(x | C) P(C)", 0, 0.22),
      {line(x, at(x, [&](double v) { return 0.5 * zero.density(v); }), {{"color", 0}, {"name", "class 0"}}),
       line(x, at(x, [&](double v) { return 0.5 * one.density(v); }),
            {{"color", 1}, {"dash", "dashed"}, {"name", "class 1"}}),
       area({0}, {0}, {0}, {{"color", 1}, {"name", "missed"}, {"frames", missed}}),
       area({0}, {0}, {0}, {{"color", 0}, {"name", "false alarms"}, {"frames", alarms}}),
       Json{{"type", "rule"}, {"x", 0}, {"text", "decision"}, {"color", "ink"}, {"frames", rules}}},
      {{"title", "the two kinds of errors"}}));
  panels.push_back(plot(axis("threshold on P(1 | x)", 0, 1), axis("expected cost", 0, 0.3),
                        {line(thresholds, thresholds, {{"color", "ink"}, {"frames", cost_curve_frames}}),
                         points({0}, {0},
                                {{"color", "good"},
                                 {"shape", 3},
                                 {"size", 110},
                                 {"name", "least cost, at 1 − h"},
                                 {"frames", cost_frames}})},
                        {{"title", "the expected cost"}}));
  panels.push_back(
      plot(axis("x", -4.5, 4.5), axis("P(1 | x)", 0, 1.12),
           {area({from, to}, {0, 0}, {1, 1}, {{"hatch", true}}), line(x, at(x, posterior), {{"color", 1}}),
            Json{{"type", "rule"}, {"x", from}, {"text", "reject"}}, Json{{"type", "rule"}, {"x", to}}},
           {{"title", "a reject region, at cost 0.2"}}));
  Figure figure{
      "F29", "When errors do not cost the same",
      "h weighs the misses of class 1, 1 − h the false alarms. The least expected cost is where the "
      "posterior "
      "is at least 1 − h: move h and the decision moves towards the class whose errors are cheap. Where even "
      "the better decision costs more than asking, one rejects (hatched)."};
  figure.formula = "cost = h P(C1, decided 0) + (1 − h) P(C0, decided 1)";
  figure.data = text_of(plots(
      panels, {},
      {{"frames", {{"label", "Weight h of misses"}, {"values", names}, {"start", 9}, {"notes", notes}}}}));
  return {figure};
}

}  // namespace discern::report
