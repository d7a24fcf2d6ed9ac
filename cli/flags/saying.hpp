// What predict and evaluate share: reading a table for a model, and asking the model about its rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/api/fitted_model.hpp"
#include "discern/evaluate/metrics.hpp"
#include "discern/io/table/read.hpp"
#include "discern/model/shape/model.hpp"

namespace discern::cli {

// --missing, --unseen and the flags of the decision.
std::vector<Flag> policy_flags();

// The model of the first positional, with the decision rule that the flags ask for.
FittedModel load_for(const Arguments& arguments);

// Refuses a weight that is a feature or the target of the model. Empty: there is none.
void check_weight(const Model& model, const std::string& weight);

// Reads the second positional with the columns that the model wants, and those of `side`; `ask` may ask for more.
Table read_for(const Model& model, const Arguments& arguments, Console& console,
               std::vector<SideRequest> side, const std::function<void(ReadOptions&)>& ask = {});

// --missing and --unseen; and what they did, on standard error.
PredictOptions predict_options(const Arguments& arguments);
void tell_policies(const Prediction& said, Console& console);

// The model's word on the table. Cells that were filled in and categories that training did not have are
// mentioned on standard error.
Prediction predict_with(const Model& model, const Table& table, const Arguments& arguments, Console& console,
                        bool labels_only = false);

// The same for rows whose truth is known, judged. Of very many rows or classes the scores are not kept: then
// the prediction has the labels only, and the metrics have no confusion table and no AUC.
struct JudgedTable {
  Prediction said;
  Metrics metrics;
  RegressionMetrics regression;
};
JudgedTable judge_with(const Model& model, const Table& table, const std::vector<std::int32_t>& labels,
                       const std::vector<double>& weights, const Arguments& arguments, Console& console);

}  // namespace discern::cli
