// The Bayes classifier of a known density, its error, and its file.
#include "discern/evaluate/bayes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/persist/truth_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::bayes_test {
namespace {

double below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

GenerateOptions shape(const char* name, Index rows = 1000) {
  GenerateOptions options;
  options.shape = name;
  options.rows = rows;
  options.seed = 11;
  return options;
}

Truth one_dimension(double p0, double m0, double s0, double m1, double s1) {
  Truth truth;
  truth.shape = "by hand";
  truth.features = {"x1"};
  truth.classes = {"0", "1"};
  truth.priors = Vector{{p0, 1 - p0}};
  truth.mixture = {{{1, Vector{{m0}}, Matrix{{s0 * s0}}}}, {{1, Vector{{m1}}, Matrix{{s1 * s1}}}}};
  return truth;
}

std::string refusal(const std::string& text) {
  try {
    truth_from_text(text, "t.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    return error.what();
  }
  return "no error";
}

TEST(BayesError, OfTwoGaussiansOfOneCovarianceIsPhiOfHalfTheDistance) {
  GenerateOptions options = shape("gaussians");
  options.features = 7;
  options.separation = 2.5;
  const BayesError error = bayes_error(truth_of(options), 0);
  EXPECT_FALSE(error.standard_error);
  EXPECT_NEAR(error.value, below(-1.25), 1e-12);
  options.noise = 0.1;
  EXPECT_NEAR(bayes_error(truth_of(options), 0).value, 0.1 + 0.8 * below(-1.25), 1e-12);
  options.noise = 0.9;  // most labels are wrong, so the other class is the better guess
  EXPECT_NEAR(bayes_error(truth_of(options), 0).value, 0.1 + 0.8 * below(-1.25), 1e-12);
}

// min(p0 f0, p1 f1) added up over a fine grid.
TEST(BayesError, WithPriorsAndOwnVariancesEqualsTheIntegral) {
  for (const double s1 : {1.0, 2.5}) {
    const Truth truth = one_dimension(0.7, -0.5, 1, 1.25, s1);
    double integral = 0;
    constexpr double step = 1e-4;
    for (double x = -15; x < 20; x += step) {
      const double f0 = std::exp(-0.5 * (x + 0.5) * (x + 0.5)) / std::sqrt(2 * M_PI);
      const double z = (x - 1.25) / s1;
      const double f1 = std::exp(-0.5 * z * z) / (s1 * std::sqrt(2 * M_PI));
      integral += step * std::min(0.7 * f0, 0.3 * f1);
    }
    const BayesError error = bayes_error(truth, 5);
    EXPECT_EQ(error.standard_error.has_value(), s1 != 1);
    EXPECT_NEAR(error.value, integral, error.standard_error ? 4 * *error.standard_error : 1e-7);
    EXPECT_LT(error.standard_error.value_or(0), 1e-3);
  }
}

// 2 q (1 - q) with q = Phi(-1/n), as data/generate.hpp says.
TEST(BayesError, OfXorIsWithinItsStandardErrors) {
  GenerateOptions options = shape("xor");
  options.noise = 0.6;
  const BayesError error = bayes_error(truth_of(options), 1);
  const double q = below(-1 / 0.6);
  ASSERT_TRUE(error.standard_error);
  EXPECT_NEAR(error.value, 2 * q * (1 - q), 4 * *error.standard_error);
  EXPECT_GT(error.draws, 100000);
}

TEST(BayesError, OfAPlaneIsTheLabelNoise) {
  GenerateOptions options = shape("linear");
  EXPECT_EQ(bayes_error(truth_of(options), 0).value, 0);
  options.noise = 0.15;
  EXPECT_DOUBLE_EQ(bayes_error(truth_of(options), 0).value, 0.15);
}

TEST(BayesError, IsTheSameOnOneAndTwoThreads) {
  const Truth truth = truth_of(shape("outliers"));
  std::vector<double> values;
  for (const int threads : {1, 2})
    with_threads(threads, [&] { values.push_back(bayes_error(truth, 3).value); });
  EXPECT_EQ(values[0], values[1]);
}

TEST(Bayes, PosteriorsAreThoseOfTheFormula) {
  const BayesClassifier bayes(one_dimension(0.7, -0.5, 1, 1.25, 2));
  const double x = 0.8;
  const double f0 = 0.7 * std::exp(-0.5 * 1.3 * 1.3), f1 = 0.3 * std::exp(-0.5 * 0.225 * 0.225) / 2;
  double proba[2];
  bayes.posterior(&x, proba);
  EXPECT_NEAR(proba[1], f1 / (f0 + f1), 1e-14);
  EXPECT_NEAR(proba[0] + proba[1], 1, 1e-15);
}

// The classifier of a density decides as well on rows that were drawn from it as its error promises.
TEST(Bayes, DecidesOnGeneratedRowsWithTheErrorOfTheDensity) {
  for (const char* name : {"gaussians", "xor", "outliers", "linear"}) {
    GenerateOptions options = shape(name, 20000);
    if (options.shape == "linear") options.noise = 0.2;
    if (options.shape == "gaussians") {
      options.classes = 4;
      options.features = 3;
      options.own_covariance = true;
      options.noise = 0.1;
    }
    const Truth truth = truth_of(options);
    const Table table = generate(options);
    const auto& x = std::get<DenseMatrix<double>>(table.x);
    const Matrix rows = Eigen::Map<const Matrix>(x.values.data(), x.rows, x.cols);
    std::vector<std::int32_t> labels;
    for (const double value : table.side[0].values) labels.push_back(static_cast<std::int32_t>(value));
    const std::vector<std::int32_t> zero(labels.size(), 0);
    const BayesClassifier bayes(truth);
    const BesideBayes beside = beside_bayes(bayes, {}, 1, rows, labels, zero, {});
    const BayesError known = bayes_error(truth, 2);
    const double spread = std::sqrt(known.value * (1 - known.value) / 20000);
    EXPECT_NEAR(beside.bayes_error, known.value, 4 * spread + 4 * known.standard_error.value_or(0)) << name;
    EXPECT_NEAR(beside.bayes_risk, known.value, 4 * spread + 4 * known.standard_error.value_or(0)) << name;
    EXPECT_GT(beside.excess, 0.2) << name;  // of always deciding for class 0
    EXPECT_NEAR(beside.risk - beside.bayes_risk, beside.excess, 1e-12) << name;
    EXPECT_LT(beside.excess_error, 0.01) << name;
  }
}

TEST(Bayes, WithCostsTheRiskIsTheExpectedCost) {
  const Truth truth = one_dimension(0.5, 0, 1, 2, 1);
  const BayesClassifier bayes(truth);
  Decision decision;
  decision.cost = Matrix{{0.0, 1.0}, {10.0, 0.0}};
  const Matrix x{{0.5}, {1.0}, {3.0}};
  const BesideBayes beside = beside_bayes(bayes, decision, 1, x, {0, 1, 1}, {0, 0, 1}, {});
  double risk = 0, least = 0;
  for (Index i = 0; i < 3; ++i) {
    double p[2];
    bayes.posterior(x.row(i).data(), p);
    risk += i < 2 ? 10 * p[1] : p[0];
    least += std::min(10 * p[1], p[0]);
  }
  EXPECT_NEAR(beside.risk, risk / 3, 1e-14);
  EXPECT_NEAR(beside.bayes_risk, least / 3, 1e-14);
  EXPECT_DOUBLE_EQ(beside.error, 1.0 / 3);
}

TEST(Truth, ComesBackFromItsFile) {
  for (const char* name : {"gaussians", "xor", "outliers", "linear"}) {
    const Truth truth = truth_of(shape(name));
    const std::string text = truth_to_text(truth);
    EXPECT_EQ(truth_to_text(truth_from_text(text, "t.json")), text) << name;
  }
}

TEST(Truth, OfOtherShapesIsRefused) {
  for (const char* name : {"moons", "rings", "spiral", "sparse"}) {
    try {
      truth_of(shape(name));
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_NE(error.message().find("expected one of gaussians, xor, outliers, linear"), std::string::npos);
    }
  }
  GenerateOptions points = shape("xor");
  points.noise = 0;
  EXPECT_THROW(truth_of(points), Error);
}

TEST(Truth, TakesTheClassesInAnotherOrder) {
  const Truth truth = truth_of(shape("linear")), swapped = with_classes(truth, {"1", "0"});
  const double x[2] = {3, -1};
  double a[2], b[2];
  BayesClassifier(truth).posterior(x, a);
  BayesClassifier(swapped).posterior(x, b);
  EXPECT_EQ(a[0], b[1]);
  EXPECT_THROW(with_classes(truth, {"0", "2"}), Error);
  EXPECT_THROW(with_classes(truth, {"0", "1", "2"}), Error);
}

TEST(Truth, ABadFileIsRefusedByItsMember) {
  const std::string good =
      R"({"format":"discern-truth","version":1,"shape":"s","features":["a"],"classes":["0","1"],"priors":[0.5,0.5],)"
      R"("label_noise":0,"mixture":[[{"share":1,"mean":[0],"covariance":[[1]]}],[{"share":1,"mean":[1],"covariance":[[1]]}]]})";
  EXPECT_EQ(refusal(good), "no error");
  const auto with = [&](const std::string& old, const std::string& now) {
    std::string text = good;
    return refusal(text.replace(text.find(old), old.size(), now));
  };
  const std::string place = "t.json: the truth about data: ";
  EXPECT_EQ(refusal("{").rfind(place + "not valid JSON", 0), 0U);
  EXPECT_EQ(refusal("[]"), place + "expected an object with \"format\": \"discern-truth\"");
  EXPECT_EQ(with("\"version\":1", "\"version\":2"),
            place + "it has version 2, this program reads versions up to 1");
  EXPECT_EQ(with("[0.5,0.5]", "[0.5,0.6]"), place + "priors: expected numbers above 0 that add up to 1");
  EXPECT_EQ(with("[0.5,0.5]", "[1]"), place + "priors: expected a list of 2 numbers, found a list of 1");
  EXPECT_EQ(with("\"mean\":[1]", "\"mean\":[\"x\"]"),
            place + "mixture[1][0].mean[0]: expected a finite number, found \"x\"");
  EXPECT_EQ(with("\"label_noise\":0", "\"label_noise\":1"),
            place + "label_noise: expected a number from 0 to below 1");
  EXPECT_EQ(with("\"mixture\"", "\"mixtures\""), place + "the member 'mixture' is missing");
  EXPECT_EQ(with("\"shape\"", "\"version\""), place + "it has the member 'version' twice");
  EXPECT_EQ(refusal(std::string(1000000, '[')), place + "it is nested deeper than 12 levels");
  EXPECT_THROW(
      BayesClassifier(truth_from_text(std::string(good).replace(good.find("[[1]]"), 5, "[[-1]]"), "t.json")),
      Error);
}

}  // namespace
}  // namespace discern::bayes_test
