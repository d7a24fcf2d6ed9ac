#include "discern/model/linear/logistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "discern/base/random.hpp"
#include "discern/loss/softmax.hpp"
#include "tests/support/fitting.hpp"

namespace discern::logistic_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::Request;

// Unpenalised maximum likelihood by Newton's method in 60-digit arithmetic (mpmath), rounded to double here.
void expect_parameters(const char* file, const char* target, const std::vector<double>& exact,
                       double log_likelihood) {
  const auto outcome =
      fit_file(data_file(file), {.model = "logistic", .options = {{"l2", "0"}}, .target = target});
  EXPECT_TRUE(outcome.model.summary.converged);
  const auto found = parameters(outcome.model);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t j = 0; j < exact.size(); ++j)
    EXPECT_NEAR(found[j], exact[j], 1e-10 * std::fabs(exact[j])) << file << " " << j;
  EXPECT_NEAR(*outcome.model.summary.objective, -log_likelihood, 1e-11 * std::fabs(log_likelihood));
}

TEST(Logistic, AgreesWithThe30DigitAnswerOnPima) {
  expect_parameters(
      "pima_tr.csv", "type",
      {0.103183427319109949, 0.0321168228931570944, -0.00476754197499065800, -0.00191663174692583694,
       0.0836239120546497117, 1.82041036745233957, 0.0411835288163914615, -9.77306153291232799},
      -89.1953332330345634);
}

TEST(Logistic, AgreesWithThe30DigitAnswerOnBanknotes) {
  expect_parameters("banknote.csv", "class",
                    {-7.85933049185668184, -4.19096320841663910, -5.28743068307617147, -0.605318968914917377,
                     7.32180471314667963},
                    -24.9453295015032447);
}

// The gradient of E at the solution, computed here row by row from the definition.
TEST(Logistic, SoftmaxGradientVanishesAtTheSolution) {
  const auto table = support::read_for(data_file("wine.csv"), {});
  const auto outcome =
      fit_table(table, {.model = "logistic", .options = {{"l2", "0.5"}}, .standardize = false});
  ASSERT_TRUE(outcome.model.summary.converged);
  const auto& linear = std::get<Linear>(outcome.model.predictor);
  Matrix gradient = 0.5 * linear.weights;
  Vector bias = Vector::Zero(3);
  std::visit(
      [&](const auto& x) {
        for (Index i = 0; i < x.rows; ++i)
          for (Index k = 0; k < 3; ++k) {
            const double slope =
                outcome.train.proba(i, k) - (outcome.train_labels[static_cast<std::size_t>(i)] == k ? 1 : 0);
            bias[k] += slope;
            for_each(x.view(i, 1).row(0), [&](Index j, double v) { gradient(k, j) += slope * v; });
          }
      },
      table.x);
  EXPECT_LT(bias.cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-7);  // features reach 1680
  EXPECT_LT(linear.weights.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(std::fabs(linear.bias.sum()), 1e-10);
}

TEST(Logistic, PerfectSeparationWithoutAPenaltyIsReportedAndNeverConverged) {
  for (const char* file : {"breast_cancer_wdbc.csv", "iris.csv"}) {
    const auto outcome = fit_file(data_file(file), {.model = "logistic", .options = {{"l2", "0"}}});
    EXPECT_FALSE(outcome.model.summary.converged) << file;
    ASSERT_FALSE(outcome.model.summary.warnings.empty());
    EXPECT_NE(outcome.model.summary.warnings.back().find("separated"), std::string::npos);
    EXPECT_TRUE(outcome.train.proba.allFinite());
  }
}

TEST(Logistic, QuasiSeparationWithoutAPenaltyIsReportedAndNeverConverged) {
  // x1 separates all but the two points at 0, which have both labels.
  const auto table = make_table({{-2}, {-1}, {0}, {0}, {1}, {2}}, {"a", "a", "a", "b", "b", "b"});
  const auto outcome = fit_table(table, {.model = "logistic", .options = {{"l2", "0"}}});
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_NE(outcome.model.summary.warnings.back().find("x1"), std::string::npos);
}

// One class of iris is separated from the others. Solvers that go far on the way leave a Hessian that has
// lost the direction; those that stop short leave a gradient that is not small.
TEST(Logistic, QuasiSeparationIsSeenWhateverTheSolver) {
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "cd"}) {
    const auto outcome =
        fit_file(data_file("iris.csv"), {.model = "logistic", .options = {{"l2", "0"}, {"solver", solver}}});
    EXPECT_FALSE(outcome.model.summary.converged) << solver;
    ASSERT_FALSE(outcome.model.summary.warnings.empty()) << solver;
    EXPECT_NE(outcome.model.summary.warnings.back().find("partly separated"), std::string::npos) << solver;
    EXPECT_NEAR(*outcome.model.summary.objective, 5.949273, 1e-6) << solver;
  }
}

TEST(Logistic, SeparationIsOfTheRowsThatCount) {
  const auto table = make_table({{-2}, {-1}, {1}, {2}, {3}}, {"a", "a", "b", "b", "a"}, {1, 1, 1, 1, 0});
  for (const char* solver : {"newton", "lbfgs"}) {
    const auto outcome = fit_table(
        table, {.model = "logistic", .options = {{"l2", "0"}, {"solver", solver}}, .weight = "weight"});
    ASSERT_FALSE(outcome.model.summary.warnings.empty()) << solver;
    EXPECT_NE(outcome.model.summary.warnings.back().find("perfectly separated"), std::string::npos) << solver;
  }
}

TEST(Logistic, ScaleAndShiftOfTheFeaturesDoNotMatter) {
  Random random(7);
  std::vector<std::vector<double>> rows, scaled;
  std::vector<std::string> labels;
  for (int i = 0; i < 300; ++i) {
    const double x = random.normal(), y = random.normal();
    rows.push_back({x, y});
    scaled.push_back({1e-6 * x, 1e6 * y + 1e9});
    labels.push_back(x + y + random.normal() > 0 ? "b" : "a");
  }
  const auto plain = fit_table(make_table(rows, labels), {.model = "logistic"});
  const auto outcome = fit_table(make_table(scaled, labels), {.model = "logistic"});
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_LE(outcome.model.summary.iterations, plain.model.summary.iterations + 2);
  EXPECT_LT((plain.train.proba - outcome.train.proba).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Logistic, StopsAtItsLimitAndSaysSo) {
  const auto outcome = fit_file(data_file("pima_tr.csv"),
                                {.model = "logistic", .options = {{"max-iter", "2"}}, .target = "type"});
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_EQ(outcome.model.summary.iterations, 2);
  EXPECT_NE(outcome.model.summary.warnings.at(0).find("limit of 2 iterations"), std::string::npos);
}

FitSettings pima_settings() {
  FitSettings settings;
  settings.options = find_model("logistic").make("logistic");
  settings.target = "type";
  settings.standardize = true;
  return settings;
}

// Whether the classes are separated is looked for after the last step.
TEST(Logistic, AFitInterruptedAfterItsLastStepLeavesTheModel) {
  const auto table = support::read_for(data_file("pima_tr.csv"), {.target = "type"});
  FitSettings settings = pima_settings();
  std::get<Logistic>(settings.options).l2 = 0;
  int calls = 0, last = std::numeric_limits<int>::max();
  settings.monitor = [&](const Progress&) { return ++calls < last; };
  const auto whole = fit_model(table, settings);
  EXPECT_TRUE(whole.model.summary.converged);
  const auto weights = support::parameters(whole.model);
  for (const int before : {0, 1, 2}) {
    last = calls - before;
    calls = 0;
    const auto outcome = fit_model(table, settings);
    EXPECT_TRUE(outcome.model.summary.interrupted) << before;
    EXPECT_EQ(support::parameters(outcome.model), weights) << before;
    calls = last + before;
  }
}

TEST(Logistic, AnInterruptedFitLeavesTheModelSoFar) {
  const auto table = support::read_for(data_file("pima_tr.csv"), {.target = "type"});
  FitSettings settings = pima_settings();
  settings.monitor = [](const Progress& progress) { return !(progress.iterative && progress.done == 2); };
  const auto outcome = fit_model(table, settings);
  EXPECT_TRUE(outcome.model.summary.interrupted);
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_EQ(outcome.model.summary.iterations, 2);
  EXPECT_TRUE(outcome.train.proba.allFinite());
}

}  // namespace
}  // namespace discern::logistic_test
