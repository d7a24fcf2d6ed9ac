#include "discern/api/fit.hpp"

#include "discern/api/tables.hpp"
#include "discern/catalogue/models.hpp"

namespace discern {
namespace {

FittedModel fit_on(const Table& table, const FitSettings& settings, int threads) {
  return on_threads(threads, [&] { return FittedModel(fit_model(table, settings).model); });
}

}  // namespace

FittedModel fit(const ModelOptions& model, const MatrixView& x, const Labels& y, const FitOptions& options) {
  const FitSettings settings = settings_for(model, options, Task::classification, target_name);
  return fit_on(training_table(x, y, options), settings, options.threads);
}

FittedModel fit_regression(const ModelOptions& model, const MatrixView& x, const Numbers& y,
                           const FitOptions& options) {
  const FitSettings settings = settings_for(model, options, Task::regression, target_name);
  return fit_on(training_table(x, y, options), settings, options.threads);
}

FittedModel fit(const ModelOptions& model, const Frame& frame, const std::string& target,
                const FitOptions& options) {
  const FitSettings settings = settings_for(model, options, Task::classification, target);
  return fit_on(training_table(frame, target, settings.task, options), settings, options.threads);
}

FittedModel fit_regression(const ModelOptions& model, const Frame& frame, const std::string& target,
                           const FitOptions& options) {
  const FitSettings settings = settings_for(model, options, Task::regression, target);
  return fit_on(training_table(frame, target, settings.task, options), settings, options.threads);
}

}  // namespace discern
