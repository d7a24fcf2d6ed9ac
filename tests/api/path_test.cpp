#include "discern/api/path.hpp"

#include <gtest/gtest.h>

#include "discern/api/separable.hpp"
#include "tests/api/problems.hpp"

namespace discern::api_path_test {
namespace {

using api_test::gaussian_problem;
using api_test::refusal;
using api_test::Sample;

TEST(Path, FallsFromNoWeightsToAllAndIsThatOfSingleFits) {
  const Sample sample = gaussian_problem(120, 4);
  const PathResult lasso = path(Logistic{}, sample.x, sample.y, {.points = 20});
  ASSERT_EQ(lasso.steps.size(), 20u);
  EXPECT_EQ(lasso.steps.front().nonzero, 0);
  EXPECT_EQ(lasso.steps.back().nonzero, 4);
  EXPECT_FALSE(lasso.best.has_value());
  const PathStep& step = lasso.steps[10];
  EXPECT_TRUE(step.converged);
  const FittedModel alone = fit(with_penalty_of(Logistic{}, step), sample.x, sample.y);
  EXPECT_LT((alone.weights() - step.weights).norm(), 1e-6 * step.weights.norm());
  EXPECT_LT((alone.bias() - step.bias).norm(), 1e-6 * step.bias.norm());
}

TEST(Path, ChoosesAPointByCrossValidation) {
  const Sample sample = gaussian_problem(120, 4);
  const PathResult lasso = path(Logistic{}, sample.x, sample.y, {.points = 15, .folds = FoldOptions{}});
  ASSERT_TRUE(lasso.best && lasso.within_se);
  EXPECT_EQ(lasso.metric, "log_loss");
  EXPECT_LE(*lasso.within_se, *lasso.best);
  for (const PathStep& step : lasso.steps) EXPECT_GE(*step.score, *lasso.steps[*lasso.best].score);
}

TEST(Path, OfRegressionAndOfModelsWithout) {
  const Sample sample = gaussian_problem(60, 3);
  const Eigen::VectorXd y = sample.x.col(0);
  const PathResult ridge =
      path_regression(LeastSquares{}, sample.x, y, {.penalty = PathPenalty::l2, .points = 5});
  EXPECT_EQ(ridge.steps.size(), 5u);
  EXPECT_GT(ridge.steps.back().explained, 0.99);
  EXPECT_NE(refusal([&] { path(Lda{}, sample.x, sample.y); }).find("lda"), std::string::npos);
  EXPECT_NE(refusal([&] { path(Svm{}, sample.x, sample.y); }).find("take `loss` squared-hinge"),
            std::string::npos);
}

TEST(Separable, FindsThePlaneWithTheLargestMargin) {
  Eigen::MatrixXd x(4, 2);
  x << 0, 0, 0, 1, 3, 0, 3, 1;
  const std::vector<std::string> y{"left", "left", "right", "right"};
  const SeparableResult result = separable(x, y);
  ASSERT_EQ(result.pairs.size(), 1u);
  EXPECT_TRUE(result.yes());
  EXPECT_EQ(result.pairs[0].positive, "right");
  EXPECT_EQ(result.pairs[0].negative, "left");
  EXPECT_NEAR(result.pairs[0].margin, 1.5, 1e-9);
  EXPECT_NEAR(result.pairs[0].weights[0], 1 / 1.5, 1e-9);
  EXPECT_NEAR(result.pairs[0].bias, -1, 1e-9);
}

TEST(Separable, ProvesThatNoPlaneSeparatesTheExclusiveOr) {
  Eigen::MatrixXd x(4, 2);
  x << 0, 0, 1, 1, 0, 1, 1, 0;
  const SeparableResult result = separable(x, std::vector<int>{0, 0, 1, 1});
  EXPECT_FALSE(result.yes());
  EXPECT_EQ(result.pairs[0].verdict, SeparableVerdict::no);
  const Sample sample = gaussian_problem(60, 3, 3);
  EXPECT_EQ(separable(sample.x, sample.y).pairs.size(), 3u);
  EXPECT_EQ(separable(sample.x, sample.y, {.one_vs_rest = true}).pairs[0].negative, "");
}

}  // namespace
}  // namespace discern::api_path_test
