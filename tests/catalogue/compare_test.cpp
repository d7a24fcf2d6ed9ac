// Comparing models: honest choices, clear reasons, the same ranking every time.
#include "discern/catalogue/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/evaluate/paired_test.hpp"
#include "tests/support/fitting.hpp"

namespace discern::compare_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::parameters;
using support::read_for;

FitSettings settings_for(const std::string& target, Task task = Task::classification) {
  FitSettings settings;
  settings.task = task;
  settings.target = target;
  settings.standardize = settings.encode = settings.impute = true;
  return settings;
}

CompareOptions options_for(std::vector<std::string> models, std::string_view metric = "accuracy",
                           Task task = Task::classification) {
  CompareOptions options;
  options.models = std::move(models);
  options.metric = &find_measure(metric, task);
  return options;
}

std::vector<std::string> names(const std::vector<Contender>& contenders) {
  std::vector<std::string> list;
  for (const Contender& one : contenders) list.push_back(one.model);
  return list;
}

const Contender& find(const std::vector<Contender>& contenders, const std::string& model) {
  const auto found = std::find_if(contenders.begin(), contenders.end(),
                                  [&](const Contender& one) { return one.model == model; });
  if (found == contenders.end()) throw Error(Code::usage, "no contender " + model);
  return *found;
}

// t = mean / sqrt((1/5 + 1/4) var) of these differences with 4 degrees of freedom; the p-value is that of
// scipy, 2 * stats.t.sf(t, 4).
TEST(PairedTest, IsTheCorrectedResampledTTest) {
  const std::vector<double> d{0.02, 0.01, 0.03, 0.005, 0.015};
  EXPECT_NEAR(*corrected_p_value(d, 0.25), 0.06821480833563852, 1e-13);
  EXPECT_EQ(*corrected_p_value({0, 0, 0}, 0.25), 1);
  // Folds that all differ by the same do not tell how differences vary.
  EXPECT_FALSE(corrected_p_value({0.1, 0.1, 0.1}, 0.25));
  EXPECT_FALSE(corrected_p_value({0.1}, 0.25));
  // The interval at 1 - p ends at zero.
  const auto interval = corrected_interval(d, 0.25, 1 - 0.06821480833563852);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(std::min(std::abs(interval->first), std::abs(interval->second)), 0, 1e-12);
  double mean = 0;
  for (const double one : d) mean += one / static_cast<double>(d.size());
  EXPECT_NEAR((interval->first + interval->second) / 2, mean, 1e-14);
  EXPECT_FALSE(corrected_interval({0.1}, 0.25));
}

TEST(Compare, RanksIrisTheSameOnOneThreadAndOnTwo) {
  const Table table = read_for(data_file("iris.csv"), {});
  std::vector<std::vector<double>> scores;
  std::vector<std::vector<std::string>> order;
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      const Comparison result =
          compare(table, settings_for("class"), options_for({"lda", "qda", "logistic", "naive-bayes"}));
      order.push_back(names(result.ranking));
      scores.emplace_back();
      for (const Contender& one : result.ranking) {
        scores.back().push_back(*one.score.mean);
        scores.back().push_back(one.p_value.value_or(-1));
      }
      EXPECT_EQ(result.baseline_class, "setosa");
      EXPECT_NEAR(*result.baseline.mean, 1.0 / 3, 1e-12);
    });
  EXPECT_EQ(order[0], order[1]);
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_GT(scores[0][0], 0.95);
  for (std::size_t i = 2; i < scores[0].size(); i += 2) EXPECT_LE(scores[0][i], scores[0][i - 2]);
}

TEST(Compare, TakesEveryModelOfTheCatalogueAndListsWhatItLeavesOut) {
  const Table table = read_for(data_file("iris.csv"), {});
  CompareOptions options = options_for({}, "log_loss");
  options.folds.folds = 2;
  const Comparison result = compare(table, settings_for("class"), options);
  EXPECT_EQ(result.ranking.size() + result.left_out.size(), models().size());
  for (const ModelEntry& entry : models()) {
    if (entry.probabilities) continue;
    EXPECT_EQ(find(result.left_out, std::string(entry.name)).left_out,
              "it gives no probabilities, which log_loss needs");
  }
}

// The label is noise. A choice made on the tested rows would look better than chance; one made inside the
// fold cannot.
TEST(Compare, ChoosesOptionsInsideTheFold) {
  Random random(3);
  std::vector<std::vector<double>> cells(200, std::vector<double>(20));
  std::vector<std::string> labels;
  for (auto& row : cells) {
    for (double& cell : row) cell = random.normal();
    labels.emplace_back(random.below(2) == 0 ? "a" : "b");
  }
  const Table table = make_table(cells, labels);
  const Comparison result =
      compare(table, settings_for("class"), options_for({"logistic", "svm", "lda", "qda"}));
  for (const Contender& one : result.ranking) EXPECT_NEAR(*one.score.mean, 0.5, 0.1) << one.model;
}

TEST(Compare, FindsTheStrongPenaltyWhereItIsNeeded) {
  // 60 rows, 40 features, one of which says something: without shrinkage the covariance fits the noise.
  Random random(4);
  std::vector<std::vector<double>> cells(60, std::vector<double>(40));
  std::vector<std::string> labels;
  for (auto& row : cells) {
    for (double& cell : row) cell = random.normal();
    labels.emplace_back(row[0] + 0.5 * random.normal() > 0 ? "a" : "b");
  }
  const Table table = make_table(cells, labels);
  const Comparison result = compare(table, settings_for("class"), options_for({"lda"}));
  EXPECT_EQ(result.ranking[0].chosen[0].first, (GridPoint{{"shrinkage", "ledoit-wolf"}}));
}

TEST(Compare, ListsAModelThatCannotBeFittedWithTheReason) {
  // Two rows to train on in each fold, one of each class: no covariance within the classes.
  const Table table = make_table({{0}, {1}, {10}, {11}}, {"a", "a", "b", "b"});
  CompareOptions options = options_for({"lda", "logistic"});
  options.folds.folds = 2;
  const Comparison result = compare(table, settings_for("class"), options);
  EXPECT_EQ(names(result.ranking), std::vector<std::string>{"logistic"});
  EXPECT_EQ(*result.ranking[0].score.mean, 1);
  ASSERT_EQ(names(result.left_out), std::vector<std::string>{"lda"});
  EXPECT_EQ(result.left_out[0].left_out, "2 rows in 2 classes leave nothing to estimate a covariance from");
  EXPECT_FALSE(result.left_out[0].late);
}

// A covariance of three features cannot be had from three rows; pooling can make up for it, and is chosen.
TEST(Compare, ChoosesWhatCanBeFitted) {
  Random random(5);
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels;
  for (int i = 0; i < 40; ++i) {
    cells.push_back({random.normal(), random.normal(), random.normal()});
    labels.emplace_back(i < 3 ? "b" : "a");
  }
  CompareOptions options = options_for({"qda"});
  options.folds.folds = 3;
  const Comparison result = compare(make_table(cells, labels), settings_for("class"), options);
  ASSERT_EQ(result.ranking.size(), 1u);
  for (const auto& [point, folds] : result.ranking[0].chosen)
    EXPECT_TRUE(point[0].second != "0" || point[1].second != "0");
}

TEST(Compare, ListsWhatTheBudgetDoesNotAllow) {
  const Table table = read_for(data_file("iris.csv"), {});
  CompareOptions options = options_for({"lda", "logistic"});
  options.budget = 1e-9;
  const Comparison result = compare(table, settings_for("class"), options);
  EXPECT_TRUE(result.ranking.empty());
  ASSERT_EQ(names(result.left_out), (std::vector<std::string>{"lda", "logistic"}));
  for (const Contender& one : result.left_out) {
    EXPECT_TRUE(one.late);
    EXPECT_EQ(one.left_out, "not tried: the budget of 1e-09 s was spent");
  }
}

TEST(Compare, RefitsTheBestOnAllRows) {
  const Table table = read_for(data_file("diabetes.csv"), {.task = Task::regression, .target = "target"});
  CompareOptions options = options_for({"least-squares", "lasso"}, "rmse", Task::regression);
  options.refit = true;
  const Comparison result = compare(table, settings_for("target", Task::regression), options);
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.best->model.samples, 442);
  EXPECT_LT(*result.ranking[0].score.mean, *result.baseline.mean);
  const std::string model = result.ranking[0].model;
  const FitOutcome same = fit_table(
      table, {.model = model, .options = result.options, .task = Task::regression, .target = "target"});
  EXPECT_EQ(parameters(same.model), parameters(result.best->model));
}

TEST(Compare, RefusesUnknownNamesAndMetricsOfSingleRows) {
  const Table table = read_for(data_file("iris.csv"), {});
  EXPECT_THROW(compare(table, settings_for("class"), options_for({"lda", "lda"})), Error);
  EXPECT_THROW(compare(table, settings_for("class"), options_for({"no-such"})), Error);
  CompareOptions options = options_for({"lda"}, "auc");
  options.folds.leave_one_out = true;
  EXPECT_THROW(compare(table, settings_for("class"), options), Error);
}

}  // namespace
}  // namespace discern::compare_test
