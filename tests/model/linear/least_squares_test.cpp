#include "discern/model/linear/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::least_squares_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::Request;

// NIST's Statistical Reference Datasets (StRD), linear least squares. The coefficients (weights in the order
// of the features, then the bias) are the exact solution in rational arithmetic, rounded to double; they
// agree with the certified values to all digits NIST prints. `digits` is what R 4.2's lm(tol = 1e-14)
// reaches: the smallest number of correct digits over the coefficients.
struct Nist {
  const char* name;
  const char* basis;
  bool bias;
  double digits;
  std::vector<double> exact;
};

const std::vector<Nist>& nist() {
  static const std::vector<Nist> sets{
      {"Norris", "", true, 12.28, {1.0021168180204545, -0.26232307377402947}},
      {"Pontius",
       "poly:2",
       true,
       11.98,
       {7.3205916040100247e-07, -3.1608187134502924e-15, 0.00067356578947368423}},
      {"NoInt1", "", false, 14.72, {2.0743801652892562}},
      {"NoInt2", "", false, 15.0, {0.72727272727272729}},
      {"Filip",
       "poly:10",
       true,
       8.42,
       {-2772.179591933424, -2316.3710816089306, -1127.9739409837157, -354.47823370334879,
        -75.124201739375721, -10.875318035534251, -1.0622149858894676, -0.067019115459340833,
        -0.0024678107827547863, -4.0296252508040365e-05, -1467.489614229796}},
      {"Longley",
       "",
       true,
       12.94,
       {15.061872271373295, -0.035819179292591014, -2.0202298038168252, -1.033226867173592,
        -0.051104105653580714, 1829.1514646135518, -3482258.6345958184}},
      {"Wampler1", "poly:5", true, 9.26, {1, 1, 1, 1, 1, 1}},
      {"Wampler2", "poly:5", true, 13.83, {0.1, 0.01, 0.001, 0.0001, 0.00001, 1}},
      {"Wampler3", "poly:5", true, 9.51, {1, 1, 1, 1, 1, 1}},
      {"Wampler4", "poly:5", true, 8.11, {1, 1, 1, 1, 1, 1}},
      {"Wampler5", "poly:5", true, 6.08, {1, 1, 1, 1, 1, 1}},
  };
  return sets;
}

TEST(LeastSquares, ReachesTheDigitsOfRsLmOnTheNistSets) {
  for (const auto& set : nist()) {
    Request request{.model = "least-squares", .task = Task::regression, .target = "y", .basis = set.basis};
    if (!set.bias) request.options.emplace_back("no-bias", "true");
    const FitOutcome outcome = fit_file(data_file("nist/" + std::string(set.name) + ".csv"), request);
    EXPECT_TRUE(outcome.model.summary.converged)
        << set.name << " " << outcome.model.summary.certificate.value;
    auto found = parameters(outcome.model);
    if (!set.bias) {
      EXPECT_EQ(found.back(), 0.0);
      found.pop_back();
    }
    ASSERT_EQ(found.size(), set.exact.size());
    double digits = 15;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double error = std::fabs(found[i] - set.exact[i]) / std::fabs(set.exact[i]);
      digits = std::min(digits, error > 0 ? -std::log10(error) : 15.0);
    }
    EXPECT_GE(digits, set.digits) << set.name;
    ::testing::Test::RecordProperty(set.name, std::to_string(digits));
  }
}

TEST(LeastSquares, TwoClassesGetTheCodesMinusAndPlusOne) {
  // One feature, four points: the line through the codes has slope 0.8 and passes through (1.5, 0).
  const auto table = make_table({{0}, {1}, {2}, {3}}, {"a", "a", "b", "b"});
  const auto found = parameters(fit_table(table, {.model = "least-squares"}).model);
  EXPECT_NEAR(found[0], 0.8, 1e-15);
  EXPECT_NEAR(found[1], -1.2, 1e-15);
}

TEST(LeastSquares, OneOfKScoresSumToOne) {
  const auto outcome = fit_file(data_file("iris.csv"), {.model = "least-squares"});
  for (Index i = 0; i < outcome.train.scores.rows(); ++i)
    EXPECT_NEAR(outcome.train.scores.row(i).sum(), 1.0, 1e-12);
}

TEST(LeastSquares, DuplicatedAndConstantColumnsGiveTheLeastNormAndTheRank) {
  Random random(1);
  std::vector<std::vector<double>> rows, doubled;
  std::vector<std::string> labels;
  for (int i = 0; i < 60; ++i) {
    const double x = random.normal(), z = random.normal();
    rows.push_back({x, z});
    doubled.push_back({x, z, x, 7.25});
    labels.push_back(x + z + 0.5 * random.normal() > 0 ? "b" : "a");
  }
  const auto plain = fit_table(make_table(rows, labels), {.model = "least-squares"});
  const auto outcome = fit_table(make_table(doubled, labels), {.model = "least-squares"});
  EXPECT_EQ(outcome.model.summary.rank, 2);
  EXPECT_EQ(outcome.model.summary.warnings.size(), 1u);
  EXPECT_TRUE(outcome.model.summary.converged);
  const auto w = parameters(plain.model), v = parameters(outcome.model);
  EXPECT_NEAR(v[0], w[0] / 2, 1e-13);
  EXPECT_NEAR(v[1], w[1], 1e-13);
  EXPECT_NEAR(v[2], w[0] / 2, 1e-13);
  EXPECT_EQ(v[3], 0.0);
  EXPECT_NEAR((plain.train.scores - outcome.train.scores).norm(), 0, 1e-12);
}

// Of features that are not standardised the norm is that of the weights as they are: numpy's pinv of the
// centred rows, and what the ridge tends to.
TEST(LeastSquares, LeastNormIsThatOfTheWeightsAPenaltyActsOn) {
  Random random(4);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 40; ++i) {
    const double x = random.normal(), z = random.normal();
    rows.push_back({x, 3 * x, z, x - 100 * z});  // of rank 2
    labels.push_back(x + z + 0.5 * random.normal() > 0 ? "b" : "a");
  }
  const auto fit = [&](bool standardize, const char* l2) {
    return fit_table(make_table(rows, labels),
                     {.model = "least-squares", .options = {{"l2", l2}}, .standardize = standardize});
  };
  for (const bool standardize : {false, true}) {
    const auto outcome = fit(standardize, "0"), ridge = fit(standardize, "1e-7");
    EXPECT_EQ(outcome.model.summary.rank, 2);
    EXPECT_TRUE(outcome.model.summary.converged);
    EXPECT_EQ(ridge.model.summary.rank, 4);
    const auto w = parameters(outcome.model), v = parameters(ridge.model);
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], v[j], 1e-7) << j;
  }
  const auto w = parameters(fit(false, "0").model);
  EXPECT_NEAR(w[1], 3 * w[0], 1e-12);  // the shares of x and 3 x have the least norm
}

// The second feature is the first but for a shift so far that what it adds is its rounding.
TEST(LeastSquares, WhatFeaturesFarFromZeroAddByTheirRoundingIsNotFitted) {
  Random random(5);
  for (const double far : {1e6, 1e9, 1e12}) {
    std::vector<std::vector<double>> rows, shifted;
    std::vector<std::string> labels;
    for (int i = 0; i < 60; ++i) {
      const double x = random.normal(), z = random.normal();
      rows.push_back({x, z});
      shifted.push_back({x, far + x, z});
      labels.push_back(x + z + 0.5 * random.normal() > 0 ? "b" : "a");
    }
    const auto plain = fit_table(make_table(rows, labels), {.model = "least-squares"});
    const auto outcome = fit_table(make_table(shifted, labels), {.model = "least-squares"});
    EXPECT_EQ(outcome.model.summary.rank, 2) << far;
    EXPECT_EQ(outcome.model.summary.warnings.size(), 1u) << far;
    const double rounding = far * std::numeric_limits<double>::epsilon();
    EXPECT_LT((plain.train.scores - outcome.train.scores).cwiseAbs().maxCoeff(), 4 * rounding) << far;
  }
}

TEST(LeastSquares, MoreFeaturesThanRowsFitExactly) {
  Random random(2);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 8; ++i) {
    rows.emplace_back();
    for (int j = 0; j < 30; ++j) rows.back().push_back(random.normal());
    labels.push_back(i % 2 == 0 ? "a" : "b");
  }
  const auto outcome = fit_table(make_table(rows, labels), {.model = "least-squares"});
  EXPECT_EQ(outcome.model.summary.rank, 7);  // eight points, one direction taken by the bias
  for (Index i = 0; i < 8; ++i) EXPECT_NEAR(outcome.train.scores(i, 0), i % 2 == 0 ? -1 : 1, 1e-12);
}

// A penalty that rounding can see makes every weight unique, one that it cannot leaves those of least norm.
TEST(LeastSquares, RidgeOfMoreFeaturesThanRowsIsThatOfNewton) {
  Random random(3);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 9; ++i) {
    rows.emplace_back();
    for (int j = 0; j < 30; ++j) rows.back().push_back(random.normal());
    rows.back().push_back(2.5);
    labels.push_back(i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "c");
  }
  const Table table = make_table(rows, labels);
  const auto weights = [&](const char* solver, const char* l2) {
    const auto outcome =
        fit_table(table, {.model = "least-squares", .options = {{"solver", solver}, {"l2", l2}}});
    EXPECT_TRUE(outcome.model.summary.converged) << solver << l2;
    return std::get<Linear>(outcome.model.predictor).weights;
  };
  EXPECT_LT((weights("closed-form", "0.5") - weights("newton", "0.5")).norm(), 1e-12);
  EXPECT_LT((weights("closed-form", "1e-40") - weights("closed-form", "0")).norm(), 1e-12);
}

// Ridge(alpha = 1) on standardised features: w solves (Z'Z + I) w = Z'y, checked here by the gradient.
TEST(LeastSquares, RidgePenalisesOnTheStandardisedScale) {
  const auto table = support::read_for(data_file("breast_cancer_wdbc.csv"), {.target = "class"});
  const auto outcome = fit_table(table, {.model = "ridge"});
  const auto& linear = std::get<Linear>(outcome.model.predictor);
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  for (Index j = 0; j < x.cols; ++j) {
    double mean = 0, square = 0, gradient = 0;
    for (Index i = 0; i < x.rows; ++i) mean += x.values[i * x.cols + j] / static_cast<double>(x.rows);
    for (Index i = 0; i < x.rows; ++i) square += std::pow(x.values[i * x.cols + j] - mean, 2);
    const double deviation = std::sqrt(square / static_cast<double>(x.rows));
    for (Index i = 0; i < x.rows; ++i) {
      const double y = table.side[0].values[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
      gradient += (outcome.train.scores(i, 0) - y) * (x.values[i * x.cols + j] - mean) / deviation;
    }
    EXPECT_NEAR(gradient + linear.weights(0, j) * deviation, 0, 1e-9) << j;
  }
}

}  // namespace
}  // namespace discern::least_squares_test
