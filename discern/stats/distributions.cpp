#include "discern/stats/distributions.hpp"

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/SpecialFunctions>

namespace discern {

double normal_two_sided(double x) { return std::erfc(std::fabs(x) / std::sqrt(2.0)); }

// Eigen's quantile, made exact to the last digits by one step of Halley's method on the tail.
double normal_central(double p) {
  const double q = (1 - p) / 2;
  double x = -Eigen::numext::ndtri(q);
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  if (!(density > 0)) return x;
  const double step = (normal_two_sided(x) / 2 - q) / density;
  return x + step / (1 - x * step / 2);
}

double student_two_sided(double x, double degrees) {
  return Eigen::numext::betainc(degrees / 2, 0.5, degrees / (degrees + x * x));
}

// By bisection: the tail falls with x.
double student_central(double p, double degrees) {
  double low = 0, high = 1;
  while (student_two_sided(high, degrees) > 1 - p && high < 1e150) high *= 2;
  for (int k = 0; k < 200 && low < high; ++k) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_two_sided(middle, degrees) > 1 - p ? low : high) = middle;
  }
  return high;
}

double chi_squared_above(double x, double degrees) {
  return x > 0 ? Eigen::numext::igammac(degrees / 2, x / 2) : 1.0;
}

double f_above(double x, double numerator_degrees, double denominator_degrees) {
  if (!(x > 0)) return 1;
  return Eigen::numext::betainc(denominator_degrees / 2, numerator_degrees / 2,
                                denominator_degrees / (denominator_degrees + numerator_degrees * x));
}

}  // namespace discern
