// One against the rest, interrupted before all classes had their turn.
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "tests/support/fitting.hpp"

namespace discern::interrupted_test {
namespace {

using support::make_table;

constexpr int all_classes = 6;

Table table_of_classes() {
  Random random(8);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 120; ++i) {
    std::vector<double> row(12);
    for (double& v : row) v = random.normal();
    row[static_cast<std::size_t>(i % all_classes)] += 2;
    rows.push_back(row);
    labels.push_back(std::string(1, static_cast<char>('a' + i % all_classes)));
  }
  return make_table(rows, labels);
}

// Goes on until the fits of so many classes have begun to iterate.
FitOutcome fit_until(int begun, const std::string& multiclass, int threads) {
  FitSettings settings;
  settings.options = find_model("svm").make("svm");
  set_option(settings.options, "loss", "squared-hinge");
  settings.target = "class";
  settings.multiclass.multiclass = multiclass == "ovr" ? Strategy::one_vs_rest : Strategy::joint;
  std::atomic<int> seen{0};
  settings.monitor = [&](const Progress& progress) {
    if (progress.iterative && progress.done == 1) ++seen;
    return seen <= begun;
  };
  FitOutcome outcome;
  with_threads(threads, [&] { outcome = fit_model(table_of_classes(), settings); });
  return outcome;
}

TEST(InterruptedClasses, ThoseWithoutWeightsAreNamedAndNeverWin) {
  for (const std::string multiclass : {"joint", "ovr"})
    for (const int threads : {1, 2, 8}) {
      const auto outcome = fit_until(2, multiclass, threads);
      const Summary& summary = outcome.model.summary;
      const auto& linear = std::get<Linear>(outcome.model.predictor);
      ASSERT_EQ(linear.scores(), all_classes);
      EXPECT_TRUE(summary.interrupted) << multiclass << threads;
      EXPECT_FALSE(summary.converged);
      EXPECT_FALSE(summary.objective);
      std::set<std::int32_t> without;
      for (std::int32_t k = 0; k < all_classes; ++k)
        if (linear.weights.row(k).isZero(0)) without.insert(k);
      ASSERT_FALSE(without.empty()) << multiclass << threads;
      ASSERT_LT(without.size(), std::size_t{all_classes}) << multiclass << threads;
      for (const std::int32_t label : outcome.train.labels) EXPECT_FALSE(without.contains(label));
      ASSERT_FALSE(summary.warnings.empty());
      const std::string& warning = summary.warnings.back();
      EXPECT_EQ(
          warning.find("interrupted before " + std::to_string(without.size()) + " of 6 classes had weights"),
          0U)
          << warning;
      for (std::int32_t k = 0; k < all_classes; ++k)
        EXPECT_EQ(warning.find("'" + std::string(1, static_cast<char>('a' + k)) + "'") != std::string::npos,
                  without.contains(k))
            << warning;
      EXPECT_TRUE(outcome.train.scores.allFinite());
    }
}

TEST(InterruptedClasses, AFitThatGoesOnGivesThemWeights) {
  const auto interrupted = fit_until(2, "joint", 1);
  FitSettings settings;
  settings.options = find_model("svm").make("svm");
  set_option(settings.options, "loss", "squared-hinge");
  settings.target = "class";
  const auto whole = fit_model(table_of_classes(), settings);
  settings.before = &interrupted.model;
  const auto finished = fit_model(table_of_classes(), settings);
  EXPECT_TRUE(finished.model.summary.converged);
  EXPECT_NEAR(*finished.model.summary.objective, *whole.model.summary.objective,
              1e-9 * *whole.model.summary.objective);
  EXPECT_EQ(finished.train.labels, whole.train.labels);
}

TEST(ManyClasses, AnyNumberOfThreadsGivesTheSameBits) {
  for (const std::string multiclass : {"joint", "ovr"}) {
    const auto fit = [&](int threads) {
      return std::get<Linear>(fit_until(1000000, multiclass, threads).model.predictor);
    };
    const Linear one = fit(1), two = fit(2), eight = fit(8);
    EXPECT_EQ(one.weights, two.weights) << multiclass;
    EXPECT_EQ(one.weights, eight.weights) << multiclass;
    EXPECT_EQ(one.bias, eight.bias) << multiclass;
  }
}

}  // namespace
}  // namespace discern::interrupted_test
