#include "discern/report/pages/evaluate.hpp"

#include <fmt/format.h>

#include "discern/report/figures/explanation.hpp"
#include "discern/report/figures/judged.hpp"
#include "discern/report/figures/regions.hpp"
#include "discern/report/figures/regression.hpp"
#include "discern/report/pages/words.hpp"
#include "discern/report/words.hpp"

namespace discern::report {
namespace {

void add_metrics(const Metrics& m, Page& page) {
  const auto fact = [&](const char* name, const std::optional<double>& value) {
    if (value) page.facts.emplace_back(name, rounded(value, 6));
  };
  if (m.accuracy) page.facts.emplace_back("accuracy", percent(*m.accuracy));
  if (m.balanced_accuracy) page.facts.emplace_back("balanced accuracy", percent(*m.balanced_accuracy));
  fact("log loss", m.log_loss);
  fact("Brier score", m.brier);
  fact("AUC", m.auc);
  fact("average precision", m.average_precision);
  fact("mean cost", m.cost);
}

}  // namespace

Page evaluation_page(const EvaluationPage& evaluation) {
  const Model& model = evaluation.model;
  const bool classification = model.task == Task::classification;
  const std::string of = rows_text(evaluation.table.rows(), "row") + " of " + shortened(evaluation.file, 60);
  Page page{fmt::format("{}: {} judged", shortened(evaluation.file, 60), model.name), "evaluate"};
  page.summary = {learned_sentence(model), classification ? quality_sentence(evaluation.metrics, of)
                                                          : quality_sentence(evaluation.regression, of)};
  if (classification) {
    add_metrics(evaluation.metrics, page);
    const JudgedModel judged{model.classes,
                             model.positive,
                             evaluation.said,
                             evaluation.labels,
                             evaluation.weights,
                             evaluation.metrics,
                             of};
    page.figures = judged_figures(judged);
    const DrawnRows rows = rows_of(model, evaluation.table, evaluation.labels, {});
    if (auto figure = regions_figure(model, rows)) page.figures.push_back(std::move(*figure));
    if (auto figure = explanation_figure(model, rows)) page.figures.push_back(std::move(*figure));
    return page;
  }
  const DrawnRows rows = rows_of(model, evaluation.table, {}, evaluation.targets);
  page.facts = {{"RMSE", rounded(evaluation.regression.rmse, 6)},
                {"mean absolute error", rounded(evaluation.regression.mae, 6)},
                {"R²", rounded(evaluation.regression.r2, 6)}};
  page.figures = regression_figures(model, rows, evaluation.regression, of);
  return page;
}

}  // namespace discern::report
