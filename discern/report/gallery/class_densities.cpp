// F1: two class densities, what priors make of them, and the threshold.
#include <fmt/format.h>

#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/normal.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {

std::vector<Figure> class_densities() {
  constexpr Normal zero{-1, 1};
  const Numbers x = steps(-5, 6.5, 93), distances{1, 1.75, 2.5, 3.5};
  constexpr int priors = 17;
  std::vector<Numbers> joint_zero, joint_one, moved;
  Json distance_names = Json::array();
  Json posterior = Json::array(), rules = Json::array();
  Json names = Json::array(), notes = Json::array();
  for (const double distance : distances) distance_names.push_back(fmt::format("{}", distance));
  for (int step = 1; step <= priors; ++step) names.push_back(fmt::format("{:.2f}", 0.05 * step + 0.05));
  for (int frame = 0; frame < priors * static_cast<int>(distances.size()); ++frame) {
    const Normal one{zero.mean + distances[static_cast<std::size_t>(frame / priors)], 1};
    const double prior = 0.05 * (frame % priors + 1) + 0.05;
    const Numbers a = at(x, [&](double v) { return (1 - prior) * zero.density(v); });
    const Numbers b = at(x, [&](double v) { return prior * one.density(v); });
    const Numbers p = at(x, [&](double v) {
      return prior * one.density(v) / ((1 - prior) * zero.density(v) + prior * one.density(v));
    });
    // Equal spreads: the log-odds are linear, and zero at one place.
    const double threshold = (zero.mean + one.mean) / 2 - zero.deviation * zero.deviation *
                                                              std::log(prior / (1 - prior)) /
                                                              (one.mean - zero.mean);
    joint_zero.push_back(a);
    joint_one.push_back(b);
    posterior.push_back({{"y", numbers(p)}});
    rules.push_back({{"x", number(threshold)}});
    moved.push_back(at(x, [&](double v) { return one.density(v); }));
    const double error = (1 - prior) * (1 - zero.below(threshold)) + prior * one.below(threshold);
    notes.push_back(
        fmt::format("Threshold {:.3f}; the least possible error is {}.", threshold, percent(error)));
  }
  const Numbers none(x.size(), 0.0);
  const Json threshold{
      {"type", "rule"}, {"x", 0}, {"text", "threshold"}, {"color", "ink"}, {"frames", rules}};
  const Json across = axis("x", -5, 6.5);
  Json panels = Json::array();
  const auto both = [&](const std::vector<Json>& a, const std::vector<Json>& b) {
    Json layers = a;
    for (const Json& one_layer : b) layers.push_back(one_layer);
    return layers;
  };
  panels.push_back(plot(across, axis("density", 0, 0.45),
                        both(density(x, at(x, [&](double v) { return zero.density(v); }), 0, "C0"),
                             density(x, none, 1, "C1", moved)),
                        {{"title", "p(x | C)"}}));
  Json joint = both(density(x, none, 0, "C0", joint_zero), density(x, none, 1, "C1", joint_one));
  joint.push_back(threshold);
  panels.push_back(plot(across, axis("joint density", 0, 0.45), joint, {{"title", "p(x | C) P(C)"}}));
  panels.push_back(
      plot(across, axis("posterior", 0, 1.12),
           {line(x, none, {{"color", 1}, {"name", "P(C1 | x)"}, {"frames", posterior}}), threshold},
           {{"title", "P(C1 | x)"}}));
  Figure figure{
      "F1", "From densities to a decision",
      "Each class has a density; times its prior it gives the joint density, and the ratio of the joint "
      "densities gives the posterior. All that a discriminative model needs of this is the threshold, which "
      "moves with the prior and with the means."};
  figure.formula = "P(C1 | x) = p(x | C1) P(C1) / Σ_k p(x | C_k) P(C_k)";
  figure.data = text_of(plots(
      panels, {},
      {{"frames",
        {{"label", "Prior P(C1)"},
         {"values", names},
         {"start", 8},
         {"notes", notes},
         {"second", {{"label", "Distance of the means"}, {"values", distance_names}, {"start", 2}}}}}}));
  return {figure};
}

}  // namespace discern::report
