#include "discern/api/projection.hpp"

#include "discern/api/tables.hpp"

namespace discern {

ProjectionResult project(const MatrixView& x, const Labels& y, const Fisher& fisher,
                         const FitOptions& options) {
  const FitSettings settings = settings_for(fisher, options, Task::classification, target_name);
  const Table table = training_table(x, y, options);
  const Projection found =
      on_threads(options.threads, [&] { return *fit_model(table, settings).projection; });
  return {found.directions, found.center, found.ratios, found.explained, found.means};
}

}  // namespace discern
