// Cross-validation of whole models: no leak, the closed forms, and the same answer on any number of threads.
#include "discern/catalogue/cross_validate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/data/select_rows.hpp"
#include "discern/evaluate/judge.hpp"
#include "tests/support/fitting.hpp"

namespace discern::cross_validate_test {
namespace {

using support::data_file;
using support::fit_table;
using support::make_table;
using support::read_for;
using support::Request;

FitSettings settings_for(const Request& request) {
  FitSettings settings;
  settings.options = find_model(request.model).make(request.model);
  for (const auto& [name, text] : request.options) set_option(settings.options, name, text);
  settings.task = request.task;
  settings.target = request.target;
  settings.sample_weight = request.weight;
  settings.class_weight = request.class_weight;
  settings.basis = request.basis;
  settings.standardize = settings.encode = settings.impute = true;
  return settings;
}

CrossValidation validate(const Table& table, const Request& request, const CrossValidationOptions& options) {
  const FitSettings settings = settings_for(request);
  return cross_validate(table, settings, options, {{settings.options}});
}

double mean_of(const CrossValidation& result, std::string_view name, Task task = Task::classification) {
  return *estimate_of(result.variants[0], find_measure(name, task)).mean;
}

std::vector<std::vector<double>> column(const std::vector<double>& values) {
  std::vector<std::vector<double>> rows;
  for (const double value : values) rows.push_back({value});
  return rows;
}

// MASS::lda(class ~ ., iris, CV = TRUE) of R and LeaveOneOut with scikit-learn's LDA: 147 of 150 are right.
TEST(CrossValidation, LeavingOneOutOfIrisWithLdaIsRightOn147Of150) {
  const Request request{.model = "lda"};
  const CrossValidation result =
      validate(read_for(data_file("iris.csv"), request), request, {.folds = {.leave_one_out = true}});
  ASSERT_EQ(result.variants[0].folds.size(), 150u);
  EXPECT_NEAR(mean_of(result, "accuracy"), 147.0 / 150, 1e-12);
  const Estimate accuracy = estimate_of(result.variants[0], find_measure("accuracy", Task::classification));
  EXPECT_NEAR(*accuracy.se, std::sqrt(0.98 * 0.02 / 149), 1e-12);  // s^2 = n/(n-1) p (1-p), over n
  EXPECT_FALSE(estimate_of(result.variants[0], find_measure("auc", Task::classification)).se);
}

// Leaving one out of least squares has a closed form: the error e_i / (1 - h_i) with the leverage h_i.
TEST(CrossValidation, LeavingOneOutOfLeastSquaresIsTheResidualOverOneMinusTheLeverage) {
  const Request request{.model = "least-squares", .task = Task::regression, .target = "y"};
  const Table table = read_for(data_file("nist/Longley.csv"), request);
  const auto& y = table.find_side("y")->values;
  Eigen::MatrixXd x(table.rows(), table.schema.size() + 1);
  for (Index i = 0; i < x.rows(); ++i) {
    x(i, 0) = 1;
    std::visit(
        [&](const auto& m) { for_each(m.view(i, 1).row(0), [&](Index j, double v) { x(i, j + 1) = v; }); },
        table.x);
  }
  const Eigen::MatrixXd q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(x).householderQ() * Eigen::MatrixXd::Identity(x.rows(), x.cols());
  const Vector target = Eigen::Map<const Vector>(y.data(), x.rows());
  const Vector residual = target - q * (q.transpose() * target);
  double press = 0;
  for (Index i = 0; i < x.rows(); ++i)
    press += std::pow(residual[i] / (1 - q.row(i).squaredNorm()), 2) / static_cast<double>(x.rows());
  const CrossValidation result = validate(table, request, {.folds = {.leave_one_out = true}});
  EXPECT_NEAR(mean_of(result, "rmse", Task::regression) / std::sqrt(press), 1, 1e-6);
}

TEST(CrossValidation, OfAFoldIsAFitOnTheOtherRowsJudgedOnItsOwn) {
  const Request request{.model = "logistic"};
  const Table table = read_for(data_file("wine.csv"), request);
  const CrossValidationOptions options{.folds = {.folds = 4, .seed = 7}, .keep_predictions = true};
  const CrossValidation result = validate(table, request, options);
  const EvaluationSet set = evaluation_set(table, settings_for(request), "");
  const Folds folds = make_folds(set.rows, options.folds);
  for (Index k = 0; k < 4; ++k) {
    const FitOutcome fit = fit_table(select_rows(table, folds.train(k)), request);
    const Table test = select_rows(table, folds.test(k));
    const Metrics expected = judge(fit.model, predict(fit.model, test), labels_of(fit.model, test), {});
    const FoldOutcome& fold = result.variants[0].folds[static_cast<std::size_t>(k)];
    EXPECT_EQ(fold.judged.metrics.confusion, expected.confusion);
    EXPECT_EQ(*fold.judged.metrics.log_loss, *expected.log_loss);
    EXPECT_EQ(result.predictions[static_cast<std::size_t>(k)].rows, folds.test(k));
  }
}

TEST(CrossValidation, GivesTheSameBitsOnOneThreadAndOnTwo) {
  const Request request{.model = "logistic", .target = "diabetes"};
  const Table table = read_for(data_file("pima_diabetes.csv"), request);
  std::vector<std::vector<double>> bits;
  for (const int threads : {1, 2}) {
    bits.emplace_back();
    with_threads(threads, [&] {
      const auto result =
          validate(table, request, {.folds = {.folds = 5, .repeats = 2}, .keep_predictions = true});
      for (const FoldPrediction& fold : result.predictions)
        bits.back().insert(bits.back().end(), fold.said.proba.data(),
                           fold.said.proba.data() + fold.said.proba.size());
      for (const Measure& measure : measures())
        if (measure.task == Task::classification)
          for (const auto value :
               {estimate_of(result.variants[0], measure).mean, measure.value(result.variants[0].pooled)})
            bits.back().push_back(value.value_or(-1));
    });
  }
  EXPECT_EQ(bits[0], bits[1]);
}

// The fill value of a missing cell is the median of the training rows; that of all rows would carry tested
// cells into training.
TEST(CrossValidation, FillsMissingCellsFromTheTrainingRowsAlone) {
  const double gap = std::nan("");
  Table table =
      make_table(column({1, 2, 3, gap, 100, 200, 300, gap}), {"a", "a", "b", "b", "a", "a", "b", "b"});
  table.schema = Schema({{"x", false, {}}});
  table.noticed = {{2, 5, {}}};
  const FitSettings settings = settings_for({.model = "lda"});
  const EvaluationSet set = evaluation_set(table, settings, "");
  const FoldRun low = run_fold(set, settings, {0, 1, 2, 3}, {4, 5, 6, 7});
  EXPECT_EQ(std::get<Impute>(low.model.pipeline.steps()[0]).fill[0], 2);
  const FoldRun high = run_fold(set, settings, {4, 5, 6, 7}, {0, 1, 2, 3});
  EXPECT_EQ(std::get<Impute>(high.model.pipeline.steps()[0]).fill[0], 200);
}

// A column of names, a different one in every row: a model that knew all of them could learn the labels by
// heart. In a fold the tested names are unknown, so nothing can be better than chance.
TEST(CrossValidation, KnowsNoCategoryOfTestedRowsThatTrainingRowsDoNotHave) {
  Random random(1);
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels, names;
  for (int i = 0; i < 200; ++i) {
    cells.push_back({static_cast<double>(i)});
    labels.emplace_back(random.below(2) == 0 ? "a" : "b");
    names.push_back("n" + std::to_string(1000 + i));
  }
  Table table = make_table(cells, labels);
  table.schema = Schema({{"name", true, names}});
  table.noticed = {{0, 0, std::vector<Index>(200, 1)}};
  const Request request{.model = "logistic"};
  EXPECT_EQ(fit_table(table, request).train.labels,
            fit_table(table, request).train_labels);  // learned by heart
  const FitSettings settings = settings_for(request);
  const EvaluationSet set = evaluation_set(table, settings, "");
  const Folds folds = make_folds(set.rows, {.folds = 4});
  const FoldRun run = run_fold(set, settings, folds.train(0), folds.test(0));
  EXPECT_EQ(run.unseen, 50);
  EXPECT_EQ(run.model.pipeline.input().column(0).levels.size(), 150u);
  EXPECT_NEAR(mean_of(validate(table, request, {.folds = {.folds = 4}}), "accuracy"), 0.5, 0.12);
}

// Labels that have nothing to do with 100 features of noise: training is perfect, and cross-validation says
// so.
TEST(CrossValidation, OfNoiseIsChanceWhereTrainingIsPerfect) {
  Random random(2);
  std::vector<std::vector<double>> cells(120, std::vector<double>(100));
  std::vector<std::string> labels;
  for (auto& row : cells) {
    for (double& cell : row) cell = random.normal();
    labels.emplace_back(random.below(2) == 0 ? "a" : "b");
  }
  const Table table = make_table(cells, labels);
  const Request request{.model = "least-squares"};
  const FitSettings settings = settings_for(request);
  const CrossValidation result =
      cross_validate(table, settings, {.folds = {.folds = 6}, .judge_training = true}, {{settings.options}});
  const Measure& accuracy = find_measure("accuracy", Task::classification);
  EXPECT_EQ(*training_estimate_of(result.variants[0], accuracy).mean, 1);
  EXPECT_NEAR(*estimate_of(result.variants[0], accuracy).mean, 0.5, 0.15);
}

TEST(CrossValidation, CountsTestedRowsOfAClassThatTrainingDoesNotHaveAsWrong) {
  const Table table = make_table(column({1, 5, 2, 6, 1, 5, 9, 9}), {"a", "b", "a", "b", "a", "b", "c", "c"});
  for (const std::string model : {"lda", "least-squares"}) {
    const CrossValidation result = validate(
        table, {.model = model}, {.folds = {.folds = 2, .time_ordered = true}, .keep_predictions = true});
    // Rows 4, 5 are tested by a model of 4 rows, rows 6, 7 (class c) by a model of 6 rows without a c.
    const Metrics& last = result.variants[0].folds[1].judged.metrics;
    EXPECT_EQ(*last.accuracy, 0);
    EXPECT_EQ(last.per_class[2].support, 2);
    EXPECT_EQ(*last.per_class[2].recall, 0);
    ASSERT_FALSE(result.warnings.empty());
    EXPECT_NE(result.warnings.back().find("2 tested rows are of classes that no training row"),
              std::string::npos)
        << result.warnings.back();
  }
}

TEST(CrossValidation, SaysWhichFoldCannotBeFitted) {
  const Table table = make_table(column({1, 5, 2, 6, 1, 5}), {"a", "a", "a", "b", "b", "b"});
  try {
    validate(table, {.model = "lda"}, {.folds = {.folds = 2, .time_ordered = true}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_EQ(error.message(),
              "fold 1, fitting on 2 of 6 rows: all rows have the label 'a', expected at least two classes");
  }
}

TEST(CrossValidation, LeavesRowsOfWeightZeroOutOfTheFolds) {
  std::vector<double> weights(12, 1.0);
  weights[2] = weights[7] = 0;
  const Table table = make_table(column({1, 5, 99, 2, 6, 1, 5, 98, 3, 7, 2, 6}),
                                 {"a", "b", "a", "a", "b", "a", "b", "b", "a", "b", "a", "b"}, weights);
  const CrossValidation result = validate(table, {.model = "lda", .weight = "weight"},
                                          {.folds = {.folds = 5}, .keep_predictions = true});
  EXPECT_EQ(result.rows, 10);
  std::vector<Index> tested;
  for (const FoldPrediction& fold : result.predictions)
    tested.insert(tested.end(), fold.rows.begin(), fold.rows.end());
  std::sort(tested.begin(), tested.end());
  EXPECT_EQ(tested, (std::vector<Index>{0, 1, 3, 4, 5, 6, 8, 9, 10, 11}));
}

TEST(CrossValidation, DividesTheStandardErrorByTheFoldsOfOneRepeat) {
  // Mean 3, squares 4 + 1 + 0 + 1 + 4 = 10, s^2 = 2.5.
  const Estimate once = mean_and_error({1, 2, 3, 4, 5}, 5);
  EXPECT_DOUBLE_EQ(*once.mean, 3);
  EXPECT_DOUBLE_EQ(*once.se, std::sqrt(2.5 / 5));
  const Estimate twice = mean_and_error({1, 2, 3, 4, 5, 1, 2, 3, 4, 5}, 5);
  EXPECT_DOUBLE_EQ(*twice.se, std::sqrt(20.0 / 9 / 5));
  EXPECT_FALSE(mean_and_error({4}, 5).se);
  EXPECT_FALSE(mean_and_error({}, 5).mean);
}

// Of a class that no fitted row has, priors, weights and costs are left out: the rest of the priors keep
// their proportions.
TEST(CrossValidation, AnAbsentClassIsLeftOutOfTheOptions) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  Random random(3);
  for (int i = 0; i < 30; ++i) {
    labels.emplace_back(1, static_cast<char>('a' + i % 3));
    rows.push_back({random.normal() + i % 3, random.normal()});
  }
  const Table table = make_table(rows, labels);
  Request request{.model = "lda", .options = {{"priors", "a=0.2,b=0.3,c=0.5"}}, .class_weight = "a=2,c=3"};
  FitSettings settings = settings_for(request);
  settings.decision.cost = "a:b=4,b:a=6,b:c=9";
  settings.decision.reject = 5;
  const EvaluationSet set = evaluation_set(table, settings, "");
  std::vector<Index> train, test;
  for (Index i = 0; i < 30; ++i) (i % 3 == 2 ? test : train).push_back(i);
  const FoldRun run = run_fold(set, settings, train, test);
  EXPECT_EQ(run.absent, 10);
  EXPECT_EQ(run.model.decision->cost, (Matrix{{0, 4}, {6, 0}}));
  Request two{.model = "lda", .options = {{"priors", "a=0.4,b=0.6"}}, .class_weight = "a=2"};
  const Model expected = fit_table(select_rows(table, train), two).model;
  EXPECT_EQ(std::get<Linear>(run.model.predictor).weights, std::get<Linear>(expected.predictor).weights);
  EXPECT_NEAR(std::get<Linear>(run.model.predictor).bias[0], std::get<Linear>(expected.predictor).bias[0],
              1e-12);
  // C of the set's classes: every row of c is decided as a or b, or rejected at 5.
  EXPECT_GE(*run.judged.metrics.cost, 1);
}

TEST(CrossValidation, TriesEveryPointOfAGridOnTheSameFolds) {
  const Request request{.model = "logistic", .target = "diabetes"};
  const Table table = read_for(data_file("pima_diabetes.csv"), request);
  const FitSettings settings = settings_for(request);
  const auto points = grid_points({{"l2", {"0.1", "1000"}}, {"no-bias", {"false", "true"}}});
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[1], (GridPoint{{"l2", "0.1"}, {"no-bias", "true"}}));
  std::vector<Variant> variants;
  for (const GridPoint& point : points) variants.push_back({with_point(settings.options, point)});
  const CrossValidationOptions options{.folds = {.folds = 3}};
  const CrossValidation all = cross_validate(table, settings, options, variants);
  for (std::size_t v = 0; v < 4; ++v) {
    const CrossValidation alone = cross_validate(table, settings, options, {variants[v]});
    const Measure& loss = find_measure("log_loss", Task::classification);
    EXPECT_EQ(*estimate_of(all.variants[v], loss).mean, *estimate_of(alone.variants[0], loss).mean);
  }
}

}  // namespace
}  // namespace discern::cross_validate_test
