#include "discern/evaluate/paired_test.hpp"

#include <cmath>

#include "discern/stats/distributions.hpp"

namespace discern {

std::optional<double> corrected_p_value(const std::vector<double>& differences, double ratio) {
  if (differences.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(differences.size());
  double mean = 0, squares = 0;
  for (const double d : differences) mean += d;
  mean /= count;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  const double variance = (1 / count + ratio) * squares / (count - 1);
  // Equal differences, which few folds of few rows often have, leave a variance of rounding errors.
  if (mean == 0 && squares == 0) return 1.0;
  if (!(variance > 1e-24 * mean * mean)) return std::nullopt;
  return student_two_sided(mean / std::sqrt(variance), count - 1);
}

}  // namespace discern
