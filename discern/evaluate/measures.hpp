// The metrics by name, as --metric takes them and --json writes them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/training.hpp"

namespace discern {

// How some rows were judged: `metrics` in classification, `regression` in regression.
struct Judged {
  Task task = Task::classification;
  Metrics metrics;
  RegressionMetrics regression;
};

struct Measure {
  std::string_view name;
  std::string_view title;  // for people
  Task task;
  bool higher;    // is better
  bool row_mean;  // a mean over rows: it means as much for a single row as for many
  bool share;     // between 0 and 1, shown in percent
  bool proba;     // needs probabilities
  std::optional<double> (*value)(const Judged& judged);
};

std::span<const Measure> measures();
// Throws Code::usage listing the names of the task's measures.
const Measure& find_measure(std::string_view name, Task task);

}  // namespace discern
