#include "discern/api/row_scorer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "tests/api/problems.hpp"

namespace discern::row_scorer_test {
namespace {

using api_test::gaussian_problem;
using api_test::refusal;
using api_test::Sample;

std::vector<double> row_of(const Eigen::MatrixXd& x, Index i) {
  std::vector<double> row;
  for (Index j = 0; j < x.cols(); ++j) row.push_back(x(i, j));
  return row;
}

// Scores, probabilities and labels, row by row and all at once, to the last bit.
void expect_same(const FittedModel& model, const Eigen::MatrixXd& x) {
  const Eigen::MatrixXd scores = model.scores(x);
  const std::vector<std::string> labels = model.labels(x);
  const Eigen::MatrixXd p = model.has_probabilities() ? model.probabilities(x) : Eigen::MatrixXd();
  RowScorer score(model);
  ASSERT_EQ(score.columns(), x.cols());
  ASSERT_EQ(score.scores(), scores.cols());
  std::vector<double> out(static_cast<std::size_t>(scores.cols())), q(model.classes().size());
  for (Index i = 0; i < x.rows(); ++i) {
    const std::vector<double> row = row_of(x, i);
    score(row, out);
    for (Index k = 0; k < scores.cols(); ++k)
      ASSERT_EQ(out[static_cast<std::size_t>(k)], scores(i, k)) << model.name() << " row " << i;
    ASSERT_EQ(score.label(row), labels[static_cast<std::size_t>(i)]) << model.name() << " row " << i;
    if (p.size() == 0) continue;
    score.probabilities(row, q);
    for (Index k = 0; k < p.cols(); ++k)
      ASSERT_EQ(q[static_cast<std::size_t>(k)], p(i, k)) << model.name() << " row " << i;
  }
}

TEST(RowScorer, HasTheBitsOfScoresForEveryModelThatItTakes) {
  for (const int classes : {2, 3}) {
    const Sample sample = gaussian_problem(60, 7, classes);
    for (const ModelOptions& options : std::vector<ModelOptions>{
             Logistic{}, Logistic{.l1 = 3}, Svm{}, LeastSquares{}, HoKashyap{.max_iter = 50},
             Perceptron{.epochs = 5}, Lda{}, Fisher{}, Qda{}})
      for (const bool standardize : {false, true})
        expect_same(fit(options, sample.x, sample.y, {.standardize = standardize}), sample.x);
  }
}

TEST(RowScorer, HasTheSameBitsForManyClassesAndFeatures) {
  const Sample sample = gaussian_problem(700, 33, 70);
  expect_same(fit(Lda{}, sample.x, sample.y), sample.x);
}

TEST(RowScorer, FollowsThePositiveClassAndTheDecisionRule) {
  const Sample sample = gaussian_problem(80, 3);
  for (const ModelOptions& options : std::vector<ModelOptions>{Logistic{}, Qda{}}) {
    expect_same(fit(options, sample.x, sample.y, {.positive = "0"}), sample.x);
    expect_same(fit(options, sample.x, sample.y, {.decision = {.threshold = 0.9}}), sample.x);
    expect_same(fit(options, sample.x, sample.y, {.positive = "0", .decision = {.reject = 0.2}}), sample.x);
    expect_same(fit(options, sample.x, sample.y, {.decision = {.priors = "0=0.9,1=0.1"}}), sample.x);
  }
}

TEST(RowScorer, FillsInWhatIsMissingAsTheFitDid) {
  Sample sample = gaussian_problem(80, 3);
  sample.x(4, 1) = sample.x(9, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const ModelOptions& options : std::vector<ModelOptions>{Logistic{}, Qda{}})
    expect_same(fit(options, sample.x, sample.y, {.impute = true}), sample.x);
}

TEST(RowScorer, TakesRowsOfFloats) {
  const Sample sample = gaussian_problem(50, 5);
  const Eigen::MatrixXf x = sample.x.cast<float>();
  for (const ModelOptions& options : std::vector<ModelOptions>{Logistic{}, Qda{}}) {
    const FittedModel model = fit(options, x, sample.y);
    const Eigen::MatrixXd scores = model.scores(x);
    RowScorer score(model);
    std::vector<double> out(static_cast<std::size_t>(scores.cols()));
    for (Index i = 0; i < x.rows(); ++i) {
      const Eigen::RowVectorXf row = x.row(i);
      score(std::span<const float>(row.data(), 5), out);
      for (Index k = 0; k < scores.cols(); ++k) ASSERT_EQ(out[static_cast<std::size_t>(k)], scores(i, k));
    }
  }
}

TEST(RowScorer, FindsItsColumnsInLongerRows) {
  const Sample sample = gaussian_problem(50, 2);
  const FittedModel model = fit(Logistic{}, sample.x, sample.y, {.feature_names = {"a", "b"}});
  RowScorer plain(model), bound(model, {"z", "b", "a"});
  EXPECT_EQ(bound.columns(), 3);
  double expected = 0, found = 0;
  plain(std::vector<double>{12, 7}, {&expected, 1});
  bound(std::vector<double>{99, 7, 12}, {&found, 1});
  EXPECT_EQ(found, expected);
  EXPECT_EQ(refusal([&] { RowScorer(model, {"a"}); }),
            "column 'b': the model needs this column, and the rows do not have it");
}

TEST(RowScorer, RefusesRowsThatAreNoRowsOfTheModel) {
  const Sample sample = gaussian_problem(50, 2);
  RowScorer score(fit(Logistic{}, sample.x, sample.y));
  double out = 0;
  EXPECT_EQ(refusal([&] {
              score(std::vector<double>{1}, {&out, 1});
            }),
            "found a row of 1 numbers, expected 2");
  EXPECT_EQ(refusal([&] {
              score(std::vector<double>{1, 2}, {&out, 0});
            }),
            "found an output of 0 numbers, expected 1");
  EXPECT_EQ(refusal([&] {
              score(std::vector<double>{1, std::numeric_limits<double>::quiet_NaN()}, {&out, 1});
            }),
            "number 2 of the row is nan, expected a finite one");
}

TEST(RowScorer, RefusesModelsThatItDoesNotTake) {
  const Sample sample = gaussian_problem(60, 2, 3);
  const auto refused = [](const FittedModel& model) { return refusal([&] { RowScorer score(model); }); };
  EXPECT_EQ(
      refused(fit(Mlp{.layers = "2", .max_iter = 5}, sample.x, sample.y)),
      "a RowScorer is for linear and quadratic models of numeric columns, without a basis, `multiclass` or "
      "`calibrate`; this mlp is neither linear nor quadratic");
  EXPECT_NE(refused(fit(Lda{}, sample.x, sample.y, {.basis = "poly:2"})).find("this lda has a basis"),
            std::string::npos);
  EXPECT_NE(refused(fit(Lda{}, sample.x, sample.y, {.multiclass = {.multiclass = Strategy::one_vs_one}}))
                .find("this lda combines several machines, or is calibrated"),
            std::string::npos);
  Frame frame;
  frame.add_text("t", std::vector<std::string>{"a", "b", "a", "b"})
      .add_text("y", std::vector<std::string>{"n", "n", "p", "p"});
  EXPECT_NE(refused(fit(Logistic{}, frame, "y", {.encode = true})).find("this logistic has columns of text"),
            std::string::npos);
  Eigen::VectorXd y = sample.x.col(0);
  RowScorer regression(fit_regression(LeastSquares{}, sample.x, y));
  double out = 0;
  regression(row_of(sample.x, 3), {&out, 1});
  EXPECT_NEAR(out, y[3], 1e-10);
  EXPECT_EQ(refusal([&] { regression.label(row_of(sample.x, 3)); }),
            "the model is a regression: it has no labels");
}

TEST(RowScorer, CopiesHaveTheirOwnMemory) {
  const Sample sample = gaussian_problem(200, 6, 3);
  const FittedModel model = fit(Qda{}, sample.x, sample.y);
  const std::vector<std::string> labels = model.labels(sample.x);
  const RowScorer first(model);
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t, score = first]() mutable {
      for (int pass = 0; pass < 5; ++pass)
        for (Index i = 0; i < sample.x.rows(); ++i)
          wrong[t] += score.label(row_of(sample.x, i)) != labels[static_cast<std::size_t>(i)] ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace discern::row_scorer_test
