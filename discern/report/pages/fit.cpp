#include "discern/report/pages/fit.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/catalogue/row_influence.hpp"
#include "discern/report/figures/explanation.hpp"
#include "discern/report/figures/influence.hpp"
#include "discern/report/figures/judged.hpp"
#include "discern/report/figures/regions.hpp"
#include "discern/report/figures/regression.hpp"
#include "discern/report/figures/shapes.hpp"
#include "discern/report/figures/weights.hpp"
#include "discern/report/pages/words.hpp"
#include "discern/report/words.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern::report {
namespace {

constexpr Index most_influence_rows = 20000, most_influence_features = 300;

void add(std::optional<Figure> figure, Page& page) {
  if (figure) page.figures.push_back(std::move(*figure));
}

void add_influence(const FitPage& fit, Page& page) {
  const Model& model = fit.outcome.model;
  if (fit.table.rows() > most_influence_rows || model.pipeline.features() > most_influence_features) return;
  try {
    check_influence(model);
    page.figures.push_back(
        influence_figure(model, row_influence(model, fit.table, fit.sample_weight, fit.monitor)));
  } catch (const Error& error) {
    // A model that has no influence of rows says so by an error; nothing else is to be drawn then.
    if (error.code() != Code::usage && error.code() != Code::data) throw;
  }
}

void add_weights(const FitPage& fit, Page& page) {
  const Model& model = fit.outcome.model;
  const Vector deviation = feature_deviations(model, fit.table, fit.monitor);
  if (fit.pixels) add(weight_pictures(model, deviation, fit.pixels->first, fit.pixels->second), page);
  add(weights_figure(model, deviation), page);
  add(odds_figure(model, deviation), page);
}

void add_classification(const FitPage& fit, const std::string& of, Page& page) {
  const FitOutcome& outcome = fit.outcome;
  const Model& model = outcome.model;
  const DrawnRows rows = rows_of(model, fit.table, labels_of(model, fit.table), {});
  add(regions_figure(model, rows), page);
  for (auto make : {densities_figure, means_figure, wiring_figure, support_figure}) add(make(model), page);
  add(separator_figure(model, rows, fit.history), page);
  add_weights(fit, page);
  add(convergence_figure(model, fit.history), page);
  if (outcome.predicted) {
    const JudgedModel judged{model.classes,
                             model.positive,
                             outcome.train,
                             outcome.train_labels,
                             outcome.train_weights,
                             fit.metrics,
                             of};
    for (Figure& figure : judged_figures(judged)) page.figures.push_back(std::move(figure));
  }
  add(explanation_figure(model, rows), page);
}

void add_regression(const FitPage& fit, const std::string& of, Page& page) {
  const Model& model = fit.outcome.model;
  const SideColumn* target = fit.table.find_side(model.target);
  const DrawnRows rows = rows_of(model, fit.table, {}, target->values);
  for (Figure& figure : regression_figures(model, rows, fit.regression, of))
    page.figures.push_back(std::move(figure));
  add_weights(fit, page);
  add(convergence_figure(model, fit.history), page);
}

}  // namespace

Vector feature_deviations(const Model& model, const Table& table, const Monitor& monitor) {
  if (!std::holds_alternative<Linear>(model.predictor)) return {};
  const Arranged arranged = arrange(table, model.pipeline, {.ignore_unseen = true});
  const Targets none;
  const PipelineSource source(arranged.x, model.pipeline, none);
  return column_summary(source, monitor).deviation;
}

Page fit_page(const FitPage& fit) {
  const FitOutcome& outcome = fit.outcome;
  const Model& model = outcome.model;
  const bool classification = model.task == Task::classification;
  const std::string of = rows_text(model.samples, "training row");
  Page page{fmt::format("{}: {} of {}", shortened(fit.file, 60), model.name, shortened(model.target, 60)),
            "fit"};
  page.summary.push_back(learned_sentence(model));
  if (outcome.predicted)
    page.summary.push_back(
        (classification ? quality_sentence(fit.metrics, of) : quality_sentence(fit.regression, of)) +
        " Rows that a model was learned from flatter it: `discern cv` or `discern evaluate` tell how "
        "it does on others.");
  page.summary.push_back(certificate_sentence(model.summary));
  if (outcome.imputed > 0)
    page.summary.push_back(fmt::format("{} were filled in.", counted(outcome.imputed, "missing cell")));
  page.facts = model_facts(model);
  page.warnings = fit.warnings;
  if (classification)
    add_classification(fit, of, page);
  else
    add_regression(fit, of, page);
  add_influence(fit, page);
  return page;
}

}  // namespace discern::report
