#include "discern/report/pages/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/report/figures/influence.hpp"
#include "discern/report/figures/shapes.hpp"
#include "discern/report/figures/weights.hpp"
#include "discern/report/pages/words.hpp"
#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

Figure distances_figure(const std::vector<double>& distances) {
  const auto [low, high] = range_of(distances, 0.001);
  constexpr Index bins = 40;
  Numbers heights(bins, 0.0);
  Index wrong = 0;
  for (const double d : distances) {
    heights[static_cast<std::size_t>(std::clamp((d - low) / (high - low) * bins, 0.0, bins - 1.0))] += 1;
    wrong += d < 0 ? 1 : 0;
  }
  Figure figure{
      "distances", "How far rows are from the plane",
      "The distance of each row from the nearest plane that divides its class from another, negative on the "
      "wrong side. The rows nearest to zero decide where the plane lies."};
  figure.formula = "distance = t · g(x) / ‖w‖";
  figure.numbers = {{"nearest", rounded(*std::min_element(distances.begin(), distances.end()))},
                    {"on the wrong side", grouped(wrong)}};
  figure.data = text_of(plots({plot(axis("signed distance", low, high),
                                    axis("rows", 0, *std::max_element(heights.begin(), heights.end()) * 1.05),
                                    {bars(steps(low, high, bins + 1), heights, {{"color", 0}}),
                                     Json{{"type", "rule"}, {"x", 0}, {"text", "plane"}, {"color", "ink"}}},
                                    {{"height", 0.5}})}));
  return figure;
}

}  // namespace

Page inspect_page(const InspectPage& inspect) {
  const Model& model = inspect.model;
  Page page{fmt::format("{}: {} of {}", shortened(inspect.file, 60), model.name, shortened(model.target, 60)),
            "inspect"};
  page.summary = {learned_sentence(model), certificate_sentence(model.summary)};
  page.facts = model_facts(model);
  page.warnings = model.summary.warnings;
  const auto add = [&](std::optional<Figure> figure) {
    if (figure) page.figures.push_back(std::move(*figure));
  };
  if (inspect.pixels) add(weight_pictures(model, {}, inspect.pixels->first, inspect.pixels->second));
  add(weights_figure(model, {}));
  add(odds_figure(model, {}));
  add(densities_figure(model));
  add(means_figure(model));
  add(wiring_figure(model));
  add(support_figure(model));
  if (!inspect.distances.empty()) page.figures.push_back(distances_figure(inspect.distances));
  if (inspect.influence != nullptr) page.figures.push_back(influence_figure(model, *inspect.influence));
  return page;
}

}  // namespace discern::report
