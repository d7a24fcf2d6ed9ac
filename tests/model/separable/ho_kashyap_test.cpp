// The Ho-Kashyap procedure: its verdicts, its agreement with `separable`, and what its steps promise.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "discern/catalogue/class_separability.hpp"
#include "tests/support/fitting.hpp"

namespace discern::ho_kashyap_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::Request;

const std::vector<std::vector<double>> corners{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

Index mistakes(const FitOutcome& outcome) {
  Index wrong = 0;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i)
    wrong += outcome.train.labels[i] == outcome.train_labels[i] ? 0 : 1;
  return wrong;
}

TEST(HoKashyap, SeparatesAnd) {
  const FitOutcome outcome = fit_table(make_table(corners, {"0", "0", "0", "1"}), {.model = "ho-kashyap"});
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_EQ(outcome.model.summary.certificate.kind, "training-mistakes");
  EXPECT_EQ(mistakes(outcome), 0);
  EXPECT_TRUE(outcome.model.summary.warnings.empty());
  const auto& facts = outcome.model.summary.facts;
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(std::get<std::string>(facts[0].value), "separable");
  // The smallest signed distance, of at most the largest margin sqrt(2) / 4.
  const auto& linear = std::get<Linear>(outcome.model.predictor);
  double least = 1e9;
  for (Index i = 0; i < 4; ++i)
    least = std::min(least, (i == 3 ? 1 : -1) * outcome.train.scores(i, 0) / linear.weights.norm());
  EXPECT_NEAR(std::get<double>(facts[1].value), least, 1e-12);
  EXPECT_LE(least, std::sqrt(2.0) / 4 + 1e-12);
}

TEST(HoKashyap, SaysThatXorIsNotSeparable) {
  const FitOutcome outcome = fit_table(make_table(corners, {"0", "1", "1", "0"}), {.model = "ho-kashyap"});
  const Summary& summary = outcome.model.summary;
  EXPECT_TRUE(summary.converged);
  EXPECT_EQ(summary.certificate.kind, "common-point");
  EXPECT_LE(summary.certificate.value, 1e-15);
  ASSERT_EQ(summary.warnings.size(), 1U);
  EXPECT_NE(summary.warnings[0].find("the classes are not linearly separable"), std::string::npos)
      << summary.warnings[0];
}

TEST(HoKashyap, SeparatesXorWithAProduct) {
  Request request{.model = "ho-kashyap"};
  request.basis = "products:2";
  EXPECT_EQ(mistakes(fit_table(make_table(corners, {"0", "1", "1", "0"}), request)), 0);
}

TEST(HoKashyap, SaysWhenItsLimitComesFirst) {
  Request request{.model = "ho-kashyap", .options = {{"max-iter", "3"}}, .target = "class"};
  const FitOutcome outcome = support::fit_file(data_file("breast_cancer_wdbc.csv"), request);
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_EQ(outcome.model.summary.certificate.kind, "positive-residual");
  ASSERT_EQ(outcome.model.summary.warnings.size(), 1U);
  EXPECT_NE(outcome.model.summary.warnings[0].find("no verdict"), std::string::npos);
}

// Where least squares with targets +-1 leaves mistakes on separable rows: one that is far away bends it.
TEST(HoKashyap, SeparatesWhatLeastSquaresDoesNot) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 10; ++i) {
    rows.push_back({0.1 * i});
    labels.emplace_back("a");
    rows.push_back({1.05 + 0.1 * i});
    labels.emplace_back("b");
  }
  rows.push_back({20});
  labels.emplace_back("b");
  const Table table = make_table(rows, labels);
  EXPECT_GT(mistakes(fit_table(table, {.model = "least-squares"})), 0);
  const FitOutcome outcome = fit_table(table, {.model = "ho-kashyap"});
  EXPECT_EQ(mistakes(outcome), 0);
  EXPECT_TRUE(outcome.model.summary.converged);
}

TEST(HoKashyap, OfTheFirstStepIsLeastSquares) {
  const Request least{.model = "least-squares", .target = "type"};
  const Request one{
      .model = "ho-kashyap", .options = {{"max-iter", "1"}, {"learning-rate", "1e-6"}}, .target = "type"};
  const auto a = support::parameters(support::fit_file(data_file("pima_tr.csv"), least).model);
  const auto b = support::parameters(support::fit_file(data_file("pima_tr.csv"), one).model);
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], 1e-5 * std::fabs(a[j]));
}

TEST(HoKashyap, ScalesWithTheMargin) {
  const Request one{.model = "ho-kashyap", .target = "type"};
  const Request ten{.model = "ho-kashyap", .options = {{"margin", "10"}}, .target = "type"};
  const auto a = support::parameters(support::fit_file(data_file("pima_tr.csv"), one).model);
  const auto b = support::parameters(support::fit_file(data_file("pima_tr.csv"), ten).model);
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(10 * a[j], b[j], 1e-9 * std::fabs(b[j]));
}

TEST(HoKashyap, DoesNotDependOnUnits) {
  Random random(4);
  std::vector<std::vector<double>> rows, other;
  std::vector<std::string> labels;
  for (int i = 0; i < 60; ++i) {
    const bool positive = i % 2 == 0;
    rows.push_back({random.normal() + (positive ? 1.5 : 0), random.normal(), random.normal()});
    other.push_back({1e6 * rows.back()[0] + 1e6, 1e-4 * rows.back()[1], rows.back()[2] - 7});
    labels.emplace_back(positive ? "b" : "a");
  }
  const FitOutcome a = fit_table(make_table(rows, labels), {.model = "ho-kashyap"});
  const FitOutcome b = fit_table(make_table(other, labels), {.model = "ho-kashyap"});
  EXPECT_EQ(a.model.summary.iterations, b.model.summary.iterations);
  EXPECT_LT((a.train.scores - b.train.scores).cwiseAbs().maxCoeff(),
            1e-6 * a.train.scores.cwiseAbs().maxCoeff());
}

// Wherever it decides, its verdict is that of the exact method.
TEST(HoKashyap, AgreesWithTheExactVerdict) {
  Index decided = 0, separable = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    const auto d = 1 + seed % 4;
    for (int i = 0; i < 24; ++i) {
      const bool positive = random.below(2) == 1;
      rows.emplace_back();
      for (std::uint64_t j = 0; j < d; ++j)
        rows.back().push_back(random.normal() +
                              (positive && j == 0 ? 0.06 * static_cast<double>(seed) : 0.0));
      labels.emplace_back(positive ? "b" : "a");
    }
    const Table table = make_table(rows, labels);
    FitSettings settings;
    settings.target = "class";
    const Verdict exact = class_separability(table, settings, false).pairs[0].result.verdict;
    const Summary summary = fit_table(table, {.model = "ho-kashyap"}).model.summary;
    if (!summary.converged) continue;
    ++decided;
    separable += exact == Verdict::separable ? 1 : 0;
    EXPECT_EQ(summary.certificate.kind, exact == Verdict::separable ? "training-mistakes" : "common-point")
        << seed;
  }
  EXPECT_GE(decided, 55);
  EXPECT_GE(separable, 10);
  EXPECT_LE(separable, 50);
}

// The sets of linear_separability that scipy's HiGHS judged (see separability_test.cpp), as far as the
// procedure decides them within its limit.
TEST(HoKashyap, DecidesRealDataAsLinearProgrammingDoes) {
  for (const auto& [file, target, separable] :
       {std::tuple{"banknote.csv", "class", false}, {"pima_tr.csv", "type", false}}) {
    Request request{.model = "ho-kashyap", .target = target};
    const Summary summary = support::fit_file(data_file(file), request).model.summary;
    EXPECT_TRUE(summary.converged) << file;
    EXPECT_EQ(summary.certificate.kind, separable ? "training-mistakes" : "common-point") << file;
  }
  const Summary wine = support::fit_file(data_file("wine.csv"), {.model = "ho-kashyap"}).model.summary;
  EXPECT_TRUE(wine.converged);
  EXPECT_EQ(wine.certificate.kind, "training-mistakes");
  const Summary iris = support::fit_file(data_file("iris.csv"), {.model = "ho-kashyap"}).model.summary;
  EXPECT_TRUE(iris.converged);
  ASSERT_EQ(iris.warnings.size(), 2U);
  EXPECT_NE(iris.warnings[0].find("class 'versicolor' and the rest are not"), std::string::npos);
}

}  // namespace
}  // namespace discern::ho_kashyap_test
