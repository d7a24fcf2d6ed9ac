// The minimum among combinations of the rows is the minimum.
#include "discern/optim/view/row_space.hpp"

#include <gtest/gtest.h>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/solver/newton_cg.hpp"
#include "tests/support/problems.hpp"

namespace discern::row_space_test {
namespace {

using Eigen::VectorXd;
using support::MadeProblem;

// From the minimum of the part the whole has nothing left to gain: losses of one score and of several, with a
// free bias (which leaves the centred rows one dimension short), a penalised one and none, with weights.
TEST(RowSpace, HoldsTheMinimumOfTheWhole) {
  for (const bool softmax : {false, true})
    for (const int bias : {0, 1, 2}) {
      const MadeProblem made(softmax ? Loss{SoftmaxLoss{}} : Loss{LogisticLoss{}},
                             {.rows = 12,
                              .cols = 60,
                              .classes = softmax ? 3 : 2,
                              .bias = bias > 0,
                              .center = bias == 1,
                              .weights = true,
                              .penalty = {.l2 = 0.7, .bias = bias == 2}});
      const RowSpace rows(made.problem());
      EXPECT_LE(rows.problem().features(), 12);
      LinearFunction part(rows.problem()), whole(made.problem());
      const Minimum found = newton_cg(part, VectorXd::Zero(part.size()), {1e-11, 100, {}, {}, 1});
      ASSERT_TRUE(found.converged);
      const VectorXd point = rows.from(found.point);
      EXPECT_LT((rows.to(point) - found.point).norm(), 1e-9 * found.point.norm());
      const Evaluation at = whole.evaluate(point, {});
      EXPECT_NEAR(at.value, found.value, 1e-10 * found.value);
      const double before = whole.evaluate(VectorXd::Zero(point.size()), {}).gradient.norm();
      EXPECT_LT(whole.residual(point, at.gradient).norm(), 1e-9 * before);
    }
}

TEST(RowSpace, IsForFewDenseRowsWithL2OnEveryWeight) {
  const PenaltyStrength l2{.l2 = 1};
  const auto worth = [](support::ProblemShape shape) {
    return RowSpace::worth_making(MadeProblem(LogisticLoss{}, shape).problem());
  };
  EXPECT_TRUE(worth({.rows = 12, .cols = 60, .penalty = l2}));
  EXPECT_FALSE(worth({.rows = 12, .cols = 60}));
  EXPECT_FALSE(worth({.rows = 12, .cols = 60, .sparse = true, .penalty = l2}));
  EXPECT_FALSE(worth({.rows = 12, .cols = 60, .penalty = {.l1 = 1, .l2 = 1}}));
  EXPECT_FALSE(worth({.rows = 40, .cols = 60, .penalty = l2}));
}

}  // namespace
}  // namespace discern::row_space_test
