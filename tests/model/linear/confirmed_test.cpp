// What a small gradient does not prove: fits are called converged only where the curvature holds them or no
// step of Newton's method leads below.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::confirmed_test {
namespace {

using support::fit_table;
using support::make_table;
using support::Request;

using Options = std::vector<std::pair<std::string, std::string>>;

// Two features whose difference, as a share of `size`, tells the classes.
Table alike_features(int classes, double size) {
  Random random(6);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 200; ++i) {
    const double x = random.normal(), difference = random.normal();
    rows.push_back({x, x + size * difference});
    const double g = x + 2 * difference + random.normal();
    labels.push_back(g > 1 && classes > 2 ? "c" : g > 0 ? "b" : "a");
  }
  return make_table(rows, labels);
}

// Seven digits of the difference are in the features, so that the minimum is that of others which differ by
// more.
constexpr double alike = 1e-9, digits = 1e-6;

double minimum_of(int classes) {
  return *fit_table(alike_features(classes, 1), {.options = {{"l2", "0"}}}).model.summary.objective;
}

TEST(Confirmed, FeaturesThatAreNearlyAlikeAreToldApart) {
  for (const int classes : {2, 3}) {
    const Table table = alike_features(classes, alike);
    const double minimum = minimum_of(classes);
    int compared = 0;
    for (const char* solver : {"auto", "newton-cg", "lbfgs", "cg", "cd"}) {
      const Summary summary = fit_table(table, {.options = {{"l2", "0"}, {"solver", solver}}}).model.summary;
      if (!summary.converged && solver != std::string("auto")) continue;
      ++compared;
      EXPECT_NEAR(*summary.objective, minimum, digits * minimum) << solver << " " << classes;
    }
    EXPECT_GE(compared, 1) << classes;
  }
}

// The look is taken at the last iteration, too.
TEST(Confirmed, AnIterationLimitDoesNotMakeAMinimum) {
  const double minimum = minimum_of(2);
  // Features that are well told apart reach the minimum within the limit, those that are alike do not.
  for (const double size : {1.0, alike}) {
    const Table table = alike_features(2, size);
    int converged = 0, stopped = 0;
    for (const char* solver : {"lbfgs", "cg", "newton-cg"})
      for (int most = 1; most < 20; ++most) {
        const Request request{
            .options = {{"l2", "0"}, {"solver", solver}, {"max-iter", std::to_string(most)}}};
        const Summary summary = fit_table(table, request).model.summary;
        EXPECT_LE(summary.iterations, most);
        stopped += summary.converged ? 0 : 1;
        if (!summary.converged) continue;
        ++converged;
        EXPECT_NEAR(*summary.objective, minimum, digits * minimum) << solver << " " << most;
      }
    EXPECT_GT(stopped, 0) << size;
    if (size == 1) {
      EXPECT_GT(converged, 0);
    }
  }
}

// The bias is penalised, so that the feature keeps its offset, and the gradient at zero is huge.
TEST(Confirmed, L1OfFeaturesFarFromZeroWithAPenalisedBias) {
  Random random(7);
  for (const double offset : {1e5, 1e6}) {
    std::vector<std::vector<double>> rows;
    std::vector<std::string> labels;
    for (int i = 0; i < 200; ++i) {
      const double x = random.normal(), z = random.normal();
      rows.push_back({offset + x, z});
      labels.push_back(x + z + random.normal() > 0 ? "b" : "a");
    }
    const auto objective = [&](const char* solver, const char* bias) {
      const Summary summary =
          fit_table(make_table(rows, labels),
                    {.model = "least-squares",
                     .options = {{"l2", "0"}, {"l1", "0.01"}, {"solver", solver}, {bias, "true"}}})
              .model.summary;
      EXPECT_TRUE(summary.converged) << solver << " " << offset;
      return *summary.objective;
    };
    const double by_columns = objective("cd", "penalize-bias");
    EXPECT_NEAR(objective("newton-cg", "penalize-bias"), by_columns, 1e-8 * by_columns) << offset;
    EXPECT_LT(by_columns, (1 + 1e-8) * objective("cd", "no-bias")) << offset;
  }
}

// Slopes of one class are nothing beside those of the other.
TEST(Confirmed, SquaredHingeOfClassesWithWeightsTwelveOrdersApart) {
  Random random(8);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 120; ++i) {
    const double x = random.normal(), z = random.normal();
    rows.push_back({x, z, random.normal()});
    labels.push_back(x + z + 0.5 * random.normal() > 0 ? "b" : "a");
  }
  std::vector<double> objectives;
  for (const char* solver : {"newton", "newton-cg", "cd"}) {
    const Summary summary =
        fit_table(make_table(rows, labels),
                  {.model = "svm",
                   .options = {{"loss", "squared-hinge"}, {"l2", "1e-8"}, {"solver", solver}},
                   .class_weight = "a=1e6,b=1e-6",
                   .standardize = false})
            .model.summary;
    if (summary.converged) objectives.push_back(*summary.objective);
  }
  ASSERT_GE(objectives.size(), 2U);
  for (const double objective : objectives) EXPECT_NEAR(objective, objectives[0], 1e-8 * objectives[0]);
}

}  // namespace
}  // namespace discern::confirmed_test
