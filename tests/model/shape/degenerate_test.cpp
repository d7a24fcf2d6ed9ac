// Data that leave a covariance, a system or a density undetermined: columns that are constant, repeated or
// sums of others, classes with fewer rows than features, values that a class never has.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "discern/base/error.hpp"
#include "tests/support/fitting.hpp"

namespace discern::degenerate_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::Request;

// Iris with three more columns: a constant one, one twice, the sum of two.
Table dependent_iris() {
  const Table iris = support::read_for(data_file("iris.csv"), {});
  const auto& x = std::get<DenseMatrix<double>>(iris.x);
  Table wider = iris;
  DenseMatrix<double> more{Buffer<double>(x.rows * 7), x.rows, 7};
  for (Index i = 0; i < x.rows; ++i) {
    const double* row = x.values.data() + 4 * i;
    for (Index j = 0; j < 4; ++j) more.values[i * 7 + j] = row[j];
    more.values[i * 7 + 4] = 0;
    more.values[i * 7 + 5] = row[2];
    more.values[i * 7 + 6] = row[0] + row[1];
  }
  wider.x = more;
  wider.schema = Schema::numbered(7);
  wider.noticed.clear();
  return wider;
}

bool all_finite(const FitOutcome& outcome) {
  return outcome.train.scores.allFinite() &&
         (outcome.train.proba.size() == 0 || outcome.train.proba.allFinite());
}

std::string refusal(const Table& table, const Request& request) {
  try {
    fit_table(table, request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    return error.what();
  }
  return "no error";
}

TEST(Degenerate, DependentColumnsLowerTheRankOfLinearFitsAndChangeNoPrediction) {
  const Table plain = support::read_for(data_file("iris.csv"), {}), wider = dependent_iris();
  for (const char* model : {"lda", "fisher", "least-squares"}) {
    const FitOutcome outcome = fit_table(wider, {.model = model});
    EXPECT_EQ(outcome.model.summary.rank, 4) << model;
    ASSERT_FALSE(outcome.model.summary.warnings.empty()) << model;
    EXPECT_NE(outcome.model.summary.warnings[0].find("rank 4 of 7"), std::string::npos)
        << outcome.model.summary.warnings[0];
    EXPECT_TRUE(all_finite(outcome)) << model;
    EXPECT_LT((outcome.train.scores - fit_table(plain, {.model = model}).train.scores).cwiseAbs().maxCoeff(),
              1e-8)
        << model;
  }
}

// The duplicate shares its weight evenly: that has the least norm. Standardised, both have the same scale.
TEST(Degenerate, LeastSquaresGivesRepeatedColumnsEqualWeights) {
  const FitOutcome outcome = fit_table(dependent_iris(), {.model = "least-squares"});
  const auto& weights = std::get<Linear>(outcome.model.predictor).weights;
  for (Index k = 0; k < weights.rows(); ++k) {
    EXPECT_NEAR(weights(k, 2), weights(k, 5), 1e-10);
    EXPECT_EQ(weights(k, 4), 0);
  }
}

// Without a penalty nothing but the norm says how columns that depend on each other share their weight.
// Rounded to the nearest double, a combination is one up to that rounding only.
Table dependent_pima() {
  const Table pima = support::read_for(data_file("pima_diabetes.csv"), {.target = "diabetes"});
  const auto& x = std::get<DenseMatrix<double>>(pima.x);
  Table wider = pima;
  DenseMatrix<double> more{Buffer<double>(x.rows * 10), x.rows, 10};
  for (Index i = 0; i < x.rows; ++i) {
    const double* row = x.values.data() + 8 * i;
    std::copy(row, row + 8, more.values.data() + 10 * i);
    more.values[i * 10 + 8] = row[1] - 3 * row[6];
    more.values[i * 10 + 9] = 1e5 + 0.1 * row[5];
  }
  wider.x = more;
  wider.schema = Schema::numbered(10);
  wider.noticed.clear();
  return wider;
}

using Options = std::vector<std::pair<std::string, std::string>>;

TEST(Degenerate, EverySolverFindsTheRankAndTheWeightsOfLeastNorm) {
  const Table plain = support::read_for(data_file("pima_diabetes.csv"), {.target = "diabetes"});
  const Table wider = dependent_pima();
  for (const char* model : {"logistic", "least-squares", "svm"}) {
    Options loss;
    if (std::string_view(model) == "svm") loss = {{"loss", "squared-hinge"}};
    // What a vanishing penalty leads to.
    Options weak = loss;
    weak.insert(weak.end(), {{"l2", "1e-5"}, {"tol", "1e-13"}});
    const std::vector<double> limit =
        support::parameters(fit_table(wider, {.model = model, .options = weak, .target = "diabetes"}).model);
    for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "cd"}) {
      Options options = loss;
      options.insert(options.end(), {{"l2", "0"}, {"solver", solver}});
      const FitOutcome outcome = fit_table(wider, {.model = model, .options = options, .target = "diabetes"});
      const Summary& summary = outcome.model.summary;
      EXPECT_TRUE(summary.converged) << model << ' ' << solver;
      EXPECT_EQ(summary.rank, 8) << model << ' ' << solver;
      ASSERT_FALSE(summary.warnings.empty()) << model << ' ' << solver;
      EXPECT_NE(summary.warnings[0].find("those of least norm are given"), std::string::npos)
          << summary.warnings[0];
      const FitOutcome without = fit_table(plain, {.model = model, .options = options, .target = "diabetes"});
      EXPECT_NEAR(*summary.objective / *without.model.summary.objective, 1, 1e-9) << model << ' ' << solver;
      const std::vector<double> found = support::parameters(outcome.model);
      for (std::size_t j = 0; j + 1 < found.size(); ++j)
        EXPECT_NEAR(found[j], limit[j], 1e-4 * (std::fabs(limit[j]) + 1e-3))
            << model << ' ' << solver << ' ' << j;
    }
  }
}

TEST(Degenerate, QdaNamesTheClassAndTheRankOfASingularCovariance) {
  EXPECT_EQ(
      refusal(dependent_iris(), {.model = "qda"}),
      "class 'setosa' has a singular covariance (rank 4 of 7): its features are constant or depend on each "
      "other; `pooling` or `shrinkage` above 0 regularise it");
  const FitOutcome regular = fit_table(dependent_iris(), {.model = "qda", .options = {{"shrinkage", "0.1"}}});
  EXPECT_TRUE(all_finite(regular));
  EXPECT_TRUE(regular.model.summary.converged);
}

TEST(Degenerate, QdaNamesTheClassAndTheRankOfTooFewRows) {
  const Table table =
      make_table({{1, 2, 0}, {2, 1, 1}, {3, 5, 0}, {4, 4, 2}, {5, 0, 3}, {9, 1, 1}, {8, 3, 1}},
                 {"a", "a", "a", "a", "a", "few", "few"});
  EXPECT_EQ(refusal(table, {.model = "qda"}),
            "class 'few' is too small for a covariance of its own: 2 rows for 3 features (rank 1 of 3); "
            "`pooling` or "
            "`shrinkage` above 0 regularise it");
  EXPECT_TRUE(
      all_finite(fit_table(table, {.model = "qda", .options = {{"pooling", "0.5"}, {"shrinkage", "0.01"}}})));
}

TEST(Degenerate, NaiveBayesStatesItsSmoothingOfAVarianceOfZero) {
  const Table table = make_table({{1.5, 7}, {1.5, 7}, {2, 7}, {3, 7}, {4, 7}}, {"a", "a", "b", "b", "b"});
  const FitOutcome outcome = fit_table(table, {.model = "naive-bayes"});
  EXPECT_TRUE(all_finite(outcome));
  ASSERT_EQ(outcome.model.summary.warnings.size(), 1U);
  EXPECT_NE(outcome.model.summary.warnings[0].find("`variance_smoothing`"), std::string::npos);
  EXPECT_NE(outcome.model.summary.warnings[0].find("'x1'"), std::string::npos);
  EXPECT_EQ(refusal(table, {.model = "naive-bayes", .options = {{"variance-smoothing", "0"}}}),
            "column 'x1': class 'a' has no variance here, which leaves no Gaussian density; "
            "`variance_smoothing` must "
            "be above 0");
}

TEST(Degenerate, NaiveBayesSmoothsCountsOfZero) {
  const Table table = make_table({{1, 0, 3}, {2, 0, 1}, {0, 1, 2}, {0, 3, 1}}, {"a", "a", "b", "b"});
  for (const char* density : {"multinomial", "complement"}) {
    const FitOutcome smooth = fit_table(table, {.model = "naive-bayes", .options = {{"density", density}}});
    EXPECT_TRUE(all_finite(smooth)) << density;
    const std::string said =
        refusal(table, {.model = "naive-bayes", .options = {{"density", density}, {"smoothing", "0"}}});
    EXPECT_NE(said.find("`smoothing` must be above 0"), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace discern::degenerate_test
