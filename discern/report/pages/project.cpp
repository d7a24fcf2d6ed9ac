#include "discern/report/pages/project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/report/plot.hpp"
#include "discern/report/sample.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

constexpr Index most_histograms = 4, most_bins = 30;
constexpr std::size_t most_class_bars = 12;

// The rows of each class along one coordinate, as shares of the class.
Json histogram(const Vector& z, const std::vector<std::int32_t>& labels,
               const std::vector<std::string>& classes, const std::string& title, const std::string& name) {
  const Numbers values(z.data(), z.data() + z.size());
  const auto [low, high] = range_of(values, 0.001);
  const Index bins =
      std::clamp<Index>(static_cast<Index>(std::sqrt(static_cast<double>(z.size()))), 8, most_bins);
  Json layers = Json::array();
  double most = 0;
  for (std::size_t k = 0; k < std::min(classes.size(), most_class_bars); ++k) {
    Numbers heights(static_cast<std::size_t>(bins), 0.0);
    double count = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != static_cast<std::int32_t>(k)) continue;
      const double place = (values[i] - low) / (high - low) * static_cast<double>(bins);
      heights[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)))] += 1;
      count += 1;
    }
    for (double& h : heights) h /= std::max(1.0, count), most = std::max(most, h);
    layers.push_back(
        bars(steps(low, high, bins + 1), heights, {{"color", k}, {"name", shortened(classes[k], 30)}}));
  }
  return plot(axis(name, low, high), axis("share of the class", 0, most * 1.06, {{"percent", true}}), layers,
              {{"title", title}});
}

// The same of more classes, one above the other, since so many heaps on one line hide each other.
Json stacked(const Vector& z, const std::vector<std::int32_t>& labels,
             const std::vector<std::string>& classes, const std::string& title, const std::string& name) {
  const Numbers values(z.data(), z.data() + z.size());
  const auto [low, high] = range_of(values, 0.001);
  constexpr Index bins = 48;
  const std::size_t shown = std::min(classes.size(), most_class_bars);
  const Numbers edges = steps(low, high, bins + 1);
  Json layers = Json::array();
  Numbers places;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < shown; ++k) {
    Numbers heights(bins, 0.0);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == static_cast<std::int32_t>(k))
        heights[static_cast<std::size_t>(
            std::clamp((values[i] - low) / (high - low) * bins, 0.0, bins - 1.0))] += 1;
    const double most = std::max(1.0, *std::max_element(heights.begin(), heights.end()));
    // The first class stands at the top.
    const double base = static_cast<double>(shown - 1 - k);
    Numbers x, bottom, top;
    for (std::size_t b = 0; b < heights.size(); ++b)
      for (const double edge : {edges[b], edges[b + 1]})
        x.push_back(edge), bottom.push_back(base), top.push_back(base + 0.92 * heights[b] / most);
    layers.push_back(area(x, bottom, top, {{"color", k}}));
    layers.push_back(line(x, top, {{"color", k}, {"thin", true}}));
    places.push_back(base + 0.3);
    names.push_back(shortened(classes[k], 20));
  }
  return plot(axis(name, low, high),
              axis("class", 0, static_cast<double>(shown), {{"ticks", {{"at", places}, {"text", names}}}}),
              layers, {{"title", title}, {"height", 0.8}});
}

Figure plane_figure(const ProjectPage& project) {
  const Projection& p = *project.outcome.projection;
  const Model& model = project.outcome.model;
  const std::vector<Index> drawn = rows_to_draw(project.coordinates.rows(), project.labels, 1500);
  Numbers x, y, mx, my;
  std::vector<std::int32_t> kinds, mean_kinds;
  std::vector<std::string> names, mean_names;
  for (const Index i : drawn) {
    x.push_back(project.coordinates(i, 0));
    y.push_back(project.coordinates(i, 1));
    kinds.push_back(project.labels[static_cast<std::size_t>(i)]);
    names.push_back(fmt::format("row {}", i + 1));
  }
  for (Index k = 0; k < p.means.rows(); ++k) {
    mx.push_back(p.means(k, 0));
    my.push_back(p.means(k, 1));
    mean_kinds.push_back(static_cast<std::int32_t>(k));
    mean_names.push_back("mean of " + shortened(model.classes[static_cast<std::size_t>(k)]));
  }
  const auto [left, right] = range_of(x);
  const auto [bottom, top] = range_of(y);
  Json layers = Json::array();
  layers.push_back(points(x, y, {{"class", kinds}, {"label", names}}));
  layers.push_back(
      points(mx, my, {{"class", mean_kinds}, {"label", mean_names}, {"size", 260}, {"open", true}}));
  Figure figure{
      "plane", "The classes in the first two directions",
      "The directions are those in which the class means lie apart most, measured by the spread within the "
      "classes, which is the same in all directions here. Large open marks are the class means."};
  figure.formula = "J(w) = wᵀ S_B w / wᵀ S_W w      S_B w = λ S_W w";
  for (Index c = 0; c < std::min<Index>(p.components(), 4); ++c)
    figure.numbers.emplace_back(fmt::format("z{}: between / within", c + 1),
                                fmt::format("{} ({})", rounded(p.ratios[c]), percent(p.explained[c])));
  if (static_cast<Index>(drawn.size()) < project.coordinates.rows())
    figure.notes.push_back(fmt::format("{} of {} rows are drawn.", grouped(static_cast<Index>(drawn.size())),
                                       grouped(project.coordinates.rows())));
  figure.data = text_of(plots(
      {plot(axis("z1", left, right), axis("z2", bottom, top), layers, {{"equal", true}})}, model.classes));
  return figure;
}

Figure histograms_figure(const ProjectPage& project) {
  const Projection& p = *project.outcome.projection;
  const Model& model = project.outcome.model;
  Json panels = Json::array();
  const bool many = model.classes.size() > 3;
  for (Index c = 0; c < std::min(p.components(), most_histograms); ++c)
    panels.push_back((many ? stacked : histogram)(
        project.coordinates.col(c), project.labels, model.classes,
        p.mean_difference.size() > 0 ? "Fisher's direction" : fmt::format("direction {}", c + 1),
        fmt::format("z{}", c + 1)));
  Figure figure{"histograms", "The classes along each direction",
                "The less the heaps overlap, the better the direction tells the classes apart."};
  if (many) figure.text += " Each heap is drawn to its own height.";
  if (p.mean_difference.size() > 0) {
    panels.push_back(histogram(project.coordinates.col(p.components()), project.labels, model.classes,
                               "difference of the means", "mean difference"));
    figure.text +=
        " Beside Fisher's direction stands the plain difference of the means, which it improves on by taking "
        "the spread within the classes into account.";
    figure.numbers = {{"J of Fisher's direction", rounded(p.ratios[0])},
                      {"J of the mean difference", rounded(p.mean_difference_ratio)}};
  }
  if (model.classes.size() > most_class_bars)
    figure.notes.push_back(fmt::format("{} of {} classes.", most_class_bars, model.classes.size()));
  figure.data = text_of(plots(panels));
  return figure;
}

Figure directions_figure(const ProjectPage& project) {
  const Projection& p = *project.outcome.projection;
  const Model& model = project.outcome.model;
  Json groups = Json::array();
  constexpr std::size_t most = 30;
  for (Index c = 0; c < std::min<Index>(p.components(), 10); ++c) {
    std::vector<std::pair<double, Index>> order;
    for (Index j = 0; j < p.directions.cols(); ++j) order.emplace_back(-std::abs(p.directions(c, j)), j);
    std::stable_sort(order.begin(), order.end());
    if (order.size() > most) order.resize(most);
    Json rows = Json::array();
    for (const auto& [size, j] : order)
      rows.push_back({{"name", model.pipeline.feature_name(j)}, {"value", number(p.directions(c, j))}});
    groups.push_back({{"name", fmt::format("z{}", c + 1)}, {"rows", rows}});
  }
  Figure figure{"directions", "The weights of the directions",
                "What one unit more of a feature adds to the coordinate, the largest first."};
  figure.formula = "z = V (x − x̄)";
  figure.data =
      text_of({{"kind", "forest"}, {"axis", "weight per unit"}, {"group", "Direction"}, {"groups", groups}});
  return figure;
}

}  // namespace

Page project_page(const ProjectPage& project) {
  const Projection& p = *project.outcome.projection;
  const Model& model = project.outcome.model;
  Page page{fmt::format("{}: projected", shortened(project.file, 60)), "project"};
  page.summary.push_back(
      fmt::format("{} of {} with {}, seen along the {} in which the {} classes lie apart most.",
                  counted(model.samples, "row"), shortened(project.file, 60),
                  counted(model.pipeline.features(), "feature"), counted(p.components(), "direction"),
                  model.classes.size()));
  page.warnings = model.summary.warnings;
  if (p.components() >= 2) page.figures.push_back(plane_figure(project));
  page.figures.push_back(histograms_figure(project));
  if (project.pixels) {
    Json images = Json::array();
    for (Index c = 0; c < std::min<Index>(p.components(), 20); ++c) {
      const Vector w = p.directions.row(c).transpose();
      images.push_back(
          {{"name", fmt::format("z{}", c + 1)}, {"values", numbers({w.data(), w.data() + w.size()})}});
    }
    Figure figure{
        "pictures", "The directions as images",
        "Each pixel has the colour of its weight: orange above zero, blue below, deeper the larger."};
    figure.data = text_of({{"kind", "pictures"},
                           {"width", project.pixels->second},
                           {"height", project.pixels->first},
                           {"images", images}});
    page.figures.push_back(std::move(figure));
  }
  page.figures.push_back(directions_figure(project));
  return page;
}

}  // namespace discern::report
