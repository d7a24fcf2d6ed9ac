#include "discern/api/evaluate.hpp"

#include <gtest/gtest.h>

#include "tests/api/problems.hpp"

namespace discern::api_evaluate_test {
namespace {

using api_test::gaussian_problem;
using api_test::refusal;
using api_test::Sample;

TEST(Evaluate, CountsTheRightDecisions) {
  const Sample sample = gaussian_problem(120, 4, 3);
  const FittedModel model = fit(Lda{}, sample.x, sample.y);
  const std::vector<std::int64_t> said = model.integer_labels(sample.x);
  int right = 0;
  for (std::size_t i = 0; i < said.size(); ++i) right += said[i] == sample.y[i] ? 1 : 0;
  const EvaluationResult seen = evaluate(model, sample.x, sample.y);
  EXPECT_EQ(seen.rows, 120);
  EXPECT_NEAR(seen.measure("accuracy"), right / 120.0, 1e-15);
  EXPECT_EQ(seen.confusion.rows(), 3);
  EXPECT_EQ(seen.confusion.trace(), right);
  EXPECT_EQ(seen.confusion.sum(), 120);
  const Eigen::MatrixXd p = model.probabilities(sample.x);
  double loss = 0;
  for (Index i = 0; i < 120; ++i) loss -= std::log(p(i, sample.y[static_cast<std::size_t>(i)])) / 120;
  EXPECT_NEAR(seen.measure("log_loss"), loss, 1e-12);
  EXPECT_NE(
      refusal([&] { seen.measure("beauty"); }).find("there is no measure 'beauty' here; there are accuracy"),
      std::string::npos);
  std::vector<double> weights(120, 0.0);
  weights[0] = 3;
  EXPECT_EQ(evaluate(model, sample.x, sample.y, weights).weight, 3);
  std::vector<int> other = sample.y;
  other[5] = 9;
  EXPECT_NE(refusal([&] { evaluate(model, sample.x, other); }).find("found the label '9'"),
            std::string::npos);
}

TEST(Evaluate, OfRegressionMeasuresTheResiduals) {
  const Sample sample = gaussian_problem(50, 3);
  const Eigen::VectorXd y = sample.x.col(0) + sample.x.col(1).cwiseAbs2();
  const FittedModel model = fit_regression(LeastSquares{}, sample.x, y);
  const Eigen::VectorXd error = y - model.predictions(sample.x);
  const EvaluationResult seen = evaluate_regression(model, sample.x, y);
  EXPECT_NEAR(seen.measure("rmse"), std::sqrt(error.squaredNorm() / 50), 1e-12);
  EXPECT_NEAR(seen.measure("mae"), error.cwiseAbs().mean(), 1e-12);
  EXPECT_EQ(refusal([&] { evaluate(model, sample.x, sample.y); }),
            "the model is a regression; evaluate_regression takes numbers");
}

// By hand: fit without the fold, evaluate on it. Leave one out has no chance in its folds.
TEST(CrossValidation, LeavesOutWhatItTests) {
  const Sample sample = gaussian_problem(30, 2);
  const CvResult cv = cross_validate(Lda{}, sample.x, sample.y, {.folds = {.leave_one_out = true}});
  int right = 0;
  for (Index i = 0; i < 30; ++i) {
    Eigen::MatrixXd x(29, 2);
    std::vector<int> y;
    for (Index k = 0, row = 0; k < 30; ++k) {
      if (k == i) continue;
      x.row(row++) = sample.x.row(k);
      y.push_back(sample.y[static_cast<std::size_t>(k)]);
    }
    const FittedModel model = fit(Lda{}, x, y);
    right += model.integer_labels(sample.x.row(i).eval())[0] == sample.y[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  EXPECT_GT(right, 20);
  EXPECT_NEAR(*cv.measure("accuracy").mean, right / 30.0, 1e-12);
  EXPECT_EQ(cv.rows, 30);
}

TEST(CrossValidation, HasAValueForEveryFoldAndRepeat) {
  const Sample sample = gaussian_problem(100, 3);
  const CvResult cv = cross_validate(Logistic{}, sample.x, sample.y, {.folds = {.folds = 4, .repeats = 2}});
  const CvMeasure& auc = cv.measure("auc");
  EXPECT_EQ(auc.folds.size(), 8u);
  EXPECT_GT(*auc.mean, 0.8);
  EXPECT_GT(*auc.standard_error, 0);
  EXPECT_EQ(cv.stopped, 0);
  const CvResult again = cross_validate(Logistic{}, sample.x, sample.y,
                                        {.folds = {.folds = 4, .repeats = 2}, .fit = {.threads = 2}});
  EXPECT_EQ(again.measure("log_loss").mean, cv.measure("log_loss").mean);
}

TEST(CrossValidation, KeepsGroupsTogether) {
  Sample sample = gaussian_problem(40, 2);
  std::vector<int> groups;
  for (int i = 0; i < 40; ++i) groups.push_back(i / 20);
  EXPECT_EQ(
      refusal([&] { cross_validate(Lda{}, sample.x, sample.y, {.folds = {.folds = 3}, .groups = groups}); }),
      "`folds`: expected at most 2, the number of groups, got 3");
  EXPECT_EQ(refusal([&] {
              cross_validate(Lda{}, sample.x, sample.y, {.groups = std::vector<int>{1, 2}});
            }),
            "`groups`: found 2, expected 40, one per row");
}

TEST(CrossValidation, OfRegressionIsItsOwnFunction) {
  const Sample sample = gaussian_problem(40, 2);
  const Eigen::VectorXd y = sample.x.rowwise().sum();
  const CvResult cv = cross_validate_regression(LeastSquares{}, sample.x, y);
  EXPECT_LT(*cv.measure("rmse").mean, 1e-10);
}

TEST(Compare, RanksModelsAndFitsTheBest) {
  const Sample sample = gaussian_problem(120, 3);
  const ComparisonResult result =
      compare(sample.x, sample.y, {.models = {"lda", "logistic", "naive-bayes"}, .metric = "log_loss"});
  ASSERT_EQ(result.ranking.size(), 3u);
  EXPECT_LE(*result.ranking[0].score, *result.ranking[1].score);
  EXPECT_LE(*result.ranking[1].score, *result.ranking[2].score);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->name(), result.ranking[0].model);
  EXPECT_LT(*result.ranking[0].score, *result.baseline);
  EXPECT_EQ(
      refusal([&] { compare(sample.x, sample.y, {.models = {"forest"}}); }).find("`model`: expected one of"),
      0u);
}

}  // namespace
}  // namespace discern::api_evaluate_test
