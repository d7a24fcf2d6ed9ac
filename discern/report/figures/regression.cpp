#include "discern/report/figures/regression.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/report/plot.hpp"
#include "discern/report/words.hpp"

namespace discern::report {

std::vector<Figure> regression_figures(const Model& model, const DrawnRows& rows,
                                       const RegressionMetrics& metrics, const std::string& of) {
  Numbers predicted, residual, all;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < rows.targets.size(); ++i) {
    predicted.push_back(rows.said.scores(static_cast<Index>(i), 0));
    residual.push_back(rows.targets[i] - predicted.back());
    names.push_back(rows.name(i));
  }
  all = predicted;
  all.insert(all.end(), rows.targets.begin(), rows.targets.end());
  const auto [low, high] = range_of(all);
  const auto [left, right] = range_of(predicted);
  const auto [bottom, top] = range_of(residual);
  const std::string target = shortened(model.target, 30);
  Json layers = Json::array();
  layers.push_back(
      line({low, high}, {low, high}, {{"color", "soft"}, {"dash", "dashed"}, {"name", "exactly right"}}));
  layers.push_back(points(predicted, rows.targets, {{"color", 0}, {"label", names}}));
  Figure fit{"predicted", "Predicted and true",
             fmt::format("Each point is a row; on the line the prediction is exact. Of {}.", of)};
  fit.numbers = {{"RMSE", rounded(metrics.rmse, 6)},
                 {"mean absolute error", rounded(metrics.mae, 6)},
                 {"R²", rounded(metrics.r2, 6)}};
  fit.formula = "R² = 1 − Σ (y − ŷ)² / Σ (y − ȳ)²";
  fit.data = text_of(plots(
      {plot(axis("predicted " + target, low, high), axis(target, low, high), layers, {{"equal", true}})}));
  Figure left_over{
      "residuals", "Residuals",
      "What the prediction leaves over. They should scatter about zero with the same width everywhere; a "
      "bend or a funnel says that the model lacks something."};
  left_over.formula = "e = y − ŷ";
  left_over.data = text_of(plots({plot(
      axis("predicted " + target, left, right), axis("residual", bottom, top),
      {Json{{"type", "rule"}, {"y", 0}}, points(predicted, residual, {{"color", 0}, {"label", names}})})}));
  if (const std::string note = rows.note(); !note.empty()) {
    fit.notes.push_back(note);
    left_over.notes.push_back(note);
  }
  return {fit, left_over};
}

}  // namespace discern::report
