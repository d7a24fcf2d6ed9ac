// Small problems for the tests of the public interface.
#pragma once

#include <vector>

#include "discern/base/random.hpp"
#include "discern/discern.hpp"

namespace discern::api_test {

struct Sample {
  Eigen::MatrixXd x;
  std::vector<int> y;
};

// Gaussian classes that overlap, labelled 0, 1, ...; columns on different scales.
inline Sample gaussian_problem(Index rows = 150, Index cols = 4, int classes = 2, std::uint64_t seed = 1) {
  Random random(seed);
  Sample problem{Eigen::MatrixXd(rows, cols), {}};
  for (Index i = 0; i < rows; ++i) {
    const int label = static_cast<int>(i) % classes;
    for (Index j = 0; j < cols; ++j)
      problem.x(i, j) =
          (random.normal() + (j % classes == label ? 1.5 : 0.0)) * static_cast<double>(1 + j) + 10;
    problem.y.push_back(label);
  }
  return problem;
}

// The message of the Error that the work throws.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace discern::api_test
