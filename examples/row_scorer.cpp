// Answering requests one row at a time, without allocating.
#include <array>
#include <chrono>
#include <iostream>
#include <random>
#include <vector>

#include "discern/discern.hpp"

int main() try {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd X(500, 30);
  std::vector<bool> y(500);
  for (int i = 0; i < 500; ++i) {
    for (int j = 0; j < 30; ++j) X(i, j) = normal(random);
    y[i] = X(i, 0) + X(i, 1) + normal(random) > 0;
  }
  const auto model = discern::fit(discern::Logistic{}, X, y, {.standardize = true});

  discern::RowScorer score(model);  // one for each thread
  std::array<double, 30> row{1, 1};
  std::array<double, 1> out{};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100000; ++i) score(row, out);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  std::cout << "score " << out[0] << ", label " << score.label(row) << "\n";
  std::cerr << taken.count() / 100000 << " ns a row\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
