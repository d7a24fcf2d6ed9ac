#include "cli/report/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/report/basis_text.hpp"
#include "cli/report/geometry.hpp"
#include "cli/report/inference_table.hpp"
#include "cli/report/notes.hpp"
#include "cli/text/text.hpp"
#include "discern/base/join.hpp"

namespace discern::cli {
namespace {

constexpr Index top_weights = 6;
constexpr Index widest_table = 6;        // scores side by side
constexpr std::size_t most_columns = 6;  // named in a line

std::string data_line(const FitReport& report, const Paint& paint) {
  const Table& table = report.prepared->table;
  const Schema& schema = table.schema;
  Index texts = 0;
  for (Index j = 0; j < schema.size(); ++j) texts += schema.categorical(j) ? 1 : 0;
  std::string text =
      fmt::format("{}: {}, {}", report.file, counted(table.rows(), "row"), counted(schema.size(), "column"));
  if (texts > 0) text += fmt::format(" ({} of text)", grouped(texts));
  const Index features = report.outcome->model.pipeline.features();
  if (features != schema.size()) text += fmt::format(", {}", counted(features, "feature"));
  if (report.outcome->dropped > 0)
    text += fmt::format("; {} of weight zero left out", counted(report.outcome->dropped, "row"));
  return fit_line(paint, "data", text + paint.dim(fmt::format("  {}", duration(report.read_seconds))));
}

std::string positive_text(const FitReport& report) {
  return report.why_positive.empty() ? "positive" : "positive, " + report.why_positive;
}

std::string classes_lines(const FitReport& report, const Paint& paint) {
  const Model& model = report.outcome->model;
  std::vector<std::int64_t> counts(model.classes.size(), 0);
  for (const std::int32_t label : report.outcome->train_labels) ++counts[static_cast<std::size_t>(label)];
  if (counts.size() > most_classes) {
    const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
    return fit_line(
        paint, "classes",
        fmt::format("{} of {}, {} to {} rows each", grouped(static_cast<std::int64_t>(counts.size())),
                    shown(model.target), grouped(*low), grouped(*high)));
  }
  const auto rows = static_cast<double>(report.outcome->train_labels.size());
  TextTable table({Align::left, Align::right, Align::right, Align::left}, fit_label_width);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const bool positive = counts.size() == 2 && static_cast<std::size_t>(model.positive) == k;
    table.row({shown(model.classes[k]), grouped(counts[k]), percent(static_cast<double>(counts[k]) / rows),
               positive ? positive_text(report) : ""});
  }
  return paint.bold(pad_right("classes", fit_label_width)) + table.text().substr(fit_label_width);
}

// What each basis made of what, and what it left as it was.
std::string basis_lines(const Pipeline& pipeline, const Paint& paint) {
  std::string text;
  for (const std::string& sentence : basis_sentences(pipeline))
    text += fit_line(paint, text.empty() ? "basis" : "", wrap(sentence, 100, fit_label_width));
  return text;
}

std::string model_line(const FitReport& report, const Paint& paint) {
  const Model& model = report.outcome->model;
  std::string text = model.name;
  for (const auto& [name, value] : model.options)
    if (name == "l2" || name == "l1") text += fmt::format(", {} = {}", name, value);
  if (model.reduction) text += ", " + reduction_text(*model.reduction);
  text += ", " + model.summary.solver;
  if (!model.summary.reason.empty()) text += fmt::format(" ({})", model.summary.reason);
  return fit_line(paint, "model", text + paint.dim(fmt::format("  {}", duration(report.fit_seconds))));
}

std::string convergence_line(const Summary& summary, const Paint& paint) {
  std::string text = certificate_text(summary);
  if (summary.iterations > 0) text += fmt::format(" after {}", counted(summary.iterations, "iteration"));
  if (summary.objective) text += fmt::format(", objective {}", rounded(*summary.objective, 7));
  if (summary.converged) return fit_line(paint, paint.green("converged"), text);
  return fit_line(paint, paint.yellow("stopped"),
                  (summary.interrupted ? "interrupted: " : "not converged: ") + text);
}

// The solvers that took part, where the one that was chosen was not alone.
std::string stages_line(const Summary& summary, const Paint& paint) {
  const auto alone = [&](const FitStage& stage) { return stage.solver == summary.solver; };
  if (std::all_of(summary.stages.begin(), summary.stages.end(), alone)) return "";
  constexpr std::size_t most = 5;
  std::vector<std::string> texts;
  for (const FitStage& stage : summary.stages)
    if (texts.size() < most)
      texts.push_back(
          fmt::format("{} {} to {:.1e}", stage.solver, grouped(stage.iterations), stage.certificate.value));
  std::string text = discern::join(texts, ", then ");
  if (summary.stages.size() > most) text += fmt::format(", and {} more", summary.stages.size() - most);
  return fit_line(paint, "stages", text);
}

std::string training_line(const FitReport& report, const Paint& paint) {
  const Metrics& m = report.metrics;
  if (report.outcome->model.task == Task::regression)
    return fit_line(paint, "training",
                    fmt::format("RMSE {}, mean absolute error {}, R2 {}", rounded(report.regression.rmse),
                                rounded(report.regression.mae), rounded(report.regression.r2, 6)));
  std::string text = fmt::format("accuracy {}", m.accuracy ? percent(*m.accuracy) : "-");
  if (m.undecided > 0) text += fmt::format(", undecided {}", percent(m.undecided / m.weight));
  if (m.balanced_accuracy) text += fmt::format(", balanced {}", percent(*m.balanced_accuracy));
  if (m.cost) text += fmt::format(", mean cost {}", rounded(*m.cost));
  if (m.log_loss) text += fmt::format(", log loss {}", rounded(*m.log_loss));
  if (m.auc) text += fmt::format(", AUC {}", rounded(*m.auc));
  return fit_line(paint, "training", text);
}

// Whole numbers are counts, and shown as such.
std::string figure(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 9e15;
  return whole ? grouped(static_cast<std::int64_t>(value)) : rounded(value, 6);
}

}  // namespace

std::string fit_line(const Paint& paint, std::string_view label, std::string_view text) {
  return paint.bold(pad_right(label, fit_label_width)) + std::string(text) + '\n';
}

std::string weights_lines(const Model& model, const Paint& paint) {
  const auto geometry = geometry_of(model);
  if (!geometry || geometry->weights.rows() > widest_table) return "";
  const Index features = geometry->weights.cols();
  std::string text = features > top_weights ? fmt::format("the {} largest of {}, per unit of the feature",
                                                          top_weights, grouped(features))
                                            : std::string("per unit of the feature");
  if (model.task == Task::classification && geometry->weights.rows() == 1)
    text += fmt::format("; above zero speaks for {}", shown(score_names(model)[0]));
  return fit_line(paint, "weights", text) + weights_table(model, *geometry, top_weights, fit_label_width);
}

std::string certificate_text(const Summary& summary) {
  std::string kind = summary.certificate.kind;
  std::replace(kind.begin(), kind.end(), '-', ' ');
  if (summary.tolerance == 0) return fmt::format("{} {}", kind, figure(summary.certificate.value));
  const bool within = summary.certificate.value <= summary.tolerance;
  // Separated classes without a penalty, or a lower point that was seen: the gradient vanishes all the same.
  if (within && !summary.converged && !summary.interrupted)
    return fmt::format("{} {:.1e} at no minimum", kind, summary.certificate.value);
  return fmt::format("{} {:.1e} {} {:.0e}", kind, summary.certificate.value, within ? "<=" : ">",
                     summary.tolerance);
}

std::string facts_text(const Summary& summary) {
  struct Visitor {
    std::string operator()(bool value) const { return value ? "yes" : "no"; }
    std::string operator()(double value) const { return figure(value); }
    std::string operator()(const std::string& value) const { return shown(value, 80); }
  };
  std::string text;
  for (const Fact& fact : summary.facts) {
    std::string name = fact.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, std::visit(Visitor{}, fact.value));
  }
  return text;
}

std::string cells_by_column(const std::vector<std::pair<std::string, Index>>& columns) {
  std::string text;
  for (std::size_t j = 0; j < std::min(columns.size(), most_columns); ++j)
    text += fmt::format("{}{} {}", j == 0 ? "" : ", ", shown(columns[j].first), grouped(columns[j].second));
  if (columns.size() > most_columns)
    text += fmt::format(" and {} more columns", columns.size() - most_columns);
  return text;
}

std::string imputed_text(Index cells, const std::vector<std::pair<std::string, Index>>& columns) {
  return counted(cells, "cell") + (columns.empty() ? "" : ": ") + cells_by_column(columns);
}

std::string filled_in_text(Index cells, const std::vector<std::pair<std::string, Index>>& columns) {
  return "missing values were filled in, " + imputed_text(cells, columns);
}

std::string fit_summary(const FitReport& report, const Paint& paint) {
  const FitOutcome& outcome = *report.outcome;
  std::string text = data_line(report, paint);
  if (outcome.model.task == Task::classification) text += classes_lines(report, paint);
  text += notes_text(*report.prepared, paint);
  if (outcome.imputed > 0)
    text += fit_line(paint, "imputed", imputed_text(outcome.imputed, outcome.imputed_columns));
  text += basis_lines(outcome.model.pipeline, paint) + model_line(report, paint) +
          convergence_line(outcome.model.summary, paint) + stages_line(outcome.model.summary, paint);
  if (const std::string facts = facts_text(outcome.model.summary); !facts.empty())
    text += fit_line(paint, "facts", facts);
  if (outcome.predicted) text += training_line(report, paint);
  const auto& inference = outcome.model.inference;
  if (inference && inference->absent.empty())
    text += fit_line(paint, "likelihood", wrap(likelihood_text(*inference), 100, fit_label_width));
  text += weights_lines(outcome.model, paint);
  text += report.saved.empty() ? fit_line(paint, "model file", paint.dim("none; -o MODEL keeps the model"))
                               : fit_line(paint, "saved", report.saved);
  return text;
}

}  // namespace discern::cli
