// A few cells far beyond all others, such as a 1e9 that stands for a missing value: the deviation of their
// column is all theirs, and no certificate may be blind to what the other rows want of its weight.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::outlier_test {
namespace {

using support::as_sparse;
using support::fit_table;
using support::make_table;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

struct Rows {
  std::vector<std::vector<double>> x;
  std::vector<std::string> labels;
  void add(std::vector<double> row, const char* label) {
    x.push_back(std::move(row));
    labels.emplace_back(label);
  }
  Table table() const { return make_table(x, labels); }
};

// The first feature speaks for b, and c where there are three classes.
Rows made_rows(int classes) {
  Random random(5);
  Rows rows;
  for (int i = 0; i < 300; ++i) {
    const double x = 1 + random.normal(), y = 1 + random.normal(), z = 1 + random.normal();
    const double g = 1.5 * (x - 1) - 0.7 * (y - 1) + random.normal();
    rows.add({x, y, z}, g > 1 && classes > 2 ? "c" : g > 0 ? "b" : "a");
  }
  return rows;
}

// A row more, which is on its side of the plane however steep that is ...
Rows with_right_cell(int classes, double size) {
  Rows rows = made_rows(classes);
  rows.add({size, 1, 1}, classes > 2 ? "c" : "b");
  return rows;
}
// ... or on the other one.
Rows with_wrong_cell(double size) {
  Rows rows = made_rows(2);
  rows.add({size, 1, 1}, "a");
  return rows;
}

FitOutcome fit(const Table& table, const char* model, const Options& options) {
  return fit_table(table, {.model = model, .options = options, .standardize = false});
}

struct Case {
  const char* name;
  const char* model;
  Options options;
  std::vector<std::string> solvers;
  int classes = 2;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

const std::vector<std::string> smooth{"auto", "newton", "newton-cg", "lbfgs", "cg", "cd"};

class FarCell : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Problems, FarCell,
    ::testing::Values(Case{"logistic", "logistic", {{"l2", "1"}}, smooth},
                      Case{"logistic_without_penalty", "logistic", {{"l2", "0"}}, smooth},
                      Case{"logistic_without_bias", "logistic", {{"no-bias", "true"}}, smooth},
                      Case{"logistic_penalised_bias", "logistic", {{"penalize-bias", "true"}}, smooth},
                      Case{"logistic_l1", "logistic", {{"l1", "1"}, {"l2", "0"}}, {"cd", "newton-cg"}},
                      Case{"softmax", "logistic", {{"l2", "1"}}, {"auto", "newton", "newton-cg", "lbfgs"}, 3},
                      Case{"squared_hinge", "svm", {{"loss", "squared-hinge"}}, smooth},
                      Case{"squared_hinge_l1",
                           "svm",
                           {{"loss", "squared-hinge"}, {"l1", "1"}, {"l2", "0"}},
                           {"cd", "newton-cg"}}),
    [](const auto& test) { return std::string(test.param.name); });

// The loss of the far row is nothing at the minimum of the others, so that it changes nothing.
TEST_P(FarCell, OnItsSideIsAsIfItWereNotThere) {
  const Case& test = GetParam();
  const auto without = fit(made_rows(test.classes).table(), test.model, test.options);
  const double objective = *without.model.summary.objective;
  for (const double size : {1e6, 1e9, 1e12, 1e15}) {
    const Table table = with_right_cell(test.classes, size).table();
    for (const std::string& solver : test.solvers) {
      Options options = test.options;
      options.emplace_back("solver", solver);
      for (const bool sparse : {false, true}) {
        const auto outcome = fit(sparse ? as_sparse(table) : table, test.model, options);
        const Summary& summary = outcome.model.summary;
        // Differences of softmax scores beside 1e9 and more leave L-BFGS too few digits, which it says.
        if (solver == "lbfgs" && test.classes > 2 && !summary.converged) continue;
        EXPECT_TRUE(summary.converged) << solver << " " << size << ": " << summary.certificate.value;
        EXPECT_NEAR(*summary.objective, objective, 1e-9 * objective)
            << solver << " " << size << (sparse ? " sparse" : "");
      }
    }
  }
}

TEST(FarCell, OnTheOtherSideHoldsTheWeightForEverySolver) {
  for (const Options& options : {Options{{"l2", "1"}}, Options{{"l2", "1e-3"}}})
    for (const double size : {1e6, 1e9, 1e12}) {
      const Table table = with_wrong_cell(size).table();
      const double objective = *fit(table, "logistic", options).model.summary.objective;
      EXPECT_GT(objective, 1.1 * *fit(made_rows(2).table(), "logistic", options).model.summary.objective);
      for (const std::string& solver : smooth) {
        Options with = options;
        with.emplace_back("solver", solver);
        const auto outcome = fit(table, "logistic", with);
        EXPECT_TRUE(outcome.model.summary.converged) << solver << " " << size;
        EXPECT_NEAR(*outcome.model.summary.objective, objective, 1e-9 * objective) << solver << " " << size;
      }
    }
}

// One of two far cells holds the weight of its column; the other column's is free.
TEST(FarCell, DoesNotHideWhatAnotherColumnAllows) {
  Rows rows = made_rows(2), held = made_rows(2);
  rows.add({1e12, 1, 1}, "a");
  held = rows;
  rows.add({1, -1e12, 1}, "b");
  const Options options{{"l2", "1"}};
  const double without = *fit(held.table(), "logistic", options).model.summary.objective;
  for (const std::string& solver : smooth) {
    Options with = options;
    with.emplace_back("solver", solver);
    const Summary summary = fit(rows.table(), "logistic", with).model.summary;
    EXPECT_TRUE(summary.converged) << solver;
    EXPECT_NEAR(*summary.objective, without, 1e-9 * without) << solver;
  }
}

// Rows of some classes at a far place: how these compare with one another holds some of the weights, and the
// other rows the rest. Where the place is does not matter as long as it is far.
Rows with_far_classes(double size) {
  Rows rows = made_rows(3);
  int count = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i)
    if (rows.labels[i] != "a" && count++ % 3 == 0) rows.x[i][0] = size;
  return rows;
}

TEST(FarCell, OfSeveralClassesIsNotCalledConvergedAboveTheMinimum) {
  for (const char* l2 : {"1", "1e-3"}) {
    const Summary near = fit(with_far_classes(1e6).table(), "logistic", {{"l2", l2}}).model.summary;
    EXPECT_TRUE(near.converged);
    for (const double size : {1e9, 1e12})
      for (const char* solver : {"auto", "newton-cg", "lbfgs", "cg"}) {
        const Summary summary =
            fit(with_far_classes(size).table(), "logistic", {{"l2", l2}, {"solver", solver}}).model.summary;
        // Differences of scores beside 1e12 have too few digits for more, which is said then.
        if (!summary.converged && size > 1e9) continue;
        EXPECT_NEAR(*summary.objective, *near.objective, 1e-8 * *near.objective) << solver << " " << size;
      }
  }
}

// A plane through the far place keeps a third class out of it, which would gain from being let in.
TEST(FarCell, OfSomeClassesHoldsAnotherBack) {
  Rows rows = made_rows(3);
  for (std::size_t i = 0; i < rows.x.size(); i += 4)
    if (rows.labels[i] != "c") rows.x[i][0] = 1e9;
  double least = INFINITY;
  std::vector<Summary> all;
  for (const char* solver : {"auto", "newton", "newton-cg", "lbfgs", "cg", "cd"}) {
    all.push_back(fit(rows.table(), "logistic", {{"l2", "1e-2"}, {"solver", solver}}).model.summary);
    least = std::min(least, *all.back().objective);
  }
  for (const Summary& summary : all)
    if (summary.converged) {
      EXPECT_NEAR(*summary.objective, least, 1e-8 * least) << summary.solver;
    }
  EXPECT_NEAR(*all[0].objective, least, 1e-7 * least);
}

// Steps a coordinate at a time must not leave a weight common to all classes, which no loss can see.
TEST(SoftmaxByCoordinates, HasWeightsThatSumToZero) {
  Rows rows = made_rows(3);
  for (auto& row : rows.x) row[0] *= 1e6;
  const auto outcome = fit(rows.table(), "logistic", {{"solver", "cd"}, {"l2", "1e-3"}});
  const auto& weights = std::get<Linear>(outcome.model.predictor).weights;
  EXPECT_LT(weights.colwise().sum().cwiseAbs().maxCoeff(), 1e-14);
}

// Predictions of the others keep their digits: nothing is centred where only the far cell is.
TEST(FarCell, LeavesThePredictionsOfOthersTheirDigits) {
  const auto without = fit(made_rows(2).table(), "logistic", {});
  const auto outcome = fit(with_right_cell(2, 1e15).table(), "logistic", {});
  const Index rows = without.train.scores.rows();
  EXPECT_LT((without.train.scores - outcome.train.scores.topRows(rows)).cwiseAbs().maxCoeff(), 1e-7);
}

// Steps of a fixed length are in the units of the user, where the slope of a feature of small numbers is
// small from the start.
TEST(FixedSteps, HaveNotConvergedWhereAFeatureOfSmallNumbersHasNotMoved) {
  Rows rows = made_rows(2);
  for (auto& row : rows.x) row[0] *= 1e-9;
  const auto outcome =
      fit(rows.table(), "logistic",
          {{"solver", "gd"}, {"learning-rate", "0.003"}, {"l2", "0"}, {"max-iter", "20000"}});
  EXPECT_GT(*outcome.model.summary.objective,
            1.1 * *fit(rows.table(), "logistic", {{"l2", "0"}}).model.summary.objective);
  EXPECT_FALSE(outcome.model.summary.converged);
  EXPECT_GT(outcome.model.summary.certificate.value, 1e-9);
}

}  // namespace
}  // namespace discern::outlier_test
