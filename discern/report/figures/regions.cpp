#include "discern/report/figures/regions.hpp"

#include <fmt/format.h>

#include "discern/report/plane.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

std::string regions_text(const PlaneView& view) {
  const bool undecided_cells =
      std::find(view.labels.begin(), view.labels.end(), undecided) != view.labels.end();
  std::string text =
      view.columns ? "The colour of the ground is what the model decides there, deeper where it is surer."
                   : "The rows in the coordinates that the model decides by. The colour of the ground is the "
                     "decision, deeper where it is surer.";
  if (view.margin.empty())
    text = view.columns
               ? "The colour of the ground is what the model decides there."
               : "The rows in the coordinates that the model decides by. The colour of the ground is the "
                 "decision.";
  text += " Lines are the boundaries; rings mark rows that are decided wrongly";
  text += undecided_cells ? ", or not at all. Hatched ground is left undecided." : ".";
  return text;
}

}  // namespace

std::optional<Figure> regions_figure(const Model& model, const DrawnRows& rows) {
  if (model.task != Task::classification) return std::nullopt;
  const auto view = plane_view(model, rows);
  if (!view) return std::nullopt;
  std::vector<std::size_t> wrong;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const std::int32_t said = rows.said.labels[i];
    if (said != rows.labels[i]) wrong.push_back(i);
    names.push_back(said == rows.labels[i] ? rows.name(i)
                                           : fmt::format("{}, decided {}", rows.name(i),
                                                         shortened(label_text(model, said), 60)));
  }
  Json layers = Json::array();
  layers.push_back(regions(view->grid, view->labels, view->margin));
  layers.push_back(points(view->x, view->y, {{"class", rows.labels}, {"wrong", wrong}, {"label", names}}));
  Figure figure{"regions", "Decision regions", regions_text(*view)};
  if (!view->note.empty()) figure.notes.push_back(view->note);
  if (const std::string note = rows.note(); !note.empty()) figure.notes.push_back(note);
  const Grid& g = view->grid;
  figure.data = text_of(plots({plot(axis(view->x_label, g.left, g.right),
                                    axis(view->y_label, g.bottom, g.top), layers, {{"height", 0.72}})},
                              model.classes));
  return figure;
}

}  // namespace discern::report
