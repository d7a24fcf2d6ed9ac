// Identities of the literature, on the solvers themselves.
#include <gtest/gtest.h>

#include "discern/optim/l1/cd.hpp"
#include "discern/optim/solver/dual_cd.hpp"
#include "discern/optim/solver/newton.hpp"
#include "tests/support/problems.hpp"

namespace discern::identities_test {
namespace {

using Eigen::VectorXd;
using support::MadeProblem;
using support::ProblemShape;

// Weights of class 1 minus those of class 0, from a point of two scores.
VectorXd difference(const VectorXd& point) {
  const Eigen::Map<const RowMajor> weights(point.data(), point.size() / 2, 2);
  return weights.col(1) - weights.col(0);
}

Minimum newton_from_zero(const Problem& problem, const SolverOptions& options = {}) {
  return newton(problem, Eigen::VectorXd::Zero(problem.size()), options);
}

// With w = w_1 - w_0 given, l2/2 (|w_0|^2 + |w_1|^2) is least at w_1 = -w_0 = w/2, where it is l2/4 |w|^2: so
// softmax with twice the l2 is logistic regression.
TEST(TwoClassSoftmax, WithTwiceTheL2EqualsLogistic) {
  for (const bool sparse : {false, true})
    for (const bool bias : {false, true}) {
      ProblemShape shape{.sparse = sparse, .bias = bias, .weights = true, .penalty = {.l2 = 0.8}};
      const MadeProblem one(LogisticLoss{}, shape);
      shape.penalty.l2 *= 2;
      const MadeProblem two(SoftmaxLoss{}, shape);
      const Minimum logistic = newton_from_zero(one.problem()), softmax = newton_from_zero(two.problem());
      EXPECT_TRUE(logistic.converged && softmax.converged);
      EXPECT_NEAR(softmax.value, logistic.value, 1e-12 * logistic.value);
      EXPECT_LT((difference(softmax.point) - logistic.point).norm(), 1e-9 * logistic.point.norm());
    }
}

// |w_0| + |w_1| is least at |w| whatever the share of each: the same l1, no l2.
TEST(TwoClassSoftmax, WithTheSameL1EqualsLogistic) {
  for (const bool sparse : {false, true}) {
    const ProblemShape shape{.rows = 80, .sparse = sparse, .penalty = {.l1 = 3}};
    const MadeProblem one(LogisticLoss{}, shape), two(SoftmaxLoss{}, shape);
    const Minimum logistic =
                      coordinate_descent(one.problem(), Eigen::VectorXd::Zero(one.problem().size()), {}),
                  softmax =
                      coordinate_descent(two.problem(), Eigen::VectorXd::Zero(two.problem().size()), {});
    EXPECT_TRUE(logistic.converged && softmax.converged);
    EXPECT_NEAR(softmax.value, logistic.value, 1e-10 * logistic.value);
    EXPECT_LT((difference(softmax.point) - logistic.point).norm(), 1e-6 * logistic.point.norm());
  }
}

// The gradient of a quadratic function is zero after one step, from anywhere.
TEST(Newton, ConvergesInOneStepOnSquaredLoss) {
  for (const bool sparse : {false, true})
    for (const bool bias : {false, true}) {
      const MadeProblem made(SquaredLoss{}, {.classes = 0, .sparse = sparse, .bias = bias, .weights = true});
      const Minimum found = newton_from_zero(made.problem(), {1e-12, 1, {}});
      EXPECT_TRUE(found.converged) << found.certificate;
    }
}

TEST(CoordinateDescent, WithoutL1FindsTheMinimumOfNewton) {
  for (const Loss& loss : {Loss(SquaredLoss{}), Loss(LogisticLoss{}), Loss(SquaredHingeLoss{})}) {
    const MadeProblem made(loss, {.weights = true, .penalty = {.l2 = 0.5}});
    const Minimum cd = coordinate_descent(made.problem(), Eigen::VectorXd::Zero(made.problem().size()), {}),
                  exact = newton_from_zero(made.problem());
    EXPECT_TRUE(cd.converged);
    EXPECT_LT((cd.point - exact.point).norm(), 1e-6 * exact.point.norm());
  }
}

// The equations between the samples are solved before the first sweep, and may take long: they ask, too.
TEST(DualCoordinateDescent, AsksBeforeItSolvesForTheFreeSamples) {
  const MadeProblem made(SquaredHingeLoss{}, {.rows = 80, .penalty = {.l2 = 0.5}});
  const VectorXd start = VectorXd::Constant(80, 0.5);
  Index asked = 0;
  SolverOptions options;
  options.max_iter = 1;
  options.monitor = [&](const Progress& progress) {
    asked += progress.iterative && progress.done == 0 ? 1 : 0;
    return true;
  };
  const Minimum whole = dual_coordinate_descent(made.problem(), 1, options, start);
  EXPECT_GT(asked, 1);
  EXPECT_FALSE(whole.interrupted);
  options.monitor = [](const Progress& progress) { return !progress.iterative; };
  const Minimum stopped = dual_coordinate_descent(made.problem(), 1, options, start);
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.iterations, 0);
  EXPECT_TRUE(stopped.point.allFinite());
  EXPECT_GT(stopped.value, whole.value);
}

}  // namespace
}  // namespace discern::identities_test
