// Classes that a plane separates, completely or but for rows on it, have no finite estimate without a
// penalty, whatever the solver that looks for one; others have, however far some of their cells are.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::separation_test {
namespace {

using support::fit_table;
using support::make_table;
using support::Request;

const std::vector<std::string> solvers{"newton", "newton-cg", "lbfgs", "cg", "cd"};

Request without_penalty(const std::string& solver) {
  return {.model = "logistic", .options = {{"l2", "0"}, {"solver", solver}}};
}

bool says_separated(const Summary& summary) {
  for (const std::string& warning : summary.warnings)
    if (warning.find(" separated: ") != std::string::npos) return true;
  return false;
}

void expect_separated(const Table& table, Request request, const std::string& what) {
  const Summary summary = fit_table(table, request).model.summary;
  EXPECT_TRUE(says_separated(summary)) << what;
  EXPECT_FALSE(summary.converged) << what;
}

// The step of Newton's method is along the copy, which is not the direction, and moves the far cell most.
TEST(Separation, IsSeenBesideANearCopyAndAFarCell) {
  Random random(3);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 36; ++i) {
    const double x = i == 35 ? 1e4 : i % 2;
    rows.push_back({x, x + 1e-3 * random.normal()});
    labels.emplace_back(x == 0 && i % 3 == 0 ? "b" : "a");
  }
  for (const std::string& solver : solvers) {
    expect_separated(make_table(rows, labels), without_penalty(solver), solver);
    expect_separated(support::as_sparse(make_table(rows, labels)), without_penalty(solver),
                     solver + " sparse");
  }
}

// Most of many indicators are of a few rows each, in both classes; those of one are all in one class.
TEST(Separation, OfAFewRowsIsSeenAmongRareIndicators) {
  Random random(2);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 4000; ++i) {
    std::vector<double> row(41, 0.0);
    row[0] = random.normal();
    const int rare = i % 50 == 0 ? i / 50 % 40 : -1;
    if (rare >= 0) row[static_cast<std::size_t>(1 + rare)] = 1;
    rows.push_back(row);
    labels.emplace_back(rare == 7 || row[0] + random.normal() > 0 ? "b" : "a");
    if (rare >= 0 && rare != 7) labels.back() = i / 2000 > 0 ? "b" : "a";
  }
  for (const std::string& solver : solvers)
    expect_separated(make_table(rows, labels), without_penalty(solver), solver);
}

// A step may lead so far that slopes and curvatures are all zero.
TEST(Separation, IsSeenWhereEveryLossHasVanished) {
  const Table table = make_table({{-2}, {-1}, {0}, {0}}, {"a", "a", "b", "a"});
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd"}) {
    Request request = without_penalty(solver);
    request.options.emplace_back("no-bias", "true");
    request.standardize = false;
    expect_separated(table, request, solver);
  }
}

TEST(Separation, OfOneClassOfThreeIsSeenWhateverTheWeights) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
  for (int i = 0; i < 30; ++i) {
    const bool own = i % 3 == 2;
    rows.push_back({own ? 1e6 + 1 + i % 2 : 1e6, static_cast<double>(i % 5)});
    labels.emplace_back(own ? "c" : i % 7 < 3 ? "a" : "b");
    weights.push_back(i % 4 == 0 ? 1e-3 : i % 4 == 1 ? 1e3 : 1);
  }
  for (const std::string& solver : solvers) {
    Request request = without_penalty(solver);
    request.weight = "weight";
    expect_separated(make_table(rows, labels, weights), request, solver);
  }
}

// 2 and 3 are in both classes, and hold the weight of a cell that has none to lose.
TEST(Separation, IsNotOfACellFarBeyondTheOthers) {
  for (const double far : {1e3, 1e6, 1e9, 1e12})
    for (const std::string& solver : solvers) {
      const Table table = make_table({{2, -2}, {3, -3}, {2, -2}, {3, -3}, {3, -3}, {2, -2}, {far, -far}},
                                     {"a", "b", "b", "a", "a", "a", "b"});
      const Summary summary = fit_table(table, without_penalty(solver)).model.summary;
      EXPECT_FALSE(says_separated(summary)) << solver << " " << far;
      EXPECT_TRUE(summary.converged) << solver << " " << far;
      EXPECT_EQ(summary.rank, 1) << solver << " " << far;
    }
}

// Weights six orders apart: a step of Newton's method leads down and a thousand times too far.
TEST(Newton, ComesBackFromAStepFarBeyondTheMinimum) {
  const Table table = make_table(
      {{1, 1},  {-1, 2}, {1, 2},  {1, 1},  {2, 0},   {1, -1}, {2, 0},   {0, 1},   {-1, 2},  {0, 0},  {1, 0},
       {1, -2}, {1, -2}, {2, -1}, {-1, 1}, {-1, 2},  {0, 2},  {-1, -2}, {-2, -2}, {-2, -1}, {-2, 0}, {-2, -2},
       {2, 2},  {-2, 1}, {0, 2},  {2, 0},  {-1, -1}, {0, 2},  {0, 2},   {-2, -2}, {0, 2},   {0, -1}},
      {"b", "b", "b", "b", "b", "a", "a", "b", "a", "a", "a", "a", "a", "a", "b", "b",
       "b", "a", "a", "b", "b", "a", "b", "b", "b", "a", "b", "b", "b", "a", "b", "a"},
      {1000, 1,   1,     1, 0.001, 1,     1000,  1000, 0.001, 1000, 0.001, 1000, 0.001, 1000,  1,   1,
       1,    2.5, 0.001, 1, 2.5,   0.001, 0.001, 1,    2.5,   2.5,  0.001, 1,    0.001, 0.001, 2.5, 1});
  for (const std::string& solver : solvers) {
    Request request = without_penalty(solver);
    request.weight = "weight";
    EXPECT_NEAR(*fit_table(table, request).model.summary.objective, 0.3038458293, 1e-9) << solver;
  }
}

// Covariances that rounding makes negative are no errors.
TEST(Inference, OfNearlyDependentFeaturesIsFiniteOrAbsent) {
  Random random(1);
  for (int k = 0; k < 40; ++k) {
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    const double apart = std::pow(10.0, -6 - k % 7);
    for (int i = 0; i < 23; ++i) {
      const double x = random.normal();
      rows.push_back({x, x + apart * random.normal()});
      labels.emplace_back(x + random.normal() > 0 ? "b" : "a");
    }
    Request request = without_penalty("auto");
    request.standardize = k % 2 == 0;
    request.inference.intervals = Intervals::wald;
    const FitOutcome outcome = fit_table(make_table(rows, labels), request);
    ASSERT_TRUE(outcome.model.inference.has_value()) << k;
    const Inference& inference = *outcome.model.inference;
    EXPECT_TRUE(!inference.absent.empty() ||
                (inference.errors.allFinite() && inference.estimates.allFinite()))
        << k;
  }
}

}  // namespace
}  // namespace discern::separation_test
