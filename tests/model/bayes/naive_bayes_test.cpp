// Naive Bayes against scikit-learn 1.9.1 (predict_joint_log_proba of GaussianNB, MultinomialNB, ComplementNB,
// BernoulliNB and CategoricalNB), against R's e1071 1.7.13 (naiveBayes, predict(type = "raw")), and for
// kernel densities against R 4.2.2's bw.nrd0 and dnorm: log P_k + sum_j log mean(dnorm(x_j, class values,
// bw.nrd0(class values))).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/model/bayes/bandwidth.hpp"
#include "discern/model/shape/additive.hpp"
#include "discern/stats/class_columns.hpp"
#include "tests/support/fitting.hpp"

namespace discern::naive_bayes_test {
namespace {

using support::as_sparse;
using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;

Request bayes(std::vector<std::pair<std::string, std::string>> options = {}) {
  return {.model = "naive-bayes", .options = std::move(options)};
}

void expect_near(const Matrix& found, Index row, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.cols(), static_cast<Index>(expected.size()));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(found(row, static_cast<Index>(k)), expected[k], tolerance * std::fabs(expected[k]))
        << "row " << row << " class " << k;
}

Index errors(const FitOutcome& outcome) {
  Index count = 0;
  for (std::size_t i = 0; i < outcome.train.labels.size(); ++i)
    count += outcome.train.labels[i] != outcome.train_labels[i] ? 1 : 0;
  return count;
}

template <class Work>
Error error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {Code::usage, ""};
}

TEST(NaiveBayes, GaussianScoresEqualScikitLearnOnWine) {
  const auto outcome = fit_file(data_file("wine.csv"), bayes());
  expect_near(outcome.train.scores, 0, {-16.153616505678617, -38.8602729548542, -108.51978559882787}, 1e-10);
  expect_near(outcome.train.scores, 70, {-54.95328789374294, -22.56232431590249, -22.787781040351042}, 1e-10);
  expect_near(outcome.train.scores, 150, {-63.76847988645669, -47.94173805029486, -22.651651800126587},
              1e-10);
  EXPECT_EQ(errors(outcome), 2);
}

TEST(NaiveBayes, MeansAndVariancesEqualScikitLearnOnIris) {
  const auto outcome = fit_file(data_file("iris.csv"), bayes());
  const auto& additive = std::get<Additive>(outcome.model.predictor);
  const Matrix variance = additive.precision.cwiseAbs2().cwiseInverse();
  expect_near(additive.means, 0, {5.006, 3.428, 1.462, 0.246}, 1e-12);
  expect_near(variance, 0,
              {0.12176400309550259, 0.14081600309550263, 0.029556003095502676, 0.010884003095502673}, 1e-11);
  EXPECT_EQ(errors(outcome), 6);
}

TEST(NaiveBayes, PriorsSetByHandEqualScikitLearn) {
  const auto outcome =
      fit_file(data_file("wine.csv"), bayes({{"priors", "class_2=0.5,class_0=0.2,class_1=0.3"}}));
  expect_near(outcome.train.proba, 60, {1.299626543918367e-17, 0.9999689156006752, 3.1084399323884434e-05},
              1e-8);
  expect_near(outcome.train.proba, 70, {2.315705882564853e-15, 0.33696521142121133, 0.6630347885787858},
              1e-8);
}

TEST(NaiveBayes, UnbiasedWithoutSmoothingEqualsE1071) {
  const Request request = bayes({{"unbiased", "true"}, {"variance-smoothing", "0"}});
  const auto wine = fit_file(data_file("wine.csv"), request);
  expect_near(wine.train.scores, 0, {-16.155014203643141, -38.605017435598484, -106.744903200266961}, 1e-10);
  expect_near(wine.train.proba, 0, {0.9999999998221363, 1.7786376352608783e-10, 4.542668991738317e-40}, 1e-8);
  EXPECT_EQ(errors(wine), 2);
  const auto iris = fit_file(data_file("iris.csv"), request);
  expect_near(iris.train.proba, 0, {1, 2.9813093614082462e-18, 2.1523731218309226e-25}, 1e-8);
  EXPECT_EQ(errors(iris), 6);
}

TEST(NaiveBayes, MultinomialScoresEqualScikitLearnOnDigits) {
  const auto one = fit_file(data_file("digits.csv"), bayes({{"density", "multinomial"}}));
  expect_near(one.train.scores, 0,
              {-1036.2492680348814, -1235.1910930277709, -1272.7302171580595, -1219.9232909580303,
               -1162.9121948687807, -1200.6951352289511, -1280.6532544452057, -1206.8677574584292,
               -1172.0072992282353, -1142.2023369519816},
              1e-11);
  EXPECT_EQ(errors(one), 170);
  EXPECT_TRUE(std::holds_alternative<Linear>(one.model.predictor));
  const auto half =
      fit_file(data_file("digits.csv"), bayes({{"density", "multinomial"}, {"smoothing", "0.5"}}));
  expect_near(
      half.train.scores, 7,
      {-1395.7309285007486, -1148.8588928261809, -1239.3992675646095, -1209.4900264611563, -1222.178833092926,
       -1147.2102408896853, -1411.628250504911, -1029.586204220913, -1135.3373231812568, -1169.757313418204},
      1e-11);
  EXPECT_EQ(errors(half), 171);
}

TEST(NaiveBayes, ComplementScoresEqualScikitLearnOnDigits) {
  const auto outcome = fit_file(data_file("digits.csv"), bayes({{"density", "complement"}}));
  expect_near(
      outcome.train.scores, 7,
      {1109.8890545977902, 1115.283136984472, 1112.3935211138078, 1114.1976742865327, 1113.9726608299407,
       1120.762717232711, 1107.2758698673726, 1134.0133012698757, 1115.9572922348784, 1115.7230915898592},
      1e-11);
  EXPECT_EQ(errors(outcome), 320);
}

Table digits_present() {
  Table table = support::read_for(data_file("digits.csv"), {});
  std::visit(
      [](auto& x) {
        for (Index i = 0; i < x.values.size(); ++i) x.values[i] = x.values[i] > 0 ? 1 : 0;
      },
      table.x);
  return table;
}

TEST(NaiveBayes, ColumnsOfZeroAndOneAreBernoulliAndEqualScikitLearn) {
  const auto outcome = fit_table(digits_present(), bayes());
  expect_near(
      outcome.train.scores, 0,
      {-13.052410949798656, -52.71969598134288, -59.18251526165601, -49.49065919402533, -32.12280775620053,
       -35.79906497276211, -50.99148405981785, -41.708132078546605, -43.24243640753584, -37.832606343044205},
      1e-11);
  EXPECT_EQ(errors(outcome), 245);
  EXPECT_TRUE(std::holds_alternative<Linear>(outcome.model.predictor));
}

TEST(NaiveBayes, SparseCountsAreMultinomialAndStaySparse) {
  const Table digits = support::read_for(data_file("digits.csv"), {});
  const auto sparse = fit_table(as_sparse(digits), bayes());
  const auto dense = fit_table(digits, bayes({{"density", "multinomial"}}));
  EXPECT_LT((sparse.train.scores - dense.train.scores).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(NaiveBayes, TextIsCategoricalAndEqualsScikitLearnOnVotes) {
  Request request = bayes();
  request.target = "Class";
  const auto one = fit_file(data_file("house_votes84_missing.csv"), request);
  ASSERT_EQ(one.train.scores.cols(), 1);
  const double expected[] = {15.934979286235816, 15.592866169724514, 2.784787279445272, -3.5826798369842,
                             -3.8820557172735217};
  for (Index i = 0; i < 5; ++i)
    EXPECT_NEAR(one.train.scores(i, 0), expected[i], 1e-11 * std::fabs(expected[i]));
  EXPECT_EQ(errors(one), 42);
  request.options = {{"smoothing", "0.1"}};
  const auto tenth = fit_file(data_file("house_votes84_missing.csv"), request);
  EXPECT_NEAR(tenth.train.scores(0, 0), 16.136670457827215, 1e-11);
  EXPECT_NEAR(tenth.train.scores(4, 0), -4.112613099985683, 1e-11);
}

TEST(NaiveBayes, KernelDensitiesEqualTheirDefinitionWithTheBandwidthsOfR) {
  const auto outcome = fit_file(data_file("iris.csv"), bayes({{"density", "kde"}}));
  expect_near(outcome.train.scores, 0, {1.9860408789539867, -94.6488001290973386, -161.7584715838167426},
              1e-10);
  // Where R's densities underflow to 0, the logarithms go on.
  EXPECT_LT(outcome.train.scores(70, 0), -400);
  EXPECT_NEAR(outcome.train.scores(70, 1), -4.4657051463847850, 1e-10);
  EXPECT_NEAR(outcome.train.scores(70, 2), -2.9941788103534979, 1e-10);
  const auto wide = fit_file(data_file("iris.csv"), bayes({{"density", "kde"}, {"bandwidth", "0.4"}}));
  expect_near(wide.train.scores, 0, {-1.8541104048384542, -18.7649598461289422, -46.1870453971686104}, 1e-10);
  expect_near(wide.train.scores, 70, {-39.5510889192957791, -3.5522587396702052, -3.7417551162329303}, 1e-10);
}

// L(h) by its definition, one row after the other left out.
double likelihood_by_definition(const std::vector<double>& rows, double h) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    long double density = 0;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const long double u = (rows[i] - rows[j]) / h;
      if (j != i) density += std::exp(-u * u / 2);
    }
    sum += static_cast<double>(std::log(
        density / (std::sqrt(2 * 3.14159265358979323846L) * h * static_cast<long double>(rows.size() - 1))));
  }
  return sum;
}

// Some rows, many of them rounded so that values repeat, and one far away.
std::vector<double> rows_with_repeats() {
  Random random(5);
  std::vector<double> rows;
  for (int i = 0; i < 60; ++i) rows.push_back(i < 30 ? random.normal() : std::round(5 * random.normal()) / 5);
  rows.push_back(9);
  std::sort(rows.begin(), rows.end());
  return rows;
}

WeightedValues points_of(const std::vector<double>& rows) {
  WeightedValues points;
  for (const double row : rows)
    if (!points.empty() && points.back().value == row)
      points.back().weight += 1;
    else
      points.push_back({row, 1});
  return points;
}

TEST(Bandwidth, TheLeaveOneOutLikelihoodIsItsDefinition) {
  const std::vector<double> rows = rows_with_repeats();
  for (const double h : {0.05, 0.3, 1.0, 4.0})
    EXPECT_NEAR(leave_one_out(points_of(rows), h), likelihood_by_definition(rows, h),
                1e-11 * std::fabs(likelihood_by_definition(rows, h)))
        << h;
}

TEST(Bandwidth, NoOtherOfTheSearchHasALargerLikelihood) {
  const std::vector<double> rows = rows_with_repeats();
  const double silverman = 0.4, found = cross_validated_bandwidth(points_of(rows), silverman);
  const double best = likelihood_by_definition(rows, found);
  EXPECT_GT(found, silverman / 10);
  EXPECT_LT(found, silverman * 10);
  for (double h = silverman / 10; h <= silverman * 10; h *= 1.01)
    EXPECT_LE(likelihood_by_definition(rows, h), best + 1e-4) << h;
}

// Beyond 2,000 values these are rounded for the search: to a fortieth of Silverman's bandwidth.
TEST(Bandwidth, OfManyValuesIsCloseToThatOfAllOfThem) {
  Random random(9);
  std::vector<double> rows;
  for (int i = 0; i < 2500; ++i) rows.push_back(random.normal() + (i % 2 == 0 ? 3 : 0));
  std::sort(rows.begin(), rows.end());
  const WeightedValues points = points_of(rows);
  const double silverman = 0.34, found = cross_validated_bandwidth(points, silverman);
  double best = 0, largest = -1e300;
  for (double h = silverman / 10; h <= silverman; h *= 1.02)
    if (const double value = leave_one_out(points, h); value > largest) {
      best = h;
      largest = value;
    }
  EXPECT_NEAR(found, best, 0.03 * best);
}

TEST(NaiveBayes, KernelsOfCrossValidationAreThoseOfEachFeatureAndClass) {
  const auto outcome = fit_file(data_file("iris.csv"), bayes({{"density", "kde"}, {"bandwidth", "cv"}}));
  const auto plain = fit_file(data_file("iris.csv"), bayes({{"density", "kde"}}));
  const Kernels& kernels = std::get<Additive>(outcome.model.predictor).kernels;
  const Kernels& silverman = std::get<Additive>(plain.model.predictor).kernels;
  const Table iris = support::read_for(data_file("iris.csv"), {});
  const auto& x = std::get<DenseMatrix<double>>(iris.x);
  for (Index k = 0; k < 3; ++k)
    for (Index j = 0; j < 4; ++j) {
      std::vector<double> rows;
      for (Index i = 50 * k; i < 50 * k + 50; ++i) rows.push_back(x.values[4 * i + j]);
      std::sort(rows.begin(), rows.end());
      EXPECT_EQ(kernels.widths(k, j), cross_validated_bandwidth(points_of(rows), silverman.widths(k, j)));
      // The file has tenths of a centimetre: no kernel is narrower than half of one.
      EXPECT_GE(kernels.widths(k, j), 0.05 * (1 - 1e-9));
    }
}

TEST(NaiveBayes, ABandwidthIsAWordOrANumberAboveZero) {
  const auto widths = [](const std::string& bandwidth) {
    const auto outcome =
        fit_file(data_file("iris.csv"), bayes({{"density", "kde"}, {"bandwidth", bandwidth}}));
    return std::get<Additive>(outcome.model.predictor).kernels.widths;
  };
  EXPECT_NE(widths("silverman"), widths("cv"));
  EXPECT_EQ(widths("0.25").maxCoeff(), 0.25);
  for (const std::string text : {"0", "-1", "wide", ""}) {
    const Error error = error_of([&] { widths(text); });
    EXPECT_EQ(error.code(), Code::usage);
    EXPECT_EQ(error.message(), "`bandwidth`: expected silverman, cv or a number above 0, got '" + text + "'");
  }
  const Error error = error_of([] { fit_file(data_file("iris.csv"), bayes({{"bandwidth", "cv"}})); });
  EXPECT_EQ(error.code(), Code::usage);
  EXPECT_EQ(error.message(),
            "`bandwidth` cv is for kernel densities, and no feature has one; see `density` kde");
}

// A weight counts as so many rows, and one row has no bandwidth.
TEST(NaiveBayes, KernelsNeedMoreThanOneRowOfWeight) {
  const auto fit = [](double weight, const std::string& bandwidth) {
    const Table table = make_table({{1}, {2}, {4}, {5}, {7}, {9}}, {"a", "a", "a", "b", "b", "b"},
                                   std::vector<double>(6, weight));
    Request request = bayes({{"density", "kde"}, {"bandwidth", bandwidth}});
    request.weight = "weight";
    return fit_table(table, request);
  };
  for (const char* bandwidth : {"silverman", "cv"}) {
    const Error error = error_of([&] { fit(1.0 / 6, bandwidth); });
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_NE(error.message().find("the weights of class 'a' sum to 0.5"), std::string::npos)
        << error.message();
  }
  EXPECT_NO_THROW(fit(1.0 / 6, "0.5"));
  EXPECT_NO_THROW(fit(1, "silverman"));
}

TEST(NaiveBayes, AKernelDensityIntegratesToOne) {
  const auto outcome = fit_file(data_file("iris.csv"), bayes({{"density", "kde"}}));
  const Kernels& kernels = std::get<Additive>(outcome.model.predictor).kernels;
  for (const Index density : {0, 5, 11}) {
    double sum = 0;
    for (double x = -5; x < 15; x += 0.001) sum += 0.001 * std::exp(log_density(kernels, density, x));
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(NaiveBayes, AMixIsTheSumOfItsParts) {
  Random random(3);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 200; ++i) {
    const bool b = random.below(2) == 1;
    rows.push_back({random.normal() + b, static_cast<double>(random.below(b ? 3 : 2) > 0),
                    static_cast<double>(random.below(b ? 4 : 6)), random.normal() * (b ? 2 : 1)});
    labels.emplace_back(b ? "b" : "a");
  }
  const Table table = make_table(rows, labels);
  const auto only = [&](std::size_t column, const std::string& kind) {
    std::vector<std::vector<double>> one;
    for (const auto& row : rows) one.push_back({row[column]});
    // Without the smoothing of variances, which knows the other columns.
    return fit_table(make_table(one, labels),
                     bayes({{"density", kind}, {"variance-smoothing", "0"}, {"priors", "equal"}}))
        .train.scores;
  };
  const auto difference = [](const Matrix& scores) -> Vector {
    return scores.cols() == 2 ? Vector(scores.col(1) - scores.col(0)) : Vector(scores.col(0));
  };
  const auto mix = fit_table(
      table, bayes({{"density", "x3=multinomial,x4=kde"}, {"variance-smoothing", "0"}, {"priors", "equal"}}));
  const Vector sum = difference(only(0, "gaussian")) + difference(only(1, "bernoulli")) +
                     difference(only(2, "multinomial")) + difference(only(3, "kde"));
  EXPECT_LT((difference(mix.train.scores) - sum).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(NaiveBayes, ACategoryThatTrainingDidNotHaveLeavesItsColumnOut) {
  Request request = bayes();
  request.target = "Class";
  const Table votes = support::read_for(data_file("house_votes84_missing.csv"), request);
  const auto outcome = fit_table(votes, request);
  const auto& linear = std::get<Linear>(outcome.model.predictor);
  // Both levels of the first vote have a weight of their own, so that no indicator set means neither.
  EXPECT_EQ(outcome.model.pipeline.feature_name(0), "V1=n");
  EXPECT_EQ(outcome.model.pipeline.feature_name(1), "V1=y");
  EXPECT_NE(linear.weights(0, 0), 0);
  EXPECT_NE(linear.weights(0, 1), 0);
}

// The sums of counts alone are enough for a model, those who go on from it keep more: the model is the same.
TEST(NaiveBayes, CountsGiveTheSameModelWithAndWithoutStatistics) {
  const Table digits = as_sparse(support::read_for(data_file("digits.csv"), {}));
  for (const std::string density : {"auto", "multinomial", "complement"}) {
    Request plain = bayes({{"density", density}}), kept = plain;
    kept.keep_statistics = true;
    const auto a = fit_table(digits, plain), b = fit_table(digits, kept);
    const auto &left = std::get<Linear>(a.model.predictor), &right = std::get<Linear>(b.model.predictor);
    EXPECT_LT((left.weights - right.weights).cwiseAbs().maxCoeff(), 1e-12) << density;
    EXPECT_LT((left.bias - right.bias).cwiseAbs().maxCoeff(), 1e-12) << density;
  }
}

TEST(NaiveBayes, MergedPartsEqualTheWhole) {
  Random random(5);
  const Index rows = 300, cols = 3;
  DenseMatrix<double> x{Buffer<double>(rows * cols), rows, cols};
  Targets targets;
  for (Index i = 0; i < rows; ++i) {
    targets.labels.push_back(static_cast<std::int32_t>(random.below(4)));
    targets.weights.push_back(static_cast<double>(random.below(4)));
    for (Index j = 0; j < cols; ++j) x.values[i * cols + j] = 1e6 + random.normal();
  }
  const auto block = [&](Index first, Index count) {
    Block part{x.view(first, count), first, {}, {}, {}};
    part.labels = std::span<const std::int32_t>(targets.labels)
                      .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    part.weights = std::span<const double>(targets.weights)
                       .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    return part;
  };
  ClassColumns whole(4, cols), left(4, cols), right(4, cols);
  whole.add(block(0, rows));
  left.add(block(0, 70));
  left.add(block(70, 50));
  right.add(block(120, 180));
  left.merge(right);
  const auto a = whole.result(), b = left.result();
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_LT((a.mean - b.mean).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((a.squares - b.squares).cwiseAbs().maxCoeff() / a.squares.maxCoeff(), 1e-9);
}

TEST(NaiveBayes, OnlyZeroAndOneMakeAColumnBernoulli) {
  // 0 and 1; something between; something beyond; one value of each
  const auto outcome = fit_table(
      make_table({{0, 0.5, 2, 0}, {1, 1, 0, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}}, {"a", "a", "b", "b"}), bayes());
  const auto& precision = std::get<Additive>(outcome.model.predictor).precision;
  EXPECT_EQ(precision(0, 0), 0);
  EXPECT_GT(precision(0, 1), 0);
  EXPECT_GT(precision(0, 2), 0);
  EXPECT_EQ(precision(0, 3), 0);
}

TEST(NaiveBayes, RefusesNumbersThatADensityDoesNotHaveByName) {
  const Table table = make_table({{1, -2}, {2, 1}, {0, 3}, {1, 0}}, {"a", "a", "b", "b"});
  const auto fit_with = [&](const std::string& density) {
    return error_of([&] { fit_table(table, bayes({{"density", density}})); });
  };
  EXPECT_EQ(fit_with("bernoulli").message(), "found numbers from 0 to 2, a Bernoulli density is for 0 and 1");
  EXPECT_EQ(fit_with("bernoulli").place().column, "x1");
  EXPECT_EQ(fit_with("multinomial").message(), "found -2, a multinomial density is for counts of 0 or more");
  EXPECT_EQ(fit_with("x2=complement").place().column, "x2");
  EXPECT_EQ(fit_with("categorical").code(), Code::data);
  EXPECT_EQ(fit_with("poisson").code(), Code::usage);
  EXPECT_EQ(fit_with("x9=kde").message(), "`density`: there is no feature 'x9'");
  EXPECT_EQ(fit_with("x1=kde,").code(), Code::usage);
}

TEST(NaiveBayes, WithoutSmoothingACountOfZeroIsRefusedByName) {
  const Table table = make_table({{1, 1}, {1, 2}, {0, 3}, {1, 4}}, {"a", "a", "b", "b"});
  const Error error = error_of([&] { fit_table(table, bayes({{"smoothing", "0"}})); });
  EXPECT_EQ(error.code(), Code::data);
  EXPECT_EQ(error.place().column, "x1");
  EXPECT_NE(error.message().find("'a'"), std::string::npos);
}

TEST(NaiveBayes, WarnsWhereSmoothingDrownsAVariance) {
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    rows.push_back({1e6 * random.normal(), 1e-3 * random.normal()});
    labels.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  const auto warned = fit_table(make_table(rows, labels), bayes()).model.summary.warnings;
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_NE(warned[0].find("'x2'"), std::string::npos) << warned[0];
  EXPECT_TRUE(fit_table(make_table(rows, labels), bayes({{"variance-smoothing", "0"}}))
                  .model.summary.warnings.empty());
}

TEST(Priors, AreRefusedWhenAClassIsMissingTwiceUnknownOrNotPositive) {
  const Table table = make_table({{1, 1}, {2, 3}, {4, 3}, {5, 4}}, {"a", "a", "b", "b"});
  for (const char* text :
       {"a=0.5", "a=0.5,a=0.5", "a=0.5,c=0.5", "a=0.5,b=0", "a=0.5,b=-1", "half", "", "a=0.5,b=x"})
    EXPECT_EQ(error_of([&] { fit_table(table, bayes({{"priors", text}})); }).code(), Code::usage) << text;
}

}  // namespace
}  // namespace discern::naive_bayes_test
