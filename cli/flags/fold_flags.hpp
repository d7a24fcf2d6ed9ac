// How cv, path and compare divide the rows.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/evaluate/folds.hpp"
#include "discern/evaluate/measures.hpp"

namespace discern::cli {

std::vector<Flag> fold_flags();  // --folds --repeats --group --time-ordered --leave-one-out
Flag metric_flag(std::string help);

// Throws Code::usage for flags that exclude each other.
FoldOptions fold_options(const Arguments& arguments);
// --metric, or the accuracy, or the RMSE.
const Measure& metric_of(const Arguments& arguments, Task task);
// Throws Code::usage for a metric of decisions with costs or without a class, where none are made; `what`:
// "no model is compared".
void refuse_decision_metric(const Measure& metric, std::string_view what);

// "5 folds, 3 times, classes in equal shares"
std::string folds_text(const FoldOptions& options, const std::string& group, Task task);

// 0.953 -> "95.30 %" where the measure is a share, otherwise four digits; "-" when there is none.
std::string measure_text(const Measure& measure, const std::optional<double>& value);

}  // namespace discern::cli
