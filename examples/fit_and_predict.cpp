// Logistic regression on two clouds of points: fit, check the certificate, predict, save and load.
#include <iostream>
#include <random>
#include <vector>

#include "discern/discern.hpp"

int main() try {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd X(200, 2);
  std::vector<int> y(200);
  for (int i = 0; i < 200; ++i) {
    y[i] = i % 2;
    X.row(i) << normal(random) + 2 * y[i], normal(random) - y[i];
  }

  const auto model = discern::fit(discern::Logistic{.l2 = 0.5}, X, y);
  std::cout << (model.converged() ? "converged: " : "not converged: ") << model.certificate() << "\n";
  for (const std::string& warning : model.warnings()) std::cerr << warning << "\n";

  Eigen::MatrixXd X_new(2, 2);
  X_new << 0, 0, 2, -1;
  const Eigen::MatrixXd p = model.probabilities(X_new);  // a column for each of model.classes()
  std::cout << "P(class 1): " << p(0, 1) << " and " << p(1, 1) << "\n";

  model.save("fit_and_predict.model");
  const auto again = discern::load("fit_and_predict.model");
  std::cout << "labels: " << again.labels(X_new)[0] << " and " << again.labels(X_new)[1] << "\n";
} catch (const discern::Error& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
