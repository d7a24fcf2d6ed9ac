#include "tests/support/fitting.hpp"

#include <algorithm>

#include "discern/catalogue/target_sizes.hpp"

namespace discern::support {

std::string data_file(const std::string& name) { return DISCERN_ROOT "/data/" + name; }
std::string docs_file(const std::string& name) { return DISCERN_ROOT "/docs/" + name; }
std::string kept_model_file(const std::string& name) { return DISCERN_ROOT "/tests/persist/models/" + name; }

std::string messy_tables() { return DISCERN_ROOT "/tests/io/messy"; }

Table read_for(const std::string& path, const Request& request) {
  ReadOptions options;
  options.side.push_back({request.target, request.task == Task::classification, true});
  if (!request.weight.empty()) options.side.push_back({request.weight, false, true});
  return read_table(path, options);
}

FitOutcome fit_table(const Table& table, const Request& request) {
  FitSettings settings;
  settings.options = find_model(request.model).make(request.model);
  for (const auto& [name, text] : request.options)
    if (!set_field(settings.multiclass, name, text)) set_option(settings.options, name, text);
  settings.target_sizes = read_target_sizes(settings.options);
  settings.task = request.task;
  settings.target = request.target;
  settings.sample_weight = request.weight;
  settings.class_weight = request.class_weight;
  settings.positive = request.positive;
  settings.basis = request.basis;
  settings.seed = request.seed;
  settings.decision = request.decision;
  settings.keep_statistics = request.keep_statistics;
  settings.standardize = request.standardize;
  settings.encode = settings.impute = true;
  settings.inference = request.inference;
  return fit_model(table, settings);
}

FitOutcome fit_file(const std::string& path, const Request& request) {
  return fit_table(read_for(path, request), request);
}

Table make_table(const std::vector<std::vector<double>>& rows, const std::vector<std::string>& labels,
                 const std::vector<double>& weights) {
  Table table;
  const auto cols = static_cast<Index>(rows[0].size());
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  table.x = DenseMatrix<double>{Buffer<double>(std::move(values)), static_cast<Index>(rows.size()), cols};
  table.schema = Schema::numbered(cols);
  SideColumn target{"class", true, labels, {}, {}};
  std::sort(target.levels.begin(), target.levels.end());
  target.levels.erase(std::unique(target.levels.begin(), target.levels.end()), target.levels.end());
  sort_levels(target.levels);
  for (const auto& level : target.levels)
    target.noticed.level_line.push_back(1 +
                                        (std::find(labels.begin(), labels.end(), level) - labels.begin()));
  for (const auto& label : labels)
    target.values.push_back(static_cast<double>(std::find(target.levels.begin(), target.levels.end(), label) -
                                                target.levels.begin()));
  table.side.push_back(std::move(target));
  if (!weights.empty()) table.side.push_back({"weight", false, {}, weights, {}});
  return table;
}

Table as_sparse(const Table& table) {
  Table sparse = table;
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows; ++i) {
          for_each(x.view(i, 1).row(0), [&](Index j, double v) {
            if (v == 0) return;
            values.push_back(v);
            columns.push_back(static_cast<std::uint32_t>(j));
          });
          starts.push_back(static_cast<std::int64_t>(values.size()));
        }
      },
      table.x);
  sparse.x = SparseMatrix<double>{
      Buffer<double>(std::move(values)), Buffer<std::uint32_t>(std::move(columns)),
      Buffer<std::int64_t>(std::move(starts)), row_count(table.x), column_count(table.x)};
  return sparse;
}

std::vector<double> parameters(const Model& model) {
  const auto& linear = std::get<Linear>(model.predictor);
  const Vector bias = linear.bias_at_origin();
  std::vector<double> all;
  for (Index k = 0; k < linear.scores(); ++k) {
    for (Index j = 0; j < linear.features(); ++j) all.push_back(linear.weights(k, j));
    all.push_back(bias[k]);
  }
  return all;
}

}  // namespace discern::support
