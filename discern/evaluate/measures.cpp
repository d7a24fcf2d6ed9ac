#include "discern/evaluate/measures.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/join.hpp"

namespace discern {

std::span<const Measure> measures() {
  using enum Task;
  static constexpr auto table = std::to_array<Measure>({
      {"accuracy", "accuracy", classification, true, true, true, false,
       [](const Judged& j) { return j.metrics.accuracy; }},
      {"balanced_accuracy", "balanced accuracy", classification, true, false, true, false,
       [](const Judged& j) { return j.metrics.balanced_accuracy; }},
      {"error", "error", classification, false, true, true, false,
       [](const Judged& j) { return j.metrics.error; }},
      {"log_loss", "log loss", classification, false, true, false, true,
       [](const Judged& j) { return j.metrics.log_loss; }},
      {"brier", "Brier score", classification, false, true, false, true,
       [](const Judged& j) { return j.metrics.brier; }},
      {"auc", "AUC", classification, true, false, false, false,
       [](const Judged& j) { return j.metrics.auc; }},
      {"average_precision", "average precision", classification, true, false, false, false,
       [](const Judged& j) { return j.metrics.average_precision; }},
      {"macro_f1", "macro F1", classification, true, false, true, false,
       [](const Judged& j) { return j.metrics.macro_f1; }},
      {"mcc", "Matthews correlation", classification, true, false, false, false,
       [](const Judged& j) { return j.metrics.mcc; }},
      {"ece", "calibration error", classification, false, false, false, true,
       [](const Judged& j) { return j.metrics.ece; }},
      {"cost", "mean cost", classification, false, true, false, false,
       [](const Judged& j) { return j.metrics.cost; }},
      {"undecided", "undecided", classification, false, true, true, false,
       [](const Judged& j) -> std::optional<double> {
         if (!(j.metrics.weight > 0)) return std::nullopt;
         return j.metrics.undecided / j.metrics.weight;
       }},
      {"accuracy_decided", "accuracy decided", classification, true, false, true, false,
       [](const Judged& j) { return j.metrics.accuracy_decided; }},
      {"rmse", "RMSE", regression, false, false, false, false,
       [](const Judged& j) { return j.regression.rmse; }},
      {"mae", "mean absolute error", regression, false, true, false, false,
       [](const Judged& j) { return j.regression.mae; }},
      {"r2", "R2", regression, true, false, false, false, [](const Judged& j) { return j.regression.r2; }},
  });
  return table;
}

const Measure& find_measure(std::string_view name, Task task) {
  std::vector<std::string_view> names;
  for (const Measure& measure : measures()) {
    if (measure.task != task) continue;
    if (measure.name == name) return measure;
    names.push_back(measure.name);
  }
  throw Error(Code::usage, fmt::format("`metric`: expected one of {}, got '{}'", join(names, ", "), name));
}

}  // namespace discern
