#include "discern/model/perceptron/kernel_perceptron.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/kernel/kernel.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/persist/sample_models.hpp"
#include "tests/support/fitting.hpp"

namespace discern::kernel_perceptron_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_table;
using support::make_table;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

Request dual(const std::string& kernel, const Options& more = {}, bool standardize = false) {
  Request request{.model = "kernel-perceptron", .options = {{"kernel", kernel}}, .standardize = standardize};
  request.options.insert(request.options.end(), more.begin(), more.end());
  return request;
}

Request primal(const Options& options, bool standardize = false) {
  return {.model = "perceptron", .options = options, .standardize = standardize};
}

Table truth_table(const std::vector<std::string>& answers) {
  return make_table({{0, 0}, {0, 1}, {1, 0}, {1, 1}}, answers);
}

double number(const Summary& summary, std::string_view name) {
  for (const Fact& fact : summary.facts)
    if (fact.name == name) return std::get<double>(fact.value);
  ADD_FAILURE() << "no fact " << name;
  return std::nan("");
}

const KernelSum& sum_of(const FitOutcome& outcome) { return std::get<KernelSum>(outcome.model.predictor); }

double difference(const Matrix& a, const Matrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, a.cwiseAbs().maxCoeff());
}

TEST(Kernel, IsTheInnerProductThatItsNameSays) {
  const double u[] = {1, -2}, v[] = {0.5, 3};  // u.v = -5.5, |u|^2 = 5, |v|^2 = 9.25, |u - v|^2 = 25.25
  const DenseRow<double> row{u, 2};
  const double product = dot(row, v);
  EXPECT_EQ(parse_kernel("linear")(product, 5, 9.25), -5.5);
  EXPECT_EQ(parse_kernel("poly:1")(product, 5, 9.25), -4.5);
  EXPECT_EQ(parse_kernel("poly:3")(product, 5, 9.25), -91.125);
  EXPECT_DOUBLE_EQ(parse_kernel("gauss:2")(product, 5, 9.25), std::exp(-25.25 / 8));
  EXPECT_EQ(parse_kernel("gauss:0.5")(3, 3, 3), 1);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parse_kernel("gauss:1")(infinity, infinity, 1), 0);
}

TEST(Kernel, RefusesOtherNamesAndParameters) {
  for (const char* text : {"", "rbf", "poly", "poly:", "poly:0", "poly:2.5", "poly:101", "gauss", "gauss:0",
                           "gauss:-1", "gauss:nan", "gauss:1x", "linear:2", "poly:-3"}) {
    try {
      parse_kernel(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_NE(error.message().find("got '" + std::string(text) + "'"), std::string::npos)
          << error.message();
    }
  }
}

// The scores of the sample, worked out by hand with fractions.
TEST(KernelSum, AddsTheKernelsOfItsRows) {
  const Model model = kernel_sum_model();
  const Table table = make_table({{0, 0}, {1, -0.5}}, {"in", "out"});
  // u = (-1/2, 2): products 49/4, 35/4, -19/4; u = 0: products 0.
  const Matrix expected{{-8.03125}, {1 - 2 + 0.5 - 0.5}};
  EXPECT_TRUE(predict(model, table).scores == expected);
  EXPECT_TRUE(predict(model, as_sparse(table)).scores == expected);
}

// What a fit gives that is stopped before its first correction.
TEST(KernelSum, WithoutRowsIsSavedAndGivesItsBias) {
  Model model = kernel_sum_model();
  auto& sum = std::get<KernelSum>(model.predictor);
  sum.support.resize(0, 2);
  sum.coefficients.resize(1, 0);
  const Table table = make_table({{0, 0}, {1, -0.5}}, {"in", "out"});
  EXPECT_TRUE(predict(model_from_bytes(model_to_bytes(model)), table).scores == (Matrix{{-0.5}, {-0.5}}));
}

// Of the nine mistakes of the sequential perceptron on OR five are made on 00, two on 01 and two on 10.
TEST(KernelPerceptron, CountsTheMistakesOnEachSample) {
  const auto outcome = fit_table(truth_table({"0", "1", "1", "1"}), dual("linear"));
  EXPECT_TRUE(sum_of(outcome).coefficients == (Matrix{{-5, 2, 2}}));
  EXPECT_TRUE(sum_of(outcome).support == (Matrix{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(sum_of(outcome).bias[0], -1);
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_EQ(outcome.model.summary.iterations, 6);
  EXPECT_EQ(number(outcome.model.summary, "mistakes"), 9);
  EXPECT_EQ(number(outcome.model.summary, "support"), 3);
}

// Overlapping classes, so that there are mistakes in every pass. (Of rows with few decimals some lie exactly
// on a plane, where rounding decides.)
Table cloud(std::size_t classes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 120; ++i) {
    const std::size_t k = random.below(classes);
    rows.push_back({3 + random.normal(), random.normal(), random.below(3) == 0 ? 0.0 : 5 * random.normal()});
    rows.back()[k % 3] += 2;
    labels.push_back(std::string(1, static_cast<char>('a' + k)));
  }
  return make_table(rows, labels);
}

TEST(KernelPerceptron, WithTheLinearKernelIsThePerceptron) {
  for (const bool standardize : {false, true})
    for (const std::size_t classes : {2U, 3U})
      for (const Options& options : {Options{{"epochs", "10"}},
                                     {{"epochs", "10"}, {"shuffle", "true"}},
                                     {{"epochs", "10"}, {"no-bias", "true"}}}) {
        const Table dense = cloud(classes, 7);
        for (const Table& table : {dense, as_sparse(dense)}) {
          const auto a = fit_table(table, primal(options, standardize));
          const auto b = fit_table(table, dual("linear", options, standardize));
          EXPECT_LT(difference(a.train.scores, b.train.scores), 1e-9) << classes;
          EXPECT_EQ(a.train.labels, b.train.labels) << classes;
          EXPECT_EQ(a.model.summary.iterations, b.model.summary.iterations) << classes;
          EXPECT_GT(number(a.model.summary, "mistakes"), 100) << classes;
          for (const char* fact : {"mistakes", "radius", "margin"})
            EXPECT_NEAR(number(a.model.summary, fact), number(b.model.summary, fact), 1e-9)
                << classes << fact;
        }
      }
}

// (1 + x.z)^2 is the inner product of 1, sqrt 2 x1, sqrt 2 x2, x1^2, sqrt 2 x1 x2, x2^2.
TEST(KernelPerceptron, WithAPolynomialIsThePerceptronOnItsMonomials) {
  Random random(3);
  std::vector<std::vector<double>> rows, monomials;
  std::vector<std::string> labels;
  for (int i = 0; i < 80; ++i) {
    const double x = random.normal(), y = random.normal(), r = std::sqrt(2.0);
    rows.push_back({x, y});
    monomials.push_back({1, r * x, r * y, x * x, r * x * y, y * y});
    labels.emplace_back(x * x + y * y > 1.5 ? "out" : "in");
  }
  const Options options{{"no-bias", "true"}, {"epochs", "1000"}};
  const auto a = fit_table(make_table(monomials, labels), primal(options));
  const auto b = fit_table(make_table(rows, labels), dual("poly:2", options));
  EXPECT_TRUE(b.model.summary.converged);
  EXPECT_EQ(a.model.summary.iterations, b.model.summary.iterations);
  EXPECT_LT(difference(a.train.scores, b.train.scores), 1e-9);
  for (const char* fact : {"mistakes", "radius", "margin"}) {
    const double expected = number(a.model.summary, fact);
    EXPECT_NEAR(number(b.model.summary, fact), expected, 1e-8 * expected) << fact;
  }
  // The bound is with the margin found; the primal knows the best one, too.
  const double ratio = number(b.model.summary, "radius") / number(b.model.summary, "margin");
  EXPECT_NEAR(number(b.model.summary, "mistake_bound"), ratio * ratio, 1e-8 * ratio * ratio);
  EXPECT_LE(number(a.model.summary, "mistake_bound"), number(b.model.summary, "mistake_bound"));
}

TEST(KernelPerceptron, SolvesXor) {
  for (const char* kernel : {"poly:2", "gauss:1"}) {
    const auto outcome = fit_table(truth_table({"0", "1", "1", "0"}), dual(kernel));
    EXPECT_TRUE(outcome.model.summary.converged) << kernel;
    EXPECT_EQ(outcome.train.labels, outcome.train_labels) << kernel;
  }
  EXPECT_FALSE(fit_table(truth_table({"0", "1", "1", "0"}), dual("linear")).model.summary.converged);
}

TEST(KernelPerceptron, StaysWithinTheBoundOfItsMistakes) {
  for (const std::size_t classes : {2U, 3U})
    for (const char* kernel : {"gauss:0.5", "gauss:0.8"}) {
      const Summary summary =
          fit_table(cloud(classes, 11), dual(kernel, {{"epochs", "100000"}}, true)).model.summary;
      ASSERT_TRUE(summary.converged) << kernel << classes;
      EXPECT_LE(number(summary, "mistakes"), number(summary, "mistake_bound")) << kernel << classes;
      EXPECT_GT(number(summary, "margin"), 0) << kernel << classes;
      EXPECT_DOUBLE_EQ(number(summary, "radius"), std::sqrt(2.0));
    }
}

TEST(KernelPerceptron, KeepsToItsBudget) {
  const Request all = dual("gauss:1", {{"epochs", "20"}}, true);
  const auto free = support::fit_file(data_file("iris.csv"), all);
  const Index needed = sum_of(free).support.rows();
  for (const Index budget : {Index{1}, Index{5}, needed - 1}) {
    Request bounded = all;
    bounded.options.emplace_back("budget", std::to_string(budget));
    const auto outcome = support::fit_file(data_file("iris.csv"), bounded);
    EXPECT_LE(sum_of(outcome).support.rows(), budget);
    EXPECT_GE(sum_of(outcome).support.rows(), 1);
  }
  Request enough = all;
  enough.options.emplace_back("budget", "150");
  EXPECT_TRUE(support::fit_file(data_file("iris.csv"), enough).train.scores == free.train.scores);
}

// What is left when samples are forgotten is still the sum that the scores were kept for.
TEST(KernelPerceptron, ForgettingLeavesAConsistentSum) {
  const Request bounded = dual("gauss:1", {{"epochs", "3"}, {"budget", "12"}}, true);
  const auto outcome = support::fit_file(data_file("iris.csv"), bounded);
  EXPECT_NEAR(sum_of(outcome).bias.sum(), 0,
              1e-12);  // every correction of three classes adds one and takes one
  EXPECT_NEAR((sum_of(outcome).coefficients.rowwise().sum() - sum_of(outcome).bias).norm(), 0, 1e-12);
  Index right = 0;
  for (std::size_t i = 0; i < 150; ++i) right += outcome.train.labels[i] == outcome.train_labels[i] ? 1 : 0;
  EXPECT_GT(right, 100);
}

TEST(KernelPerceptron, SaysWhenTheClassesWereNotSeparated) {
  const Summary summary =
      fit_table(truth_table({"0", "1", "1", "0"}), dual("linear", {{"epochs", "30"}})).model.summary;
  ASSERT_EQ(summary.warnings.size(), 1U);
  EXPECT_EQ(summary.warnings[0].find("not separated after 30 epochs: "), 0U) << summary.warnings[0];
}

TEST(KernelPerceptron, RefusesKernelsThatOverflow) {
  const Table table = make_table({{1e60, 0}, {-1e60, 1}, {0, 1e60}, {1, 1}}, {"a", "b", "a", "b"});
  EXPECT_THROW(fit_table(table, dual("poly:9")), Error);
}

}  // namespace
}  // namespace discern::kernel_perceptron_test
