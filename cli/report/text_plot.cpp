#include "cli/report/text_plot.hpp"

#include <fmt/format.h>

#include "cli/text/plot.hpp"
#include "cli/text/text.hpp"
#include "discern/report/plane.hpp"

namespace discern::cli {
namespace {

constexpr std::size_t plot_height = 21;
constexpr std::string_view class_marks = "o+x*#@%&abcdefghijklmnopqrstuvwyz";

char mark_of(std::int32_t label) {
  return label < static_cast<std::int32_t>(class_marks.size()) ? class_marks[static_cast<std::size_t>(label)]
                                                               : '?';
}

std::string legend_text(const Model& model) {
  std::string text = "  ";
  for (std::size_t k = 0; k < std::min<std::size_t>(model.classes.size(), 8); ++k)
    text += fmt::format("{} {}   ", mark_of(static_cast<std::int32_t>(k)), shown(model.classes[k], 24));
  return text + ". boundary\n";
}

// Marks the cells whose decision differs from that of the cell to the right or above.
void mark_boundary(const report::PlaneView& view, Picture& picture) {
  const report::Grid& grid = view.grid;
  const auto at = [&](Index c, Index r) { return view.labels[static_cast<std::size_t>(r * grid.cols + c)]; };
  for (Index r = 0; r + 1 < grid.rows; ++r)
    for (Index c = 0; c + 1 < grid.cols; ++c)
      if (at(c, r) != at(c + 1, r) || at(c, r) != at(c, r + 1)) picture.point(grid.x(c), grid.y(r), '.');
}

}  // namespace

Flag plot_flag() {
  return {.name = "plot",
          .help =
              "draw in the terminal: of two numeric columns the rows and the boundary, otherwise the ROC "
              "curve of two "
              "classes",
          .group = "output"};
}

std::string boundary_plot(const Model& model, const Table& table) {
  const Schema& schema = model.pipeline.input();
  if (model.task != Task::classification || schema.size() != 2 || schema.any_categorical()) return "";
  const report::DrawnRows rows = report::rows_of(model, table, labels_of(model, table), {}, 400);
  const auto view = report::plane_view(model, rows);
  if (!view) return "";
  const report::Grid& grid = view->grid;
  // Where a row lies on the boundary the row is shown.
  Picture picture({grid.left, grid.right, grid.bottom, grid.top}, plot_height, plot_width() - 12);
  for (std::size_t i = 0; i < view->x.size(); ++i)
    picture.point(view->x[i], view->y[i], mark_of(rows.labels[i]));
  mark_boundary(*view, picture);
  return '\n' + picture.text(shown(view->x_label, 24), shown(view->y_label, 24), 2) + legend_text(model);
}

std::string roc_plot(const report::JudgedModel& judged) {
  const auto curves = judged.two() ? report::rank_curves(judged) : std::vector<report::RankCurve>();
  if (curves.empty()) return "";
  const report::RankCurve& curve = curves.front();
  Picture picture({0, 1, 0, 1}, plot_height, std::min<std::size_t>(plot_width() - 12, 60));
  picture.line(1, -1, 0, '.');
  double x = 0, y = 0;
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    const double next_x = curve.alarms[i] / curve.negatives, next_y = curve.hits[i] / curve.positives;
    constexpr int between = 20;
    for (int s = 1; s <= between; ++s)
      picture.point(x + (next_x - x) * s / between, y + (next_y - y) * s / between, '*');
    x = next_x;
    y = next_y;
  }
  return '\n' + picture.text("false alarms", "found", 2) +
         fmt::format("  ROC curve of {}, AUC {}\n",
                     shown(judged.classes[static_cast<std::size_t>(judged.positive)], 24),
                     rounded(judged.metrics.auc));
}

}  // namespace discern::cli
