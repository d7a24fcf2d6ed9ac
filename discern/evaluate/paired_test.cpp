#include "discern/evaluate/paired_test.hpp"

#include <cmath>

#include "discern/stats/distributions.hpp"

namespace discern {
namespace {

struct Differences {
  double mean = 0, squares = 0;  // and the sum of squares about it
};

Differences moments_of(const std::vector<double>& differences) {
  Differences of;
  for (const double d : differences) of.mean += d;
  of.mean /= static_cast<double>(differences.size());
  for (const double d : differences) of.squares += (d - of.mean) * (d - of.mean);
  return of;
}

}  // namespace

std::optional<double> corrected_p_value(const std::vector<double>& differences, double ratio) {
  if (differences.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(differences.size());
  const auto [mean, squares] = moments_of(differences);
  const double variance = (1 / count + ratio) * squares / (count - 1);
  // Equal differences, which few folds of few rows often have, leave a variance of rounding errors.
  if (mean == 0 && squares == 0) return 1.0;
  if (!(variance > 1e-24 * mean * mean)) return std::nullopt;
  return student_two_sided(mean / std::sqrt(variance), count - 1);
}

std::optional<std::pair<double, double>> corrected_interval(const std::vector<double>& differences,
                                                            double ratio, double confidence) {
  if (differences.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(differences.size());
  const auto [mean, squares] = moments_of(differences);
  const double half =
      student_central(confidence, count - 1) * std::sqrt((1 / count + ratio) * squares / (count - 1));
  return std::pair{mean - half, mean + half};
}

}  // namespace discern
