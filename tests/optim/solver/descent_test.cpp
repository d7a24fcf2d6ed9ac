#include "discern/optim/solver/descent.hpp"

#include <gtest/gtest.h>

namespace discern::descent_test {
namespace {

using Eigen::VectorXd;

// Along w, from -1e-9, the first row makes a slope of -7e8 that is gone at 1e-8; from there on the second one
// makes a slope of 1e5, small beside the first, along which E rises to 1e5 at w = 1.
TEST(LineMinimum, IsBelowTheStartWhereOneRowOfLargeNumbersMakesTheFirstSlope) {
  DenseMatrix<double> x{Buffer<double>(std::vector<double>{1e9, 1e5}), 2, 1};
  const Features features = x;
  Targets targets;
  targets.labels = {1, 0};
  const MemorySource source(features, targets);
  Problem problem;
  problem.source = &source;
  problem.bias = false;
  problem.scaling.scale = VectorXd::Ones(1);
  problem.scaling.penalty = VectorXd::Ones(1);
  problem.scaling.weight = 2;
  set_penalty(problem, {});
  LinearFunction function(problem);
  VectorXd start(2), direction(2);
  start << 0, -1e-9;
  direction << 0, 1;
  LinearDescent descent(function, start_at(function, start), {});
  const double before = descent.at().value, t = descent.line_minimum(direction, 1, {});
  EXPECT_GT(t, 0);
  EXPECT_LT(function.evaluate(start + t * direction, {}).value, before);
}

TEST(CertificateScale, FallsWithTheSlopesFromATenthOn) {
  Problem problem;
  problem.loss = SquaredHingeLoss{};
  problem.scaling.weight = 1000;
  problem.l1 = problem.l2 = Eigen::VectorXd::Zero(3);
  const auto of_length = [](double norm) { return Eigen::VectorXd(norm * Eigen::VectorXd::Unit(3, 1)); };
  const CertificateScale scale(problem, of_length(8), 100);
  EXPECT_EQ(scale.at(100), 8);
  EXPECT_EQ(scale.at(10), 8);
  EXPECT_DOUBLE_EQ(scale.at(1), 0.8);
  EXPECT_DOUBLE_EQ(scale.at(1e-9), 8e-4);
  EXPECT_EQ(scale.at(1e9), 8);
  EXPECT_EQ(CertificateScale(problem, of_length(8), 0).at(0), 8);  // not known
  EXPECT_EQ(CertificateScale(problem, of_length(1e-9), 100).at(100),
            1e-3);  // no signal: a millionth of the weight
  problem.loss = LogisticLoss{};
  EXPECT_DOUBLE_EQ(CertificateScale(problem, of_length(8), 100).at(1e-9), 8e-4);
  problem.l2[1] = 1;  // slopes that keep their digits, and a minimum
  EXPECT_DOUBLE_EQ(CertificateScale(problem, of_length(8), 100).at(1e-9), 8e-10);
}

}  // namespace
}  // namespace discern::descent_test
