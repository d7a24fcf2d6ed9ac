// What a gradient cannot see: steps along directions of next to no curvature, and points that lie below.
#include "discern/optim/confirm/improved_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/optim/confirm/curvature_bound.hpp"
#include "discern/optim/confirm/newton_step.hpp"
#include "discern/optim/solver/newton.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/stats/symmetric.hpp"
#include "tests/support/problems.hpp"

namespace discern::improved_point_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using support::MadeProblem;

VectorXd some_point(const Problem& problem) {
  Random random(3);
  VectorXd point(problem.size());
  for (double& u : point) u = 0.3 * random.normal();
  if (!problem.bias) point.head(problem.scores).setZero();
  return point;
}

std::optional<VectorXd> point_below(const Problem& problem, const VectorXd& point) {
  Minimum found;
  found.point = point;
  Candidate candidate(problem, found, {});
  return improved_point(candidate, 1e-10);
}

bool is_bounded(const Problem& problem, const VectorXd& point) {
  Minimum found;
  found.point = point;
  Candidate candidate(problem, found, {});
  return curvature_bounds(candidate, 1e-10);
}

VectorXd step_from(const Problem& problem, const VectorXd& point) {
  LinearFunction function(problem);
  function.evaluate(point, {});
  RowMajor slopes = function.scores();
  row_losses(problem, function.answers(0, slopes.rows()), slopes, nullptr);
  return newton_step(function, point, slopes, {});
}

TEST(NewtonStep, SolvesTheNormalEquationsWhereTheyHaveDigits) {
  for (const bool softmax : {false, true})
    for (const bool sparse : {false, true})
      for (const bool bias : {false, true}) {
        const MadeProblem made(softmax ? Loss{SoftmaxLoss{}} : Loss{LogisticLoss{}},
                               {.rows = 80,
                                .cols = 4,
                                .classes = softmax ? 3 : 2,
                                .sparse = sparse,
                                .bias = bias,
                                .weights = true,
                                .penalty = {.l2 = 0.7}});
        const Problem& problem = made.problem();
        const NewtonCoordinates newton(problem);
        const VectorXd point = newton.from(newton.to(some_point(problem)));  // scores that sum to zero
        const Expansion at = expand(newton, newton.to(point), {});
        const VectorXd expected = newton.from(solve_semidefinite(at.hessian, -at.gradient).x);
        EXPECT_LT((step_from(problem, point) - expected).norm(), 1e-10 * expected.norm());
      }
}

// Two features, the second as the first but for a small difference.
struct AlikeFeatures {
  explicit AlikeFeatures(double difference) {
    Random random(8);
    std::vector<double> cells;
    for (int i = 0; i < 60; ++i) {
      // Numbers of few digits, so that the difference is exactly what it is meant to be.
      const double x = std::round(8 * random.normal()) / 8, d = std::round(8 * random.normal()) / 8;
      cells.push_back(x);
      cells.push_back(x + difference * d);
      targets.labels.push_back(x + 2 * d + random.normal() > 0 ? 1 : 0);
    }
    features = DenseMatrix<double>{Buffer<double>(std::move(cells)), 60, 2};
    problem.source = &source;
    problem.scaling.scale = VectorXd::Ones(2);
    problem.scaling.penalty = VectorXd::Ones(2);
    problem.scaling.weight = 60;
    set_penalty(problem, {});
  }
  // The weights of x and of what the features differ by, in units of the difference.
  static VectorXd in_differences(const VectorXd& step, double difference) {
    return VectorXd{{step[0], step[1] + step[2], step[2] * difference}};
  }

  Features features;
  Targets targets;
  MemorySource source{features, targets};
  Problem problem;
};

TEST(NewtonStep, TellsFeaturesApartThatTheHessianCannot) {
  const double small = std::ldexp(1.0, -36);  // 1.5e-11, whose square is below the rounding of H
  const AlikeFeatures apart(1), alike(small);
  const VectorXd zero = VectorXd::Zero(3);
  const VectorXd expected = AlikeFeatures::in_differences(step_from(apart.problem, zero), 1);
  const VectorXd found = AlikeFeatures::in_differences(step_from(alike.problem, zero), small);
  EXPECT_GT(std::fabs(expected[2]), 0.5);
  EXPECT_LT((found - expected).norm(), 1e-4 * expected.norm());
}

TEST(NewtonStep, LeavesOutWhatNoRowSees) {
  const AlikeFeatures equal(0);
  const VectorXd step = step_from(equal.problem, VectorXd::Zero(3));
  ASSERT_TRUE(step.allFinite());
  EXPECT_LT(step.norm(), 10);
  EXPECT_NEAR(step[1], step[2], 1e-12);
}

TEST(HeldByCurvature, ProvesMinimaOfWellConditionedProblems) {
  for (const bool softmax : {false, true}) {
    const MadeProblem made(softmax ? Loss{SoftmaxLoss{}} : Loss{LogisticLoss{}},
                           {.rows = 400, .cols = 5, .classes = softmax ? 4 : 2, .penalty = {.l2 = 0.1}});
    const VectorXd minimum =
        newton(made.problem(), VectorXd::Zero(made.problem().size()), {1e-10, 100, {}, {}, 1}).point;
    EXPECT_TRUE(is_bounded(made.problem(), minimum));
    EXPECT_FALSE(point_below(made.problem(), minimum));
    const VectorXd other = 1.01 * minimum;
    EXPECT_FALSE(is_bounded(made.problem(), other));
    const auto lower = point_below(made.problem(), other);
    ASSERT_TRUE(lower);
    LinearFunction function(made.problem());
    EXPECT_LT(function.evaluate(*lower, {}).value, function.evaluate(other, {}).value);
  }
}

// The gradient is next to nothing, but the curvature is even less.
TEST(HeldByCurvature, ProvesNothingWhereItIsFaint) {
  const double small = std::ldexp(1.0, -30);
  const AlikeFeatures alike(small);
  const Problem& problem = alike.problem;
  Problem first = problem;  // of the first feature alone, as the second is held at zero
  first.l2[2] = 1e12;
  const VectorXd point = newton(first, VectorXd::Zero(first.size()), {1e-12, 100, {}, {}, 1}).point;
  LinearFunction function(problem);
  const Evaluation at = function.evaluate(point, {});
  EXPECT_LT(at.gradient.norm(), 1e-7);
  EXPECT_FALSE(is_bounded(problem, point));
  const auto lower = point_below(problem, point);
  ASSERT_TRUE(lower);
  EXPECT_LT(function.evaluate(*lower, {}).value, 0.9 * at.value);
}

// More features than rows: the residuals of what is found are rounding and nothing else, and there is always
// a point where they happen to be smaller.
TEST(LowerPoint, IsNotLookedForInTheRoundingOfAnExactFit) {
  for (const bool sparse : {false, true})
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
      const MadeProblem made(SquaredLoss{}, {.rows = 60, .cols = 80, .sparse = sparse, .seed = seed});
      const Minimum found =
          newton(made.problem(), VectorXd::Zero(made.problem().size()), {1e-9, 100, {}, {}, 1});
      EXPECT_LT(found.value, 1e-20);
      EXPECT_GT(found.value, 0);
      EXPECT_FALSE(point_below(made.problem(), found.point)) << sparse << " " << seed;
      VectorXd worse = found.point;
      worse[1] += 1e-9;
      EXPECT_TRUE(point_below(made.problem(), worse)) << sparse << " " << seed;
    }
}

}  // namespace
}  // namespace discern::improved_point_test
