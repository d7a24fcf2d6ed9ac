#include "cli/report/truth_report.hpp"

#include <fmt/format.h>

#include "discern/base/error.hpp"
#include "discern/persist/truth_file.hpp"

namespace discern::cli {
namespace {

// Where each feature of the truth is among the columns of the model.
std::vector<Index> columns_of(const Truth& truth, const Schema& input, const std::string& path) {
  std::vector<Index> columns;
  for (const std::string& name : truth.features) {
    Index found = 0;
    while (found < input.size() && input.name(found) != name) ++found;
    if (found == input.size() || input.categorical(found))
      throw Error(
          Code::data,
          fmt::format("the density is one of the feature '{}', which is no number among the model's columns; "
                      "--truth needs a model of all features",
                      name),
          {path, 0, ""});
    columns.push_back(found);
  }
  return columns;
}

// The features of the truth, a row each.
Matrix rows_of(const Table& table, const Model& model, const std::vector<Index>& columns) {
  const Arranged arranged = arrange(table, model.pipeline, {.ignore_unseen = true, .refuse_missing = true});
  Matrix x(row_count(arranged.x), static_cast<Index>(columns.size()));
  std::visit(
      [&](const auto& matrix) {
        Vector row(matrix.cols);
        for (Index i = 0; i < matrix.rows; ++i) {
          row.setZero();
          for_each(matrix.view(i, 1).row(0), [&](Index j, double v) { row[j] = v; });
          for (std::size_t j = 0; j < columns.size(); ++j) x(i, static_cast<Index>(j)) = row[columns[j]];
        }
      },
      arranged.x);
  return x;
}

}  // namespace

TruthReport beside_truth(const std::string& path, const Model& model, const Table& table,
                         const Prediction& said, const std::vector<std::int32_t>& labels,
                         const std::vector<double>& weights, std::uint64_t seed) {
  const Truth truth = with_classes(load_truth(path), model.classes);
  const Matrix x = rows_of(table, model, columns_of(truth, model.pipeline.input(), path));
  const BayesClassifier bayes(truth);
  return {truth.shape, bayes_error(truth, seed),
          beside_bayes(bayes, model.decision, model.positive, x, labels, said.labels, weights),
          model.decision && model.decision->has_costs()};
}

std::string truth_text(const TruthReport& report, const Paint& paint) {
  TextTable table({Align::left, Align::right, Align::left}, 2);
  const BayesError& known = report.known;
  table.row({"Bayes error", percent(known.value),
             known.standard_error ? fmt::format("+- {}, from {} drawn rows", percent(*known.standard_error),
                                                grouped(known.draws))
                                  : "exact"});
  table.row({"on these rows", percent(report.rows.bayes_error),
             fmt::format("the model's: {}", percent(report.rows.error))});
  const auto shown_risk = [&](double value) { return report.costs ? rounded(value, 6) : percent(value); };
  table.row({report.costs ? "Bayes risk" : "expected on these rows", shown_risk(report.rows.bayes_risk),
             fmt::format("the model's: {}", shown_risk(report.rows.risk))});
  table.row({"excess risk", shown_risk(report.rows.excess),
             fmt::format("+- {}", shown_risk(report.rows.excess_error))});
  return paint.bold("Bayes classifier") + fmt::format(" of the density ({})\n", report.shape) + table.text();
}

}  // namespace discern::cli
