// Decisions with costs, thresholds, rejecting and other priors.
#include "discern/model/shape/decision.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/evaluate/judge.hpp"
#include "discern/model/shape/decision_options.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/support/fitting.hpp"

namespace discern::decision_test {
namespace {

using support::data_file;
using support::fit_file;
using support::make_table;

const DecisionClasses yes_no{{"no", "yes"}, 1, Vector{{0.75, 0.25}}};
const DecisionClasses three{{"a", "b", "c"}, 1, Vector{{0.5, 0.3, 0.2}}};

std::int32_t decided(const Decision& decision, const std::vector<double>& q, Index positive = 1) {
  return decide(decision, q.data(), static_cast<Index>(q.size()), positive);
}

std::string refusal(const DecisionOptions& options, const DecisionClasses& classes, Code code = Code::usage) {
  try {
    make_decision(options, classes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

// Random probabilities of k classes.
std::vector<double> drawn(Random& random, std::size_t k) {
  std::vector<double> q(k);
  double sum = 0;
  for (double& one : q) sum += one = -std::log(1 - random.uniform());
  for (double& one : q) one /= sum;
  return q;
}

TEST(Decision, WithoutAnythingSetIsTheLargestProbabilityWithTiesAsForScores) {
  EXPECT_EQ(decided({}, {0.2, 0.5, 0.3}), 1);
  EXPECT_EQ(decided({}, {0.4, 0.4, 0.2}), 0);
  EXPECT_EQ(decided({}, {0.5, 0.5}), 1);
  EXPECT_EQ(decided({}, {0.5, 0.5}, 0), 0);
  EXPECT_EQ(decided({}, {1e-17, 2e-17, 1}), 2);
  EXPECT_EQ(decided({}, {1e-300, 1 - 1e-16}), 1);
}

TEST(Decision, AThresholdIsReachedFromAbove) {
  const Decision decision = make_decision({.threshold = 0.25}, yes_no);
  EXPECT_EQ(decided(decision, {0.75, 0.25}), 1);
  EXPECT_EQ(decided(decision, {0.7500001, 0.2499999}), 0);
  EXPECT_EQ(decided(make_decision({.threshold = 0}, yes_no), {1, 0}), 1);
  EXPECT_EQ(decided(decision, {0.25, 0.75}, 0), 0);  // of the other class, when that is the positive one
}

// h q_1 >= (1 - h) q_0, which is the threshold 1 - h, and the likelihood ratio of the header.
TEST(Decision, TheAsymmetricRiskIsAThresholdOfOneMinusEta) {
  Random random(3);
  for (const double eta : {0.0, 0.125, 0.5, 0.75, 1.0})
    for (int i = 0; i < 200; ++i) {
      const std::vector<double> q = drawn(random, 2);
      const std::int32_t label = decided(make_decision({.risk = eta}, yes_no), q);
      EXPECT_EQ(label, q[1] >= 1 - eta ? 1 : 0) << eta << ' ' << q[1];
      if (eta == 0 || eta == 1) continue;
      const double p0 = 0.75, p1 = 0.25, ratio = (q[1] / p1) / (q[0] / p0);
      EXPECT_EQ(label, ratio >= (1 - eta) * p0 / (eta * p1) ? 1 : 0);
    }
}

TEST(Decision, CostsDecideForTheLeastExpectedOne) {
  const Decision decision = make_decision({.cost = "a:b=5,c:a=0.5,b:b=-1"}, three);
  EXPECT_EQ(decision.cost, (Matrix{{0.0, 5.0, 1.0}, {1.0, -1.0, 1.0}, {0.5, 1.0, 0.0}}));
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const std::vector<double> q = drawn(random, 3);
    const std::vector<double> risk{q[1] + 0.5 * q[2], 5 * q[0] - q[1] + q[2], q[0] + q[1]};
    const auto best = std::min_element(risk.begin(), risk.end()) - risk.begin();
    EXPECT_EQ(decided(decision, q), best);
    const Decision rejecting = make_decision({.reject = 0.25, .cost = "a:b=5,c:a=0.5,b:b=-1"}, three);
    EXPECT_EQ(decided(rejecting, q), risk[static_cast<std::size_t>(best)] > 0.25 ? undecided : best);
  }
}

TEST(Decision, RejectingAloneComparesWithTheProbabilityOfAnError) {
  const Decision decision = make_decision({.reject = 0.25}, three);
  EXPECT_EQ(decided(decision, {0.75, 0.125, 0.125}), 0);
  EXPECT_EQ(decided(decision, {0.74, 0.13, 0.13}), undecided);
  EXPECT_TRUE(decision.has_costs());
  EXPECT_EQ(decision.cost_of(0, undecided), 0.25);
  EXPECT_EQ(decision.cost_of(0, 1), 1);
  EXPECT_EQ(decision.cost_of(1, 1), 0);
}

TEST(Decision, PriorsReweighThePosteriors) {
  const Decision decision = make_decision({.priors = "yes=3,no=1"}, yes_no);
  std::vector<double> q{0.75, 0.25};
  reweigh(decision, q.data(), 2);  // 0.75 / 3 against 0.25 * 3
  EXPECT_DOUBLE_EQ(q[0], 0.25);
  EXPECT_DOUBLE_EQ(q[1], 0.75);
  EXPECT_EQ(decided(decision, q), 1);
}

TEST(Decision, AFileOfCostsNamesTheClassesInAnyOrder) {
  const ScratchFolder folder;
  const std::string path = folder.file("cost.csv", "truth,c,a\r\na,7,0.5\n\"c\",-1,2\n");
  const Decision decision = make_decision({.cost = path}, three);
  EXPECT_EQ(decision.cost, (Matrix{{0.5, 1.0, 7.0}, {1.0, 0.0, 1.0}, {2.0, 1.0, -1.0}}));
}

TEST(Decision, ABadFileOfCostsIsRefusedWithItsPlace) {
  const ScratchFolder folder;
  const auto said = [&](const std::string& content) {
    const std::string path = folder.file("c.csv", content);
    const std::string text = refusal({.cost = path}, three, Code::data);
    return text.substr(text.find("c.csv"));
  };
  EXPECT_EQ(said(",a,b\na,0,1\nb,x,0\n"),
            "c.csv:3: column 'a': found 'x', expected a cost, a number of at most 1e+150");
  EXPECT_EQ(said(",a,d\na,0,1\n"), "c.csv:1: column '3': found 'd', expected one of the classes a, b, c");
  EXPECT_EQ(said(",a,b\na,0\nb,1,0\n"), "c.csv:2: found 2 cells, expected 3");
  EXPECT_EQ(said(",a,b\na,0,1\na,1,0\n"), "c.csv:3: column '1': found the class 'a' twice");
  EXPECT_EQ(said(",a,b\na,0,1\n"),
            "c.csv: the classes of the lines are not those of the first line: expected a square of costs");
  EXPECT_EQ(said("a\n"), "c.csv: found no costs, expected a line of classes and then a line for each class");
}

TEST(Decision, WhatDoesNotGoTogetherIsRefused) {
  EXPECT_EQ(refusal({.threshold = 0.5, .cost = "yes:no=2"}, yes_no),
            "`threshold`, `risk` and `cost` exclude each other: each is a rule of its own");
  EXPECT_EQ(
      refusal({.threshold = 0.5, .reject = 0.1}, yes_no),
      "`threshold` and `reject` exclude each other: rejecting is compared with costs, which `risk` or `cost` "
      "give");
  EXPECT_EQ(refusal({.threshold = 0.5}, three),
            "`threshold` is for two classes, and there are 3; `cost` is for any number");
  EXPECT_EQ(refusal({.risk = 1.5}, yes_no), "`risk`: expected a number from 0 to 1, got 1.5");
  EXPECT_EQ(
      refusal({.cost = "a:d=1"}, three),
      "`cost`: expected TRUTH:DECISION=COST,... with the classes a, b, c, zero-one, or a file; got 'a:d=1'");
  EXPECT_EQ(refusal({.cost = "a:b=1,a:b=2"}, three), "`cost`: 'a:b' is there twice");
  EXPECT_EQ(
      refusal({.reject = 0.1}, {{"undecided", "yes"}, 1, {}}),
      "`reject`: a class is called 'undecided', which is how a row without a decision is written; rename the "
      "class");
  EXPECT_EQ(refusal({.priors = "equal"}, {{"no", "yes"}, 1, {}}),
            "`priors`: the model does not say which priors it was fitted with (it was written by an older "
            "version); "
            "fit it again");
}

TEST(Decision, AModelWithoutProbabilitiesNamesThoseThatHaveSome) {
  support::Request request;
  request.model = "svm";
  request.decision.reject = 0.1;
  try {
    fit_file(data_file("iris.csv"), request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    EXPECT_EQ(error.message().substr(0, error.message().find(" logistic")),
              "`reject`: the model svm has no probabilities to decide by; `calibrate` gives it some, or fit "
              "one of those that have:");
  }
}

// Posteriors with other priors are those of a model that was fitted with them.
TEST(Decision, OtherPriorsAfterTheFitAreThoseOfAFitWithThem) {
  const std::string path = data_file("iris.csv");
  const std::string priors = "setosa=0.2,versicolor=0.7,virginica=0.1";
  support::Request request;
  for (const char* name : {"lda", "qda", "naive-bayes", "fisher"}) {
    request.model = name;
    request.options = {};
    Model model = fit_file(path, request).model;
    EXPECT_NEAR(model.priors[0], 1.0 / 3, 1e-15);
    model.decision = make_decision({.priors = priors}, decision_classes(model));
    request.options = {{"priors", priors}};
    const Model direct = fit_file(path, request).model;
    const Table table = support::read_for(path, request);
    const Prediction a = predict(model, table), b = predict(direct, table);
    EXPECT_LT((a.proba - b.proba).cwiseAbs().maxCoeff(), 1e-12) << name;
    EXPECT_EQ(a.labels, b.labels) << name;
    EXPECT_NEAR(direct.priors[1], 0.7, 1e-15);
  }
}

// Among all thresholds that of the costs has the least cost, on the data that the probabilities are right
// for.
TEST(Decision, OfAFitIsUsedByItsPredictionsAndCosted) {
  support::Request request;
  request.model = "lda";
  request.decision.cost = "versicolor:virginica=10";
  request.decision.reject = 0.05;
  const FitOutcome outcome = fit_file(data_file("iris.csv"), request);
  const Model& model = outcome.model;
  Index none = 0;
  double cost = 0;
  for (Index i = 0; i < 150; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int32_t label = outcome.train.labels[row];
    EXPECT_EQ(label, decide(*model.decision, outcome.train.proba.row(i).data(), 3, 1));
    none += label == undecided ? 1 : 0;
    cost += model.decision->cost_of(outcome.train_labels[row], label);
  }
  EXPECT_GT(none, 0);
  EXPECT_LT(none, 50);
  const Metrics metrics = judge(model, outcome.train, outcome.train_labels, {});
  EXPECT_EQ(metrics.undecided, static_cast<double>(none));
  EXPECT_NEAR(*metrics.cost, cost / 150, 1e-15);
}

TEST(Decision, OfAPositiveClassThatIsTheFirstIsTheSame) {
  support::Request request;
  request.decision.risk = 0.9;
  const Table table = make_table({{0}, {1}, {2}, {3}, {4}, {5}}, {"a", "a", "b", "a", "b", "b"});
  const FitOutcome last = support::fit_table(table, request);
  request.positive = "a";
  request.decision.risk = 0.1;  // a missed b costs 0.9 all the same
  const FitOutcome first = support::fit_table(table, request);
  EXPECT_LT((last.model.decision->cost - first.model.decision->cost).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(last.train.labels, first.train.labels);
  EXPECT_NE(last.train.labels, support::fit_table(table, {}).train.labels);
}

}  // namespace
}  // namespace discern::decision_test
