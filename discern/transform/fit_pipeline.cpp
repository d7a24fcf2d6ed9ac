#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/transform/fit_basis.hpp"
#include "discern/transform/pipeline.hpp"

namespace discern {
namespace {

using Weighted = std::pair<double, double>;  // value, weight

// The value below and above which half of the weight lies; between two values when both are such.
double weighted_median(std::vector<Weighted>& cells) {
  if (cells.empty()) return 0;
  std::sort(cells.begin(), cells.end());
  double total = 0;
  for (const auto& cell : cells) total += cell.second;
  double below = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    below += cells[i].second;
    if (below > total / 2) return cells[i].first;
    if (below == total / 2 && i + 1 < cells.size()) return cells[i].first / 2 + cells[i + 1].first / 2;
  }
  return cells.back().first;
}

// Without weights the two middle cells are found without sorting the rest.
double median(std::vector<double>& cells) {
  if (cells.empty()) return 0;
  const auto middle = cells.begin() + static_cast<std::ptrdiff_t>(cells.size() / 2);
  std::nth_element(cells.begin(), middle, cells.end());
  if (cells.size() % 2 == 1) return *middle;
  return *std::max_element(cells.begin(), middle) / 2 + *middle / 2;
}

double most_frequent(const std::vector<Weighted>& cells, std::size_t levels) {
  std::vector<double> count(levels);
  for (const auto& [code, weight] : cells) count[static_cast<std::size_t>(code)] += weight;
  return static_cast<double>(std::max_element(count.begin(), count.end()) - count.begin());
}

template <class T>
double fill_value(const DenseMatrix<T>& x, Index column, const Column& info,
                  const std::vector<double>& weights) {
  std::vector<double> plain;
  std::vector<Weighted> cells;
  const bool counted = info.categorical || !weights.empty();
  for (Index i = 0; i < x.rows; ++i) {
    const auto value = static_cast<double>(x.values[i * x.cols + column]);
    if (std::isnan(value)) continue;
    if (counted)
      cells.emplace_back(value, weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)]);
    else
      plain.push_back(value);
  }
  if (info.categorical) return info.levels.empty() ? 0 : most_frequent(cells, info.levels.size());
  return counted ? weighted_median(cells) : median(plain);
}

Impute fit_impute(const Table& table, const std::vector<double>& weights, bool indicate) {
  Impute step;
  for (std::size_t j = 0; indicate && j < table.noticed.size(); ++j)
    if (table.noticed[j].missing > 0) step.indicators.push_back(static_cast<Index>(j));
  step.fill.resize(static_cast<std::size_t>(table.schema.size()));
  std::visit(
      [&]<class M>(const M& x) {
        if constexpr (std::is_same_v<M, DenseMatrix<float>> || std::is_same_v<M, DenseMatrix<double>>)
          parallel_for(x.cols, [&](Index j) {
            step.fill[static_cast<std::size_t>(j)] = fill_value(x, j, table.schema.column(j), weights);
          });
      },
      table.x);
  return step;
}

void refuse_text(const Schema& schema, const std::string& file) {
  for (Index j = 0; j < schema.size(); ++j)
    if (schema.categorical(j))
      throw Error(Code::data, "the column holds text, and encoding it was not asked for",
                  {file, 0, schema.name(j)});
}

}  // namespace

Pipeline fit_pipeline(const Table& table, const std::vector<double>& weights, const PipelineOptions& options,
                      bool* interrupted) {
  std::vector<Step> steps;
  if (!options.impute)
    refuse_missing(table, table.first_missing());
  else if (!is_sparse(table.x))
    steps.push_back(fit_impute(table, weights, options.indicate));
  if (!options.encode) {
    refuse_text(table.schema, table.file);
  } else if (table.schema.any_categorical()) {
    OneHot step{{}, options.drop_first};
    for (Index j = 0; j < table.schema.size(); ++j) {
      const auto& column = table.schema.column(j);
      step.levels.push_back(column.categorical ? static_cast<Index>(column.levels.size()) : 0);
      if (column.categorical && column.levels.empty())
        throw Error(Code::data, "the column has no value at all; leave it out with `ignore`",
                    {table.file, 0, column.name});
    }
    // Indicators of missing cells come behind the columns, and are passed on.
    if (const auto* impute = steps.empty() ? nullptr : std::get_if<Impute>(&steps[0]))
      step.levels.resize(step.levels.size() + impute->indicators.size(), 0);
    steps.push_back(std::move(step));
  }
  Pipeline pipeline(table.schema, steps);
  Targets targets;
  if (options.date_parts) {
    if (auto parts = fit_date_parts(PipelineSource(table.x, pipeline, targets), pipeline)) {
      steps.push_back(std::move(*parts));
      pipeline = Pipeline(table.schema, steps);
    }
  }
  if (!options.basis.empty()) targets.weights = weights;
  PipelineOptions how = options;
  for (const BasisItem& item : parse_basis(options.basis)) {
    const PipelineSource source(table.x, pipeline, targets);
    bool stopped = false;
    steps.push_back(fit_basis(item, source, pipeline, how, stopped));
    pipeline = Pipeline(table.schema, steps);
    if (!stopped) continue;
    if (interrupted == nullptr) throw Error(Code::interrupted, "interrupted");
    *interrupted = true;
    how.monitor = {};
  }
  return pipeline;
}

}  // namespace discern
