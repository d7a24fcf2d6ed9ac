#include "discern/api/influence.hpp"

#include <limits>

#include "discern/api/tables.hpp"
#include "discern/catalogue/row_influence.hpp"

namespace discern {
namespace {

FitOptions named_like(const FittedModel& model, const Numbers& weights) {
  FitOptions options;
  options.feature_names = model.columns();
  options.sample_weight = weights.values();
  options.impute = imputes(model.shared()->pipeline);
  return options;
}

Eigen::VectorXd at_rows(const Vector& values, const std::vector<Index>& rows, Index count) {
  Eigen::VectorXd all = Eigen::VectorXd::Constant(count, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < rows.size(); ++i) all[rows[i]] = values[static_cast<Index>(i)];
  return all;
}

InfluenceResult influence_of(const FittedModel& model, Table table, bool weighted) {
  table.side.back().name = model.shared()->target;  // behind the weights, where there are some
  const RowInfluence found = row_influence(*model.shared(), table, weighted ? weight_name : "", {});
  const auto spread = [&](const Vector& values) { return at_rows(values, found.rows, table.rows()); };
  return {spread(found.of.leverage),     spread(found.of.pearson),     spread(found.of.deviance),
          spread(found.of.standardized), spread(found.of.studentized), spread(found.of.dffits),
          spread(found.of.cook),         found.of.parameters,          found.of.dispersion};
}

}  // namespace

InfluenceResult influence(const FittedModel& model, const MatrixView& x, const Labels& y,
                          const Numbers& weights) {
  return influence_of(model, training_table(x, y, named_like(model, weights)), !weights.empty());
}

InfluenceResult influence_regression(const FittedModel& model, const MatrixView& x, const Numbers& y,
                                     const Numbers& weights) {
  return influence_of(model, training_table(x, y, named_like(model, weights)), !weights.empty());
}

}  // namespace discern
