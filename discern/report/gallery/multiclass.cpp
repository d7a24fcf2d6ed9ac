// F13: many classes from machines for two, and together.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "discern/base/random.hpp"
#include "discern/report/gallery/gallery.hpp"
#include "discern/report/gallery/parts.hpp"
#include "discern/report/plane.hpp"
#include "discern/report/words.hpp"

namespace discern::report {

namespace {

// Three long classes about a middle, each turned against the way to it, as the vanes of a pinwheel: the lines between
// two of them pass the middle on different sides and leave a triangle.
Table pinwheel() {
  Random random(6);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 120; ++i) {
    const int k = i % 3;
    const double turn = 2 * std::numbers::pi * k / 3 + std::numbers::pi / 2, vane = turn + 1.2;
    const double along = 2.2 * random.normal(), across = 0.3 * random.normal();
    rows.push_back({3.5 * std::cos(turn) + along * std::cos(vane) - across * std::sin(vane),
                    3.5 * std::sin(turn) + along * std::sin(vane) + across * std::cos(vane)});
    labels.push_back(std::to_string(k));
  }
  return points_table(rows, labels);
}

}  // namespace

std::vector<Figure> multiclass_regions() {
  const Table table = pinwheel();
  Grid grid = around(table, 0.25);
  grid.cols = 210;
  grid.rows = 180;
  struct Way {
    const char* title;
    Strategy strategy;
    Combining combining;
  };
  Json panels = Json::array();
  Figure figure{
      "F13", "Many classes",
      "One against the rest leaves ground that no machine, or more than one, claims; one against one leaves "
      "a "
      "smaller patch in the middle (hatched: undecided). The joint linear machine decides everywhere, and "
      "its "
      "regions are convex and connected. Output codes give each class a word of signs and decide for the "
      "nearest."};
  for (const Way& way : {Way{"one against the rest, unanimous", Strategy::one_vs_rest, Combining::unanimous},
                         Way{"one against one, unanimous", Strategy::one_vs_one, Combining::unanimous},
                         Way{"joint linear machine", Strategy::joint, Combining::automatic},
                         Way{"output codes", Strategy::output_codes, Combining::automatic}}) {
    FitSettings settings;
    const char* machine = way.strategy == Strategy::joint ? "logistic" : "svm";
    settings.options = find_model(machine).make(machine);
    settings.target = "class";
    settings.multiclass.multiclass = way.strategy;
    settings.multiclass.decision = way.combining;
    const FitOutcome outcome = fit_model(table, settings);
    Json ground = model_regions(outcome.model, grid);
    Index open = 0;
    for (std::size_t i = 0; i + 1 < ground["labels"].size(); i += 2)
      if (ground["labels"][i] == -1) open += ground["labels"][i + 1].get<Index>();
    // How sure combined machines are has no common measure; their ground is plain.
    if (way.strategy != Strategy::joint) ground.erase("margin");
    panels.push_back(plane(grid, {ground, class_points(table)}, {{"title", way.title}}));
    figure.numbers.emplace_back(
        way.title, fmt::format("{} undecided ground",
                               percent(static_cast<double>(open) / static_cast<double>(grid.cells()))));
  }
  figure.formula = "joint: argmax_k ( w_k·x + b_k )";
  figure.data = text_of(plots(panels, {"class 0", "class 1", "class 2"}));
  return {figure};
}

}  // namespace discern::report
