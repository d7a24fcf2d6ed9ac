// The objects that --json prints, each as one line of text. Numbers that do not exist are null.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cli/commands/inspect_rows.hpp"
#include "cli/commands/losses.hpp"
#include "cli/report/fit_report.hpp"
#include "cli/report/truth_report.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/model.hpp"

namespace discern::cli {

std::string fit_json(const FitReport& report);
std::string evaluation_json(const Model& model, const Metrics& metrics,
                            const std::optional<TruthReport>& truth = {});
std::string evaluation_json(const RegressionMetrics& metrics);
// With intervals of that confidence, where the model has any, and what is told of single rows, of their
// influence the first `limit`.
std::string inspection_json(const Model& model, double confidence, const RowReport& rows, Index limit);
std::string models_json();
std::string model_json(const ModelEntry& entry, std::string_view name);
std::string losses_json(const std::vector<double>& margins, const std::vector<LossCurve>& curves);

// An array a column, in the order of the columns.
struct JsonColumn {
  std::string name;
  std::vector<std::string> texts;  // or
  std::vector<double> numbers;
};
std::string columns_json(const std::vector<JsonColumn>& columns);

// A flat object.
using JsonValue = std::variant<std::string, std::int64_t, double>;
std::string object_json(const std::vector<std::pair<std::string, JsonValue>>& items);

}  // namespace discern::cli
