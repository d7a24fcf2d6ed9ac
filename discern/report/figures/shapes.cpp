#include "discern/report/figures/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "discern/report/names.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr Index most_density_panels = 8, most_density_classes = 10, most_units = 24;

double normal_density(double x, double mean, double precision) {
  const double z = precision * (x - mean);
  return precision * std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
}

// Of one feature, where it has a Gaussian in every class.
std::optional<Json> density_panel(const Model& model, const Additive& additive, Index j) {
  const Index classes = std::min(additive.scores(), most_density_classes);
  Numbers ends;
  for (Index k = 0; k < classes; ++k) {
    if (!(additive.precision(k, j) > 0)) return std::nullopt;
    ends.push_back(additive.means(k, j) - 3.2 / additive.precision(k, j));
    ends.push_back(additive.means(k, j) + 3.2 / additive.precision(k, j));
  }
  const auto [low, high] = range_of(ends, 0);
  const Numbers x = steps(low, high, 140);
  Json layers = Json::array();
  double most = 0;
  for (Index k = 0; k < classes; ++k) {
    const Numbers y =
        at(x, [&](double v) { return normal_density(v, additive.means(k, j), additive.precision(k, j)); });
    most = std::max(most, *std::max_element(y.begin(), y.end()));
    layers.push_back(
        area(x, Numbers(x.size(), 0.0), y,
             {{"color", k}, {"name", shortened(model.classes[static_cast<std::size_t>(k)], 30)}}));
    layers.push_back(line(x, y, {{"color", k}, {"thin", true}}));
  }
  const std::string name = model.pipeline.feature_name(j);
  return plot(axis(shortened(name, 40), low, high), axis("density", 0, most * 1.05), layers,
              {{"title", name}});
}

}  // namespace

std::optional<Figure> densities_figure(const Model& model) {
  const auto* additive = std::get_if<Additive>(&model.predictor);
  if (additive == nullptr) return std::nullopt;
  // The features that tell the classes apart best: the spread of the means over the mean deviation.
  std::vector<std::pair<double, Index>> order;
  for (Index j = 0; j < additive->features(); ++j) {
    const double spread = additive->means.col(j).maxCoeff() - additive->means.col(j).minCoeff();
    order.emplace_back(-spread * additive->precision.col(j).mean(), j);
  }
  std::stable_sort(order.begin(), order.end());
  Json panels = Json::array();
  for (const auto& [size, j] : order) {
    if (static_cast<Index>(panels.size()) == most_density_panels) break;
    if (auto panel = density_panel(model, *additive, j)) panels.push_back(std::move(*panel));
  }
  if (panels.empty()) return std::nullopt;
  Figure figure{"densities", "The density of each class, feature by feature",
                "Naive Bayes takes the features as independent within a class and multiplies their "
                "densities. Where two "
                "curves lie apart, the feature tells these classes apart."};
  figure.formula = "log P(k | x) = log P(k) + Σ_j log p(x_j | k) + const";
  if (static_cast<Index>(panels.size()) < additive->features())
    figure.notes.push_back(fmt::format("The {} features that tell the classes apart best, of {}.",
                                       panels.size(), grouped(additive->features())));
  figure.data = text_of(plots(panels));
  return figure;
}

std::optional<Figure> wiring_figure(const Model& model) {
  const auto* network = std::get_if<Network>(&model.predictor);
  if (network == nullptr || network->features() > most_units) return std::nullopt;
  for (const Layer& layer : network->layers)
    if (layer.weights.rows() > most_units) return std::nullopt;
  Json layers = Json::array(), links = Json::array(), biases = Json::array();
  std::vector<std::string> inputs;
  for (Index j = 0; j < network->features(); ++j) inputs.push_back(model.pipeline.feature_name(j));
  layers.push_back({{"name", "inputs"}, {"units", inputs}});
  const auto names = score_names(model);
  for (std::size_t l = 0; l < network->layers.size(); ++l) {
    const Layer& layer = network->layers[l];
    const bool last = l + 1 == network->layers.size();
    std::vector<std::string> units;
    for (Index u = 0; u < layer.weights.rows(); ++u) {
      units.push_back(last && u < static_cast<Index>(names.size()) ? names[static_cast<std::size_t>(u)]
                                                                   : fmt::format("y{}", u + 1));
      for (Index j = 0; j < layer.weights.cols(); ++j)
        links.push_back({{"layer", l}, {"from", j}, {"to", u}, {"weight", number(layer.weights(u, j))}});
    }
    layers.push_back(
        {{"name",
          last ? "scores" : std::string(value_names(UnitKind{})[static_cast<std::size_t>(layer.unit)])},
         {"units", units}});
    biases.push_back(numbers({layer.bias.data(), layer.bias.data() + layer.bias.size()}));
  }
  Figure figure{"wiring", "The network",
                "Lines are weights: orange and solid above zero, blue and dashed below, thicker the larger. "
                "Inputs are standardised where the network does so."};
  figure.formula = "y = f(W y + b), layer by layer";
  figure.data = text_of({{"kind", "wiring"}, {"layers", layers}, {"links", links}, {"biases", biases}});
  return figure;
}

std::optional<Figure> means_figure(const Model& model) {
  const auto* quadratic = std::get_if<Quadratic>(&model.predictor);
  if (quadratic == nullptr) return std::nullopt;
  Json groups = Json::array();
  for (Index k = 0; k < std::min<Index>(quadratic->scores(), 40); ++k) {
    Json rows = Json::array();
    const Eigen::MatrixXd whiten = quadratic->whiten[static_cast<std::size_t>(k)];
    const Eigen::MatrixXd root =
        whiten.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(whiten.rows(), whiten.cols()));
    for (Index j = 0; j < std::min<Index>(quadratic->features(), 30); ++j) {
      const double mean = quadratic->means(k, j), deviation = root.row(j).norm();
      rows.push_back({{"name", model.pipeline.feature_name(j)},
                      {"value", number(mean)},
                      {"low", number(mean - deviation)},
                      {"high", number(mean + deviation)}});
    }
    groups.push_back({{"name", model.classes[static_cast<std::size_t>(k)]}, {"rows", rows}});
  }
  Figure figure{"means", "The mean and the spread of each class",
                "Every class is a Gaussian of its own. Dots are its means, bars one standard deviation to "
                "each side; choose a class."};
  figure.formula = "g_k(x) = −½ (x − m_k)ᵀ S_k⁻¹ (x − m_k) − ½ log |S_k| + log P(k)";
  if (quadratic->features() > 30)
    figure.notes.push_back(fmt::format("30 of {} features.", grouped(quadratic->features())));
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "value of the feature"},
                         {"free", true},
                         {"group", "Class"},
                         {"groups", groups}});
  return figure;
}

std::optional<Figure> support_figure(const Model& model) {
  const auto* sum = std::get_if<KernelSum>(&model.predictor);
  if (sum == nullptr) return std::nullopt;
  Json rows = Json::array();
  std::vector<std::pair<double, Index>> order;
  for (Index n = 0; n < sum->support.rows(); ++n)
    order.emplace_back(-sum->coefficients.col(n).cwiseAbs().maxCoeff(), n);
  std::stable_sort(order.begin(), order.end());
  if (order.size() > 30) order.resize(30);
  for (const auto& [size, n] : order)
    rows.push_back(
        {{"name", fmt::format("support row {}", n + 1)}, {"value", number(sum->coefficients(0, n))}});
  Figure figure{"support", "The rows that the model is made of",
                "The score of x is a weighted sum of its similarities to these rows; their weights are "
                "shown, the largest first."};
  figure.formula = "g(x) = Σ_n a_n k(x, x_n) + b";
  if (static_cast<Index>(order.size()) < sum->support.rows())
    figure.notes.push_back(fmt::format("The 30 largest of {}.", grouped(sum->support.rows())));
  figure.data = text_of(
      {{"kind", "forest"}, {"axis", "coefficient"}, {"groups", {{{"name", "rows"}, {"rows", rows}}}}});
  return figure;
}

}  // namespace discern::report
