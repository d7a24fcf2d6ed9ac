// F11: the error functions side by side; F22: activations and their slopes.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/loss/all.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/plot.hpp"

namespace discern::report {

std::vector<Figure> losses() {
  const Numbers m = steps(-2.5, 3, 221);
  Json layers = Json::array();
  int color = 0;
  for (const NamedLoss& loss : two_class_losses) {
    const bool logistic = loss.name == "logistic";
    const double factor = logistic ? 1 / std::numbers::ln2 : 1;
    const bool first = loss.name == "0-1";
    Json more{{"color", first ? Json("ink") : Json(color)},
              {"name", logistic ? "logistic / log 2" : std::string(loss.name)}};
    if (loss.name == "tanh-unit" || loss.name == "logistic-unit" || loss.name == "squared-hinge")
      more["hidden"] = true;
    if (first) more["step"] = true;
    if (loss.name == "perceptron") more["dash"] = "dotted";
    if (loss.name == "hinge" || loss.name == "squared-hinge") more["dash"] = "dashed";
    if (!first) ++color;
    layers.push_back(line(m, at(m, [&](double v) { return factor * loss.at(v, 1).value; }), more));
  }
  Figure figure{
      "F11", "Error functions",
      "What a score costs, by its margin: positive is right. The 0-1 error is what one wants and cannot "
      "minimise; the others are substitutes above it, or near it. The squared error alone punishes scores "
      "that are too right. Click names in the legend to hide and show them."};
  figure.formula =
      "0-1: [m ≤ 0]    squared: ½ (1 − m)²    perceptron: max(0, −m)    hinge: max(0, 1 − m)    logistic: "
      "log(1 + "
      "e^(−m)) / log 2";
  figure.data = text_of(plots({plot(axis("margin t g(x)", -2.5, 3), axis("error", 0, 4), layers)}));
  return {figure};
}

std::vector<Figure> activations() {
  const Numbers v = steps(-4, 4, 161);
  struct Unit {
    const char* name;
    double (*value)(double v, double a);
    double (*slope)(double v, double a);
  };
  static constexpr auto logistic = [](double x, double a) { return 1 / (1 + std::exp(-a * x)); };
  const Unit units[] = {
      {"linear", [](double x, double) { return x; }, [](double, double) { return 1.0; }},
      {"ReLU", [](double x, double) { return std::max(x, 0.0); },
       [](double x, double) { return x >= 0 ? 1.0 : 0.0; }},
      {"step", [](double x, double) { return x >= 0 ? 1.0 : 0.0; }, [](double, double) { return 0.0; }},
      {"tanh", [](double x, double) { return std::tanh(x); },
       [](double x, double) { return 1 - std::tanh(x) * std::tanh(x); }},
      {"logistic(a)", [](double x, double a) { return logistic(x, a); },
       [](double x, double a) { return a * logistic(x, a) * logistic(-x, a); }}};
  Json values = Json::array(), slopes = Json::array(), names = Json::array();
  const Numbers slope_values{0.25, 0.5, 1, 2, 4, 8};
  for (const double a : slope_values) names.push_back(fmt::format("{}", a));
  int color = 0;
  for (const Unit& unit : units) {
    Json value_frames = Json::array(), slope_frames = Json::array();
    for (const double a : slope_values) {
      value_frames.push_back({{"y", numbers(at(v, [&](double x) { return unit.value(x, a); }))}});
      slope_frames.push_back({{"y", numbers(at(v, [&](double x) { return unit.slope(x, a); }))}});
    }
    Json style{{"color", color}, {"name", unit.name}};
    if (color < 2) style["dash"] = color == 0 ? "dotted" : "dashed";
    Json value_line = line(v, v, style), slope_line = line(v, v, style);
    // What jumps is drawn upright.
    if (std::string_view(unit.name) == "step") value_line["step"] = true;
    if (std::string_view(unit.name) == "ReLU") slope_line["step"] = true;
    value_line["frames"] = value_frames;
    slope_line["frames"] = slope_frames;
    values.push_back(value_line);
    slopes.push_back(slope_line);
    ++color;
  }
  Json panels = Json::array();
  panels.push_back(
      plot(axis("sum v of a unit", -4, 4), axis("f(v)", -1.4, 2.2), values, {{"title", "activation f(v)"}}));
  panels.push_back(
      plot(axis("sum v of a unit", -4, 4), axis("f'(v)", -0.1, 2.1), slopes, {{"title", "its slope f'(v)"}}));
  Figure figure{
      "F22", "Activation functions",
      "What a unit makes of its weighted sum, and the slope that back-propagation multiplies by. A step has "
      "none, so it cannot be learned by descent; the logistic function comes near to it as its a grows, and "
      "its slope vanishes on both sides."};
  figure.formula = "logistic: f(v) = 1 / (1 + e^(−a v)),   f' = a f (1 − f)";
  figure.data = text_of(
      plots(panels, {},
            {{"frames", {{"label", "Slope a of the logistic unit"}, {"values", names}, {"start", 2}}}}));
  return {figure};
}

}  // namespace discern::report
