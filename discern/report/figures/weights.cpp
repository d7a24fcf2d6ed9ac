#include "discern/report/figures/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/report/names.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr std::size_t most_weights = 30;
constexpr Index most_planes = 40;

// What a weight is multiplied by: the deviation of a number; an indicator goes from 0 to 1.
double unit_of(const Model& model, const Vector& deviation, Index j) {
  return deviation.size() == 0 || model.pipeline.indicator(j) ? 1.0 : deviation[j];
}

std::vector<Index> largest(const Vector& sizes) {
  std::vector<Index> order(static_cast<std::size_t>(sizes.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(sizes[a]) > std::abs(sizes[b]); });
  if (order.size() > most_weights) order.resize(most_weights);
  return order;
}

// Estimates with errors exist for the scores themselves where there is one; of softmax they are contrasts.
bool has_errors(const Model& model) {
  return model.inference && model.inference->absent.empty() && score_count(model.predictor) == 1;
}

std::string confidence_text(const Model& model) {
  return fmt::format("{} %", rounded(100 * model.inference->confidence));
}

Json weight_row(const Model& model, const Linear& linear, Index plane, Index j, double unit) {
  Json row{{"name", model.pipeline.feature_name(j)}, {"value", number(linear.weights(plane, j) * unit)}};
  if (has_errors(model)) {
    const CoefficientTest test = test_of(*model.inference, plane, j + 1, model.inference->confidence);
    row["low"] = number(test.low * unit);
    row["high"] = number(test.high * unit);
    row["note"] = fmt::format("p = {}; {} per unit", rounded(test.p, 3), rounded(linear.weights(plane, j)));
  } else {
    row["note"] = fmt::format("{} per unit", rounded(linear.weights(plane, j)));
  }
  return row;
}

std::vector<std::string> left_out(std::size_t shown, Index all) {
  if (static_cast<Index>(shown) == all) return {};
  return {fmt::format("The {} largest of {} weights; `discern inspect --all` lists the rest.", shown,
                      grouped(all))};
}

std::string positive_name(const Model& model) {
  return model.task == Task::classification && score_count(model.predictor) == 1 && !model.reduction
             ? model.classes[static_cast<std::size_t>(model.positive)]
             : std::string();
}

}  // namespace

std::optional<Figure> weights_figure(const Model& model, const Vector& deviation) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr || linear->features() == 0) return std::nullopt;
  const std::vector<std::string> planes = plane_names(model);
  Json groups = Json::array();
  std::size_t shown = 0;
  for (Index k = 0; k < std::min(linear->scores(), most_planes); ++k) {
    Vector sizes = linear->weights.row(k).transpose();
    for (Index j = 0; j < sizes.size(); ++j) sizes[j] *= unit_of(model, deviation, j);
    Json rows = Json::array();
    for (const Index j : largest(sizes))
      rows.push_back(weight_row(model, *linear, k, j, unit_of(model, deviation, j)));
    shown = rows.size();
    groups.push_back({{"name", planes[static_cast<std::size_t>(k)]}, {"rows", rows}});
  }
  const bool scaled = deviation.size() > 0;
  const bool sure = has_errors(model);
  Figure figure{
      "weights", "Weights",
      scaled
          ? "What one standard deviation more of a feature adds to the score (of a text: being this one). "
            "Weights on this scale can be compared with each other."
          : "What one unit more of a feature adds to the score. Features in other units have other weights."};
  if (sure)
    figure.text += fmt::format(" Bars are {} intervals; an open dot is a weight that may as well be zero.",
                               confidence_text(model));
  figure.formula = linear->scores() == 1 ? "g(x) = w·x + b" : "g_k(x) = w_k·x + b_k";
  figure.notes = left_out(shown, linear->features());
  if (linear->scores() > most_planes)
    figure.notes.push_back(fmt::format("{} of {} planes.", most_planes, grouped(linear->scores())));
  Json data{{"kind", "forest"},
            {"axis", scaled ? "change of the score per standard deviation" : "change of the score per unit"},
            {"group", model.reduction ? "Machine" : "Class"},
            {"groups", groups}};
  if (const std::string positive = positive_name(model); !positive.empty()) {
    data["positive"] = positive;
    data["negative"] = model.classes[static_cast<std::size_t>(1 - model.positive)];
  }
  figure.data = text_of(data);
  return figure;
}

std::optional<Figure> odds_figure(const Model& model, const Vector& deviation) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr || linear->link != Link::logistic || !has_errors(model)) return std::nullopt;
  Vector sizes = linear->weights.row(0).transpose();
  for (Index j = 0; j < sizes.size(); ++j) sizes[j] *= unit_of(model, deviation, j);
  Json rows = Json::array();
  for (const Index j : largest(sizes)) {
    const double unit = unit_of(model, deviation, j);
    const CoefficientTest test = test_of(*model.inference, 0, j + 1, model.inference->confidence);
    rows.push_back({{"name", model.pipeline.feature_name(j)},
                    {"value", number(std::exp(test.estimate * unit))},
                    {"low", number(std::exp(test.low * unit))},
                    {"high", number(std::exp(test.high * unit))},
                    {"note", fmt::format("p = {}; odds ratio {} per unit", rounded(test.p, 3),
                                         rounded(std::exp(test.estimate)))}});
  }
  const std::string positive = positive_name(model);
  Figure figure{
      "odds", "Odds ratios",
      fmt::format("By what factor one standard deviation more of a feature multiplies the odds of {}, all "
                  "others kept, with {} intervals. At 1 it changes nothing.",
                  shortened(positive), confidence_text(model))};
  figure.formula = "odds ratio of feature j = exp( w_j · s_j )";
  figure.notes = left_out(rows.size(), linear->features());
  figure.data = text_of({{"kind", "forest"},
                         {"axis", "odds ratio per standard deviation"},
                         {"log", true},
                         {"groups", {{{"name", positive}, {"rows", rows}}}},
                         {"positive", positive},
                         {"negative", model.classes[static_cast<std::size_t>(1 - model.positive)]}});
  return figure;
}

std::optional<Figure> weight_pictures(const Model& model, const Vector& deviation, Index height,
                                      Index width) {
  const auto* linear = std::get_if<Linear>(&model.predictor);
  if (linear == nullptr) return std::nullopt;
  if (height * width != linear->features())
    throw Error(Code::usage, fmt::format("`pixels` {}x{}: that is {} pixels, and the model has {} features",
                                         height, width, height * width, linear->features()));
  const std::vector<std::string> planes = plane_names(model);
  Json images = Json::array();
  for (Index k = 0; k < std::min(linear->scores(), most_planes); ++k) {
    Vector w = linear->weights.row(k).transpose();
    for (Index j = 0; j < w.size(); ++j) w[j] *= unit_of(model, deviation, j);
    images.push_back({{"name", planes[static_cast<std::size_t>(k)]},
                      {"values", numbers({w.data(), w.data() + w.size()})}});
  }
  Figure figure{"pictures", "Weights as images",
                "Each pixel is a feature and has the colour of its weight: orange speaks for the class, blue "
                "against it, "
                "deeper the stronger. All images share one scale."};
  if (deviation.size() > 0)
    figure.text +=
        " Weights are per standard deviation of the pixel, so that pixels that hardly vary stay pale.";
  figure.data = text_of({{"kind", "pictures"},
                         {"width", width},
                         {"height", height},
                         {"images", images},
                         {"unit", deviation.size() > 0 ? "weight per standard deviation" : "weight"}});
  return figure;
}

}  // namespace discern::report
