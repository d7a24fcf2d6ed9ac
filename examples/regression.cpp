// Least squares with standard errors, from memory in row-major order that is not copied.
#include <iostream>
#include <vector>

#include "discern/discern.hpp"

int main() try {
  // Height in cm and age in years; weight in kg.
  const std::vector<double> values{160, 25, 172, 31, 181, 45, 168, 52, 190, 38, 175, 29, 163, 61, 185, 33};
  const std::vector<double> weight{55.1, 68.4, 80.2, 67.9, 91.3, 70.0, 64.2, 82.5};

  const auto model = discern::fit_regression(
      discern::LeastSquares{}, {values, 8, 2}, weight,
      {.feature_names = {"height", "age"}, .inference = {.intervals = discern::Intervals::wald}});

  for (const discern::Coefficient& one : model.coefficients())
    std::cout << one.feature << ": " << one.estimate << " +- " << one.error << ", p = " << one.p << "\n";
  const std::vector<double> person{170, 40};
  std::cout << "170 cm, 40 years: " << model.predictions({person, 1, 2})[0] << " kg\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
