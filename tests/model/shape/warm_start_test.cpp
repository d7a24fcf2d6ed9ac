// Fits that start at the weights of another: what they end at is the fit of the new rows, with its
// certificate, and where they start at the end they are there at once.
#include <gtest/gtest.h>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/generate.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::warm_start_test {
namespace {

using support::fit_table;
using support::make_table;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

Table generated(std::uint64_t seed, Index classes, Index rows = 400) {
  GenerateOptions options;
  options.shape = "gaussians";
  options.rows = rows;
  options.features = 4;
  options.classes = classes;
  options.seed = seed;
  return generate(options);
}

// Through a file, as users do.
Model reloaded(const Model& model) { return model_from_bytes(model_to_bytes(model)); }
Model go_on(const Model& before, const Table& table) { return fit_model(table, settings_of(before)).model; }

std::string start_of(const Model& model) {
  for (const Fact& fact : model.summary.facts)
    if (fact.name == "start") return std::get<std::string>(fact.value);
  return "";
}

struct Case {
  std::string name, model;
  Options options = {};
  Index classes = 2;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class WarmStarted : public ::testing::TestWithParam<Case> {
 protected:
  Request request() const { return {.model = GetParam().model, .options = GetParam().options}; }
  Table table(std::uint64_t seed) const { return generated(seed, GetParam().classes); }
};

TEST_P(WarmStarted, OnOtherRowsIsTheFitOfThose) {
  const Model before = reloaded(fit_table(table(1), request()).model);
  const Table other = table(2);
  const Model model = go_on(before, other), fresh = fit_table(other, request()).model;
  EXPECT_TRUE(model.summary.converged);
  EXPECT_LE(model.summary.certificate.value, model.summary.tolerance);
  EXPECT_EQ(model.samples, other.rows());
  EXPECT_EQ(start_of(model), "the weights of a model of 400 rows; this is the fit of the new rows alone");
  EXPECT_NEAR(*model.summary.objective, *fresh.summary.objective, 1e-7 * *fresh.summary.objective);
  ASSERT_EQ(model.priors.size(), fresh.priors.size());
  for (Index k = 0; k < model.priors.size(); ++k) EXPECT_EQ(model.priors[k], fresh.priors[k]);
}

TEST_P(WarmStarted, OnTheSameRowsIsAtTheEndAtOnce) {
  const Model before = reloaded(fit_table(table(1), request()).model);
  const Model model = go_on(before, table(1));
  EXPECT_TRUE(model.summary.converged);
  EXPECT_LE(model.summary.iterations, 1 + (before.summary.iterations + 2) / 3);
  EXPECT_NEAR(*model.summary.objective, *before.summary.objective, 1e-8 * *before.summary.objective);
}

TEST_P(WarmStarted, GivesTheSameBitsOnOneAndTwoThreads) {
  const Model before = fit_table(table(1), request()).model;
  std::vector<std::string> bytes;
  for (const int threads : {1, 2})
    with_threads(threads, [&] { bytes.push_back(model_to_bytes(go_on(before, table(2)))); });
  EXPECT_EQ(bytes[0], bytes[1]);
}

INSTANTIATE_TEST_SUITE_P(
    Models, WarmStarted,
    ::testing::Values(Case{"newton", "logistic", {{"solver", "newton"}}},
                      Case{"newton_cg", "logistic", {{"solver", "newton-cg"}}},
                      Case{"lbfgs", "logistic", {{"solver", "lbfgs"}}},
                      Case{"cg", "logistic", {{"solver", "cg"}}},
                      Case{"gd", "logistic", {{"solver", "gd"}, {"l2", "10"}, {"max-iter", "100000"}}},
                      Case{"lasso_logistic", "logistic", {{"l1", "3"}, {"l2", "0"}}},
                      Case{"no_bias", "logistic", {{"no-bias", "true"}}},
                      Case{"softmax", "logistic", {{"solver", "newton"}}, 3},
                      Case{"softmax_lbfgs", "logistic", {{"solver", "lbfgs"}}, 3},
                      Case{"squared_hinge", "svm", {{"loss", "squared-hinge"}}, 3},
                      Case{"squared_hinge_dual", "svm", {{"loss", "squared-hinge"}, {"solver", "dual-cd"}}},
                      Case{"lasso", "lasso", {{"l1", "5"}}}),
    [](const auto& one) { return one.param.name; });

// The targets begin at what the plane says, so a plane that separates is found again at once.
TEST(WarmStart, OfHoKashyapEndsWhereThePlaneSeparates) {
  // The last row bends least squares, from which the procedure begins.
  const Table table = make_table({{0}, {1}, {1.5}, {10}}, {"a", "a", "b", "b"});
  const Model before =
      reloaded(fit_table(table, {.model = "ho-kashyap", .options = {{"learning-rate", "0.3"}}}).model);
  ASSERT_GT(before.summary.iterations, 1);
  const Model model = go_on(before, table);
  EXPECT_EQ(model.summary.iterations, 1);
  EXPECT_EQ(model.summary.certificate.value, 0);
  // The verdict is about the new rows.
  const Model mixed = go_on(before, make_table({{0}, {1}, {0}, {1}}, {"a", "a", "b", "b"}));
  EXPECT_EQ(std::get<std::string>(mixed.summary.facts[0].value), "not separable");
}

// The counts go on: one pass over all rows is a pass over the first and then over the others.
TEST(WarmStart, OfAKernelPerceptronAddsToTheSum) {
  const Table all = generated(3, 3, 200);
  const auto part = [&](Index first, Index last) {
    const auto& x = std::get<DenseMatrix<double>>(all.x);
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    for (Index i = first; i < last; ++i) {
      rows.emplace_back(x.values.data() + i * x.cols, x.values.data() + (i + 1) * x.cols);
      labels.push_back(
          all.side[0].levels[static_cast<std::size_t>(all.side[0].values[static_cast<std::size_t>(i)])]);
    }
    return make_table(rows, labels);
  };
  for (const char* kernel : {"gauss:2", "poly:2", "linear"}) {
    Request request{.model = "kernel-perceptron", .options = {{"kernel", kernel}, {"epochs", "1"}}};
    request.standardize = false;
    const Model whole = fit_table(part(0, 200), request).model;
    const Model before = reloaded(fit_table(part(0, 120), request).model);
    const Model model = go_on(before, part(120, 200));
    const auto &a = std::get<KernelSum>(model.predictor), &b = std::get<KernelSum>(whole.predictor);
    EXPECT_EQ(a.support, b.support) << kernel;
    EXPECT_EQ(a.coefficients, b.coefficients) << kernel;
    EXPECT_EQ(a.bias, b.bias) << kernel;
    EXPECT_EQ(model.samples, 200);
  }
  Request budget{.model = "kernel-perceptron", .options = {{"budget", "5"}}};
  try {
    go_on(fit_table(all, budget).model, all);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    EXPECT_NE(error.message().find("a sum with a `budget` cannot go on"), std::string::npos);
  }
}

// In its own coordinates, which are not those of the new rows.
TEST(WarmStart, OfAStandardisedKernelPerceptronKeepsItsScale) {
  const Request request{.model = "kernel-perceptron"};
  const Model before = fit_table(generated(3, 2), request).model;
  const Model model = go_on(before, generated(4, 2));
  const auto &a = std::get<KernelSum>(before.predictor), &b = std::get<KernelSum>(model.predictor);
  EXPECT_EQ(a.scale, b.scale);
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.support, b.support.topRows(a.support.rows()));
  EXPECT_GT(b.support.rows(), a.support.rows());
}

class WarmNetwork : public ::testing::TestWithParam<Case> {};

TEST_P(WarmNetwork, StartsWhereTheOtherStopped) {
  Request request{.model = "mlp", .options = GetParam().options};
  request.options.insert(request.options.end(), {{"layers", "6"}, {"l2", "1"}});
  const Table table = generated(5, GetParam().classes);
  const Model before = reloaded(fit_table(table, request).model);
  const Model model = go_on(before, table);
  EXPECT_LE(*model.summary.objective, *before.summary.objective * (1 + 1e-9));
  EXPECT_EQ(start_of(model), "the weights of a model of 400 rows; this is the fit of the new rows alone");
  const auto &a = std::get<Network>(before.predictor), &b = std::get<Network>(model.predictor);
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.scale, b.scale);
}

INSTANTIATE_TEST_SUITE_P(Solvers, WarmNetwork,
                         ::testing::Values(Case{"lbfgs", "", {{"solver", "lbfgs"}}},
                                           Case{"few", "", {{"solver", "lbfgs"}, {"max-iter", "5"}}, 3},
                                           Case{"cg", "", {{"solver", "cg"}, {"restarts", "2"}}},
                                           Case{"gd", "", {{"solver", "gd"}}, 3},
                                           Case{"sgd", "", {{"solver", "sgd"}, {"schedule", "constant"}}}),
                         [](const auto& one) { return one.param.name; });

// The certificate means the same as in a fit from chance: at a stationary point a start is there at once.
TEST(WarmStart, OfAConvergedNetworkNeedsNoIteration) {
  Request request{.model = "mlp", .options = {{"layers", "3"}, {"solver", "lbfgs"}, {"l2", "10"}}};
  const Table table = generated(5, 2);
  const Model before = reloaded(fit_table(table, request).model);
  ASSERT_TRUE(before.summary.converged);
  const Model model = go_on(before, table);
  EXPECT_TRUE(model.summary.converged);
  EXPECT_LE(model.summary.iterations, 1);
}

// The penalty alone decides about a weight that the new rows say nothing about.
TEST(WarmStart, OfALassoForgetsColumnsThatAreConstantNow) {
  const Request request{.model = "lasso", .options = {{"l1", "0.5"}}};
  const Model before = fit_table(generated(1, 2), request).model;
  Table table = generated(2, 2);
  auto& x = std::get<DenseMatrix<double>>(table.x);
  for (Index i = 0; i < x.rows; ++i) x.values[i * x.cols] = 3;
  const Model model = go_on(before, table), fresh = fit_table(table, request).model;
  EXPECT_NE(std::get<Linear>(before.predictor).weights(0, 0), 0);
  EXPECT_EQ(std::get<Linear>(model.predictor).weights(0, 0), 0);
  EXPECT_TRUE(model.summary.converged);
  EXPECT_NEAR(*model.summary.objective, *fresh.summary.objective, 1e-9 * *fresh.summary.objective);
}

TEST(WarmStart, NeedsRowsOfEveryClass) {
  for (const char* name : {"logistic", "lasso", "ho-kashyap", "mlp"}) {
    const Model before =
        fit_table(make_table({{0}, {1}, {0.5}, {2}}, {"a", "a", "b", "b"}), {.model = name}).model;
    try {
      go_on(before, make_table({{0}, {1}}, {"b", "b"}));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::data);
      EXPECT_EQ(error.message(),
                "no row has the label 'a', a class of the model: a fit that starts at its weights is one of "
                "these rows alone, and needs some of every class");
    }
  }
}

std::string refusal(const Request& request) {
  const Model model = fit_table(generated(1, 2), request).model;
  try {
    settings_of(model);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    return error.message();
  }
  return "";
}

TEST(WarmStart, WhatCannotSaysWhy) {
  EXPECT_EQ(
      refusal({.model = "rbf-network", .options = {{"centers", "3"}}}),
      "`continue`: the centres of an rbf-network belong to the rows that it was fitted to; with `basis` "
      "rbf:N:kmeans, `model` ridge and `keep_statistics` the centres stay and the weights go on");
  EXPECT_EQ(
      refusal({.model = "logistic", .options = {{"firth", "true"}, {"l2", "0"}}}),
      "`continue`: Firth's correction is a fit of all rows that always starts at zero; fit them together");
  EXPECT_EQ(refusal({.model = "svm"}),
            "`continue`: the hinge is solved in its dual, a number for every row, which the model does not "
            "have; `loss` squared-hinge starts at weights, and `solver` sgd goes on row by row");
  EXPECT_EQ(refusal({.model = "ridge"}),
            "`continue`: the model has no statistics to go on from; fit it with `keep_statistics`");
  EXPECT_EQ(refusal({.model = "logistic", .options = {{"calibrate", "platt"}}}),
            "`continue`: the model has several machines or a calibration, which cannot go on");
}

}  // namespace
}  // namespace discern::warm_start_test
