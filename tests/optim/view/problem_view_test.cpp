// What every view of a problem promises: a point and its image have the same value, and going to the view and
// back changes nothing that the view has.
#include "discern/optim/view/problem_view.hpp"

#include <gtest/gtest.h>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/view/dependent_features.hpp"
#include "discern/optim/view/newton_coordinates.hpp"
#include "discern/optim/view/renumbered.hpp"
#include "discern/optim/view/rescaled.hpp"
#include "discern/optim/view/row_space.hpp"
#include "discern/optim/view/working_set.hpp"
#include "tests/support/known_optimum.hpp"

namespace discern::problem_view_test {
namespace {

using Eigen::VectorXd;
using support::KnownOptimum;

double value(const Problem& problem, const VectorXd& point) {
  LinearFunction function(problem);
  return function.evaluate(point, {}).value + l1_value(problem, point);
}

void expect_same_problem(const Problem& whole, const ProblemView& view, const VectorXd& point) {
  const VectorXd there = view.to(point), back = view.from(there);
  EXPECT_LT((back - point).norm(), 1e-12 * point.norm());
  EXPECT_NEAR(value(view.problem(), there), value(whole, point), 1e-12 * value(whole, point));
}

TEST(ProblemView, RescaledFeaturesAreTheSameProblem) {
  const KnownOptimum known(LogisticLoss{}, {.l1 = 0.4});
  VectorXd units(5);
  units << 1, 0.1, 1e-3, 1, 1e-6;
  expect_same_problem(known.problem(), RescaledProblem(known.problem(), units), known.optimum());
}

TEST(ProblemView, RenumberedFeaturesAreTheSameProblem) {
  const KnownOptimum known(SoftmaxLoss{}, {.classes = 3, .sparse = true});
  expect_same_problem(known.problem(), RenumberedProblem(known.problem()), known.optimum());
}

// Points whose scores sum to zero, as those here do, keep their length.
TEST(ProblemView, NewtonCoordinatesKeepLengths) {
  const KnownOptimum known(SoftmaxLoss{}, {.classes = 3});
  const NewtonCoordinates view(known.problem());
  const VectorXd there = view.to(known.optimum());
  EXPECT_EQ(there.size(), 12);
  EXPECT_NEAR(there.norm(), known.optimum().norm(), 1e-14);
  EXPECT_LT((view.from(there) - known.optimum()).norm(), 1e-14);
}

// The minimum is a combination of the rows, so the row space has it.
TEST(ProblemView, TheRowSpaceHoldsTheMinimum) {
  const KnownOptimum known(LogisticLoss{}, {.rows = 10, .cols = 5});
  expect_same_problem(known.problem(), RowSpace(known.problem()), known.optimum());
}

TEST(ProblemView, AWorkingSetHasTheWeightsThatAreNotZero) {
  const KnownOptimum known(LogisticLoss{}, {.l1 = 1.5});
  const WorkingSet view(known.problem(), {0, 1, 3, 4}, {});
  ASSERT_EQ(known.optimum()[3], 0);
  expect_same_problem(known.problem(), view, known.optimum());
}

TEST(ProblemView, IndependentFeaturesHaveTheSameScores) {
  const KnownOptimum known(LogisticLoss{}, {.l2 = 0});
  DependentFeatures none;
  none.same_scores.resize(6, 0);
  expect_same_problem(known.problem(), IndependentProblem(known.problem(), none), known.optimum());
}

}  // namespace
}  // namespace discern::problem_view_test
