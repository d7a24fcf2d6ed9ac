// Regularisation paths: every point is the fit under its penalty, the choice is that of cross-validation.
#include "discern/catalogue/path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "tests/support/fitting.hpp"

namespace discern::path_test {
namespace {

using support::data_file;
using support::read_for;
using support::Request;

FitSettings settings_for(const Request& request) {
  FitSettings settings;
  settings.options = find_model(request.model).make(request.model);
  for (const auto& [name, text] : request.options) set_option(settings.options, name, text);
  settings.task = request.task;
  settings.target = request.target;
  settings.standardize = request.standardize;
  settings.encode = settings.impute = true;
  return settings;
}

PathOutcome path_of(const char* file, const Request& request, const PathSettings& path) {
  return follow_path(read_for(data_file(file), request), settings_for(request), path);
}

std::vector<double> parameters(const PathOutcome& outcome, std::size_t point) {
  Model model = outcome.fit.model;
  model.predictor = outcome.path.predictor(point);
  return support::parameters(model);
}

void expect_near(const std::vector<double>& found, const std::vector<double>& exact, double tolerance) {
  ASSERT_EQ(found.size(), exact.size());
  double size = 0;
  for (const double w : exact) size = std::max(size, std::fabs(w));
  for (std::size_t j = 0; j < found.size(); ++j)
    EXPECT_NEAR(found[j], exact[j], tolerance * size) << "parameter " << j;
}

PathOptions penalty(PathPenalty kind, Index points) {
  PathOptions options;
  options.penalty = kind;
  options.points = points;
  return options;
}

const Request lasso{.model = "lasso", .task = Task::regression, .target = "target"};

struct Case {
  const char* file;
  Request request;
  PathPenalty kind;
};

std::vector<Case> cases() {
  using enum PathPenalty;
  return {{"diabetes.csv", lasso, l1},
          {"diabetes.csv", lasso, l2},
          {"breast_cancer_wdbc.csv", {}, l1},
          {"breast_cancer_wdbc.csv", {.standardize = false}, elastic_net},
          {"pima_diabetes.csv", {.options = {{"no-bias", "true"}}, .target = "diabetes"}, l1},
          {"wine.csv", {}, elastic_net},
          {"iris.csv", {}, l2},
          {"iris.csv", {.model = "svm", .options = {{"loss", "squared-hinge"}}}, l1},
          {"iris.csv", {.model = "least-squares"}, l1},
          {"house_votes84_missing.csv", {.target = "Class"}, l1},
          {"heart_scale.svm", {.target = "label"}, l1}};
}

TEST(Path, PointsAreTheFitsUnderTheirPenalties) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(std::string(one.file) + " " + one.request.model);
    PathOptions options = penalty(one.kind, 8);
    options.ratio = 1e-3;
    const PathOutcome outcome = path_of(one.file, one.request, {options, {}});
    for (const std::size_t k : {2u, 5u, 7u}) {
      const PathPoint& point = outcome.path.points[k];
      FitSettings settings = settings_for(one.request);
      settings.options = with_penalty(settings.options, point.l1, point.l2);
      const Model fitted = fit_model(read_for(data_file(one.file), one.request), settings).model;
      EXPECT_NEAR(point.objective, *fitted.summary.objective, 1e-9 * point.objective);
      expect_near(parameters(outcome, k), support::parameters(fitted), 1e-6);
    }
  }
}

TEST(Path, EveryPointIsCertifiedAndTheFirstHasNoWeights) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(std::string(one.file) + " " + one.request.model);
    PathOptions options = penalty(one.kind, 30);
    options.ratio = 1e-2;
    const LinearPath path = path_of(one.file, one.request, {options, {}}).path;
    ASSERT_EQ(path.points.size(), 30u);
    for (std::size_t k = 0; k < path.points.size(); ++k) {
      EXPECT_TRUE(path.points[k].converged) << k;
      EXPECT_LE(path.points[k].certificate.value, path.tolerance);
      if (k > 0) {
        EXPECT_GE(path.points[k].explained, path.points[k - 1].explained - 1e-9);
      }
    }
    if (one.kind == PathPenalty::l2) continue;
    EXPECT_EQ(path.points[0].nonzero, 0);
    EXPECT_NEAR(path.points[0].explained, 0, 1e-12);
    EXPECT_GT(path.points[1].nonzero, 0);
  }
}

// R 4.2.2's glmnet 4.1.6 with thresh = 1e-14, standardize = TRUE, polished by Newton's method on the weights
// that are not zero: family gaussian on diabetes, lambda 10, 1, 0.1.
TEST(Path, HasTheWeightsOfGlmnetsLasso) {
  PathOptions options;
  for (const double lambda : {10.0, 1.0, 0.1}) options.given.push_back({442 * lambda, 0});
  const PathOutcome outcome = path_of("diabetes.csv", lasso, {options, {}});
  const std::vector<std::vector<double>> exact{
      {0, 0, 5.120871453352926, 0.4923317496432022, 0, 0, -0.23910038568610492, 0, 37.53526190282394, 0,
       -191.84341706166828},
      {0, -18.676170701900105, 5.626744551371444, 1.0197860853129401, -0.1399798366238633, 0,
       -0.8222226072739052, 0, 46.80139281764734, 0.22309532104050042, -235.5445525623761},
      {-0.02119659742017729, -22.366482539139767, 5.631680430865829, 1.1032510984612651, -0.7659372610324383,
       0.45284119705553255, 0, 5.463984549411777, 60.53855619954629, 0.27507682721777577,
       -302.68993367680923}};
  for (std::size_t k = 0; k < exact.size(); ++k) expect_near(parameters(outcome, k), exact[k], 1e-8);
  EXPECT_EQ(outcome.path.points[1].nonzero, 7);
  EXPECT_EQ(outcome.path.points[1].freedom, 7.0);
}

// The same of family binomial on pima_diabetes with alpha = 0.5, lambda 0.1 and 0.02, class "pos".
TEST(Path, HasTheWeightsOfGlmnetsElasticNet) {
  PathOptions options = penalty(PathPenalty::elastic_net, 2);
  for (const double lambda : {0.1, 0.02}) options.given.push_back({768 * lambda / 2, 768 * lambda / 2});
  const PathOutcome outcome = path_of("pima_diabetes.csv", {.target = "diabetes"}, {options, {}});
  expect_near(parameters(outcome, 0),
              {0.03723903156387844, 0.01854327205815027, 0, 0, 0, 0.030761661196226586, 0.09936281213680506,
               0.004762917151550886, -4.268677365075629},
              1e-8);
  expect_near(parameters(outcome, 1),
              {0.09535228472550614, 0.028661485585255723, -0.006092211148620771, 0, -0.00011257980068170839,
               0.06719133584451935, 0.6472641612263099, 0.012479179546950618, -7.078339895230793},
              1e-8);
}

// Efron, Hastie, Johnstone and Tibshirani (2004), figure 1: the lasso takes 3, 9, 4, 7, 2, 10, 5 in first.
TEST(Path, WeightsEnterInTheOrderOfTheLiterature) {
  const PathOutcome outcome = path_of("diabetes.csv", lasso, {penalty(PathPenalty::l1, 100), {}});
  const std::vector<PathEntry> entries = entries_of(outcome.path);
  ASSERT_EQ(entries.size(), 10u);
  const std::vector<Index> order{2, 8, 3, 6, 1, 9, 4};
  for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(entries[k].feature, order[k]) << k;
  for (std::size_t k = 1; k < entries.size(); ++k) EXPECT_GE(entries[k].point, entries[k - 1].point);
}

// Of one standardised feature the trace of the hat matrix is n / (n + l2).
TEST(Path, DegreesOfFreedomOfARidgeAreTheTraceOfItsHatMatrix) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 40; ++i) {
    rows.push_back({std::sin(i) + i % 3});
    labels.push_back(i % 3 == 0 ? "a" : "b");
  }
  const Table table = support::make_table(rows, labels);
  const FitSettings settings = settings_for({.model = "ridge"});
  const LinearPath path = follow_path(table, settings, {penalty(PathPenalty::l2, 10), {}}).path;
  EXPECT_NEAR(path.points[0].l2, 40, 1e-9);
  for (const PathPoint& point : path.points) EXPECT_NEAR(*point.freedom, 40 / (40 + point.l2), 1e-9);
}

// What cross_validate says of single fits on the same folds, fill values and levels learned in each.
TEST(Path, FoldsScoreAsCrossValidationOfEachPenaltyDoes) {
  const std::vector<Case> all{{"house_votes84_missing.csv", {.target = "Class"}, PathPenalty::l1},
                              {"wine.csv", {}, PathPenalty::l1},
                              {"diabetes.csv", lasso, PathPenalty::l2}};
  for (const Case& one : all) {
    SCOPED_TRACE(one.file);
    const FoldOptions folds{.folds = 4, .seed = 3};
    PathSettings path{penalty(one.kind, 6), folds};
    path.path.ratio = 1e-2;
    const PathOutcome outcome = path_of(one.file, one.request, path);
    const FitSettings settings = settings_for(one.request);
    std::vector<Variant> variants;
    for (const PathPoint& point : outcome.path.points)
      variants.push_back({with_penalty(settings.options, point.l1, point.l2)});
    const CrossValidation single =
        cross_validate(read_for(data_file(one.file), one.request), settings, {folds}, variants);
    for (std::size_t k = 0; k < variants.size(); ++k) {
      const Estimate expected = estimate_of(single.variants[k], *outcome.metric);
      EXPECT_NEAR(*outcome.scores[k].mean, *expected.mean, 1e-6 * std::fabs(*expected.mean)) << k;
      EXPECT_NEAR(*outcome.scores[k].se, *expected.se, 1e-5 * *expected.se) << k;
    }
  }
}

TEST(Path, ChoosesTheBestAndTheLargestPenaltyWithinOneStandardError) {
  PathSettings path{penalty(PathPenalty::l1, 30), FoldOptions{}};
  const PathOutcome outcome = path_of("breast_cancer_wdbc.csv", {}, path);
  const auto mean = [&](std::size_t k) { return *outcome.scores[k].mean; };
  const double limit = mean(outcome.best) + *outcome.scores[outcome.best].se;
  for (std::size_t k = 0; k < outcome.scores.size(); ++k) EXPECT_GE(mean(k), mean(outcome.best));
  EXPECT_LT(outcome.within_se, outcome.best);
  EXPECT_LE(mean(outcome.within_se), limit);
  EXPECT_GT(mean(outcome.within_se - 1), limit);
  EXPECT_EQ(outcome.metric->name, "log_loss");
}

// More features than rows, so that working sets are gathered and left.
Table wide_table() {
  Random random(5);
  std::vector<std::vector<double>> rows(80, std::vector<double>(600));
  std::vector<std::string> labels;
  for (auto& row : rows) {
    for (double& value : row) value = random.normal();
    const double score = row[0] - row[1] + 0.5 * row[2] + 0.5 * random.normal();
    labels.push_back(score > 0 ? "a" : "b");
  }
  return support::make_table(rows, labels);
}

TEST(Path, HasTheSameBitsOnOneThreadAndTwo) {
  const Table dense = wide_table();
  for (const Table& table : {dense, support::as_sparse(dense)})
    for (const char* model : {"lasso", "logistic"}) {
      std::vector<PathOutcome> outcomes;
      for (const int threads : {1, 2})
        with_threads(threads, [&] {
          outcomes.push_back(follow_path(table, settings_for({.model = model}),
                                         {penalty(PathPenalty::l1, 20), FoldOptions{.folds = 3}}));
        });
      for (std::size_t k = 0; k < outcomes[0].path.points.size(); ++k) {
        EXPECT_TRUE(outcomes[0].path.points[k].converged) << model << k;
        EXPECT_EQ(outcomes[0].path.points[k].weights, outcomes[1].path.points[k].weights) << model << k;
        EXPECT_EQ(outcomes[0].scores[k].mean, outcomes[1].scores[k].mean) << model << k;
      }
    }
}

TEST(Path, SparseRowsGiveTheSameWeightsAsDenseOnes) {
  const Table dense = wide_table();
  for (const char* model : {"lasso", "logistic"}) {
    const PathSettings path{penalty(PathPenalty::l1, 12), {}};
    const LinearPath one = follow_path(dense, settings_for({.model = model}), path).path;
    const LinearPath other =
        follow_path(support::as_sparse(dense), settings_for({.model = model}), path).path;
    for (std::size_t k = 0; k < one.points.size(); ++k) {
      EXPECT_NEAR(one.points[k].l1, other.points[k].l1, 1e-9 * one.points[k].l1);
      EXPECT_NEAR(one.points[k].objective, other.points[k].objective, 1e-8 * one.points[k].objective);
    }
  }
}

// The columns of yes and no are each other's complement: one of them can do without a weight.
TEST(Path, FitsLeaveNoWeightsOfRounding) {
  const Request request{.target = "Class"};
  const Table table = read_for(data_file("house_votes84_missing.csv"), request);
  for (const double l1 : {1.0, 2.0, 5.0, 10.0}) {
    FitSettings settings = settings_for(request);
    settings.options = with_penalty(settings.options, l1, 0);
    const Model model = fit_model(table, settings).model;
    EXPECT_LE(model.summary.certificate.value, 1e-11);
    for (const double w : support::parameters(model))
      EXPECT_TRUE(w == 0 || std::fabs(w) > 1e-6) << w << " under l1 = " << l1;
  }
}

// Nothing but the bias at the first point, and nothing at all without one.
TEST(Path, HasNoDegreesOfFreedomWithoutWeights) {
  for (const char* no_bias : {"false", "true"}) {
    const Request request{.options = {{"no-bias", no_bias}}, .target = "diabetes"};
    const PathOutcome outcome =
        path_of("pima_diabetes.csv", request, {penalty(PathPenalty::elastic_net, 2), {}});
    EXPECT_EQ(outcome.path.points[0].nonzero, 0);
    EXPECT_EQ(outcome.path.points[0].freedom, 0.0);
    EXPECT_EQ(outcome.path.points[0].explained, 0.0);
    EXPECT_GT(*outcome.path.points[1].freedom, 1.0);
  }
}

TEST(Path, ElasticNetDoesNotDependOnTheUnitOfTheTarget) {
  const Request request{.model = "elastic-net", .task = Task::regression, .target = "target"};
  Table table = read_for(data_file("diabetes.csv"), request);
  const PathSettings path{penalty(PathPenalty::elastic_net, 10), {}};
  const PathOutcome plain = follow_path(table, settings_for(request), path);
  for (SideColumn& column : table.side)
    for (double& value : column.values) value *= 1e6;
  const PathOutcome large = follow_path(table, settings_for(request), path);
  for (std::size_t k = 0; k < plain.path.points.size(); ++k) {
    const PathPoint &one = plain.path.points[k], &other = large.path.points[k];
    EXPECT_NEAR(other.l1, 1e6 * one.l1, 1e-3 * one.l1);
    EXPECT_NEAR(other.l2, one.l2, 1e-9 * one.l2);
    EXPECT_NEAR(other.explained, one.explained, 1e-9);
    std::vector<double> expected = parameters(plain, k);
    for (double& w : expected) w *= 1e6;
    expect_near(parameters(large, k), expected, 1e-7);
  }
  // Half of the penalty is l1 = s/2, the other l2 = s/2 over the standard deviation 77.00574586945044 of the
  // 442 targets (numpy's std).
  EXPECT_NEAR(plain.path.points[3].l1 / plain.path.points[3].l2, 77.00574586945044, 1e-9);
}

// Every value of the features comes with both classes equally often: the slopes are rounding.
TEST(Path, SaysThatThereIsNothingToRegularise) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 70; ++i)
    for (const char* label : {"a", "b", "b"}) {
      rows.push_back({0.1 * (i % 7), std::sqrt(i % 10)});
      labels.push_back(label);
    }
  for (const PathPenalty kind : {PathPenalty::l1, PathPenalty::l2}) try {
      follow_path(support::make_table(rows, labels), settings_for({}), {penalty(kind, 5), {}});
      FAIL() << "followed a path of noise";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::data);
      EXPECT_NE(error.message().find("nothing to regularise"), std::string::npos);
      EXPECT_EQ(error.place().column, "class");
    }
}

// l1_0 = max_j |sum_i x_ij (p - y_i)|, p the share of the positive class, however far from centred x is.
TEST(Path, TheFirstPenaltyOfSparseRowsIsExact) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  double slope = 0;
  for (int i = 0; i < 40; ++i) {
    const double x = 1000 + i % 7, y = i % 5 == 0 ? 1 : 0;
    rows.push_back({x});
    labels.push_back(y > 0 ? "b" : "a");
    slope += (i % 7) * (0.2 - y);  // sum_i (p - y_i) = 0
  }
  const LinearPath path = follow_path(support::as_sparse(support::make_table(rows, labels)),
                                      settings_for({.standardize = false}), {penalty(PathPenalty::l1, 2), {}})
                              .path;
  EXPECT_NEAR(path.points[0].l1, std::fabs(slope), 1e-10 * std::fabs(slope));
}

TEST(Path, RefusesWhatHasNone) {
  const auto refusal = [](const Request& request) {
    try {
      check_path(settings_for(request));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_NE(refusal({.model = "lda"}).find("the model lda has no path"), std::string::npos);
  EXPECT_NE(refusal({.model = "svm"}).find("`loss` squared-hinge"), std::string::npos);
  EXPECT_NE(refusal({.options = {{"penalize-bias", "true"}}}).find("`penalize_bias`"), std::string::npos);
  EXPECT_NE(refusal({.options = {{"firth", "true"}}}).find("`firth`"), std::string::npos);
  EXPECT_NE(refusal({.options = {{"solver", "lbfgs"}}}).find("`solver`"), std::string::npos);
}

}  // namespace
}  // namespace discern::path_test
