// Fisher's discriminant and multiple discriminant analysis against R's MASS 7.3-58.2: lda(class ~ .,
// d)$scaling, $svd.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "tests/support/fitting.hpp"

namespace discern::fisher_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;

const Matrix& wine_scaling() {
  static const Matrix rows{
      {-0.4033997805004764, 0.16525459606854645, -0.36907525635756516, 0.15479788880133238,
       -0.0021634962582731273, 0.6180520678580997, -1.6611912348206719, -1.4958184397003167,
       0.13409262842984943, 0.35505570971821937, -0.8180360734517558, -1.1575593759034672,
       -0.002691206403080772},
      {0.8717930699181298, 0.30537973246554123, 2.3458497485788943, -0.14638076544279105,
       -0.00046275649019910335, -0.03221281714906634, -0.4919980542556583, -1.6309537953373294,
       -0.30708757762498784, 0.25323068649970887, -1.515634498733678, 0.05118396646835825,
       0.002852984635432905}};
  return rows;
}

TEST(Fisher, DirectionsEqualTheScalingOfMassUpToSign) {
  const auto outcome = fit_file(data_file("wine.csv"), {.model = "fisher"});
  const Projection& projection = *outcome.projection;
  ASSERT_EQ(projection.components(), 2);
  for (Index c = 0; c < 2; ++c) {
    const double sign = projection.directions(c, 0) * wine_scaling()(c, 0) > 0 ? 1 : -1;
    for (Index j = 0; j < 13; ++j)
      EXPECT_NEAR(sign * projection.directions(c, j), wine_scaling()(c, j),
                  1e-8 * std::fabs(wine_scaling()(c, j)));
  }
  EXPECT_NEAR(std::sqrt(projection.ratios[0]), 28.189576097668017, 1e-9);
  EXPECT_NEAR(std::sqrt(projection.ratios[1]), 19.006342138703456, 1e-9);
  EXPECT_NEAR(projection.explained[0], 0.6874788878860784, 1e-10);
  EXPECT_NEAR(projection.explained[1], 0.3125211121139216, 1e-10);
}

TEST(Fisher, HasAsManyDirectionsAsClassesLessOne) {
  const auto outcome = fit_file(data_file("vowel_train.csv"), {.model = "fisher"});
  ASSERT_EQ(outcome.projection->components(), 10);
  const double svd[] = {14.473703424015483, 11.455365090497411, 4.075794006023051,  2.6720175666955415,
                        1.9942956397553258, 1.7590069408083397, 0.9806807004569363, 0.6305118873171711,
                        0.2261024925016111, 0.17762317818562784};
  for (Index c = 0; c < 10; ++c) EXPECT_NEAR(std::sqrt(outcome.projection->ratios[c]), svd[c], 1e-8 * svd[c]);
}

TEST(Fisher, WithAllComponentsItIsLinearDiscriminantAnalysis) {
  for (const char* file : {"iris.csv", "wine.csv", "vowel_train.csv", "breast_cancer_wdbc.csv"}) {
    const auto lda = fit_file(data_file(file), {.model = "lda"});
    const auto fisher = fit_file(data_file(file), {.model = "fisher"});
    EXPECT_LT((lda.train.proba - fisher.train.proba).cwiseAbs().maxCoeff(), 1e-8) << file;
  }
}

// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, figure 4.10: on the vowels two of
// the ten directions err least on the test rows.
TEST(Fisher, FewerComponentsAreAnotherRule) {
  const Table test = support::read_for(data_file("vowel_test.csv"), {});
  const auto errors = [&](const std::string& components) {
    const auto outcome =
        fit_file(data_file("vowel_train.csv"), {.model = "fisher", .options = {{"components", components}}});
    const auto said = predict(outcome.model, test).labels, truth = labels_of(outcome.model, test);
    Index count = 0;
    for (std::size_t i = 0; i < said.size(); ++i) count += said[i] != truth[i] ? 1 : 0;
    return count;
  };
  EXPECT_EQ(errors("0"), 257);
  EXPECT_LT(errors("2"), errors("0"));
  EXPECT_GT(errors("1"), errors("2"));
}

TEST(Fisher, EqualPriorsMeanTheNearestProjectedMean) {
  const auto outcome = fit_file(data_file("wine.csv"),
                                {.model = "fisher", .options = {{"components", "1"}, {"priors", "equal"}}});
  const Table table = support::read_for(data_file("wine.csv"), {});
  const Projection& projection = *outcome.projection;
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  for (Index i = 0; i < x.rows; ++i) {
    const Eigen::Map<const Vector> row(x.values.data() + i * x.cols, x.cols);
    const double z = projection.directions.row(0).dot(row - projection.center);
    Index nearest = 0;
    (projection.means.col(0).array() - z).abs().minCoeff(&nearest);
    EXPECT_EQ(outcome.train.labels[static_cast<std::size_t>(i)], nearest);
  }
}

TEST(Fisher, BeatsTheDifferenceOfTheMeansWhichItEqualsForRoundClasses) {
  const auto cancer = fit_file(data_file("breast_cancer_wdbc.csv"), {.model = "fisher"});
  EXPECT_NEAR(std::sqrt(cancer.projection->ratios[0]), 44.10735477218839, 1e-8);
  EXPECT_GT(cancer.projection->ratios[0], 2 * cancer.projection->mean_difference_ratio);
  // Classes whose covariance is the identity, exactly.
  const auto round = fit_table(make_table({{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {5, 4}, {5, 2}, {6, 3}, {4, 3}},
                                          {"a", "a", "a", "a", "b", "b", "b", "b"}),
                               {.model = "fisher"});
  EXPECT_LT((round.projection->directions.row(0).transpose() - round.projection->mean_difference).norm(),
            1e-12);
  EXPECT_GT(round.projection->directions(0, 0), 0);
}

// Any two target values and a bias give least squares the direction of Fisher.
TEST(Fisher, TheDirectionIsThatOfLeastSquares) {
  const auto fisher = fit_file(data_file("breast_cancer_wdbc.csv"), {.model = "fisher"});
  const auto squares = fit_file(data_file("breast_cancer_wdbc.csv"), {.model = "least-squares"});
  const Vector v = fisher.projection->directions.row(0).transpose();
  const Vector w = std::get<Linear>(squares.model.predictor).weights.row(0).transpose();
  const double ratio = w.dot(v) / v.squaredNorm();
  EXPECT_GT(ratio, 0);
  EXPECT_LT((w - ratio * v).norm() / w.norm(), 1e-8);
}

TEST(Fisher, FewerRowsThanFeaturesGoThroughPrincipalComponents) {
  Random random(4);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 24; ++i) {
    std::vector<double> row(60);
    for (double& v : row) v = random.normal();
    row[static_cast<std::size_t>(i % 3)] += 3;
    rows.push_back(row);
    labels.push_back(std::string(1, static_cast<char>('a' + i % 3)));
  }
  const auto outcome =
      fit_table(make_table(rows, labels), {.model = "fisher", .options = {{"principal", "all"}}});
  EXPECT_EQ(outcome.projection->principal, 21);
  EXPECT_EQ(outcome.projection->components(), 2);
  EXPECT_LT(outcome.projection->residual, 1e-8);
  EXPECT_EQ(outcome.model.summary.warnings.size(), 1U);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(outcome.train.labels[i], outcome.train_labels[i]);
}

// Rows in three dimensions of sixty, of variance 100, 42 and 1: the first two hold 95 % of it.
TEST(Fisher, FewRowsAreReducedToMostOfTheirVariance) {
  Random random(6);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (int i = 0; i < 24; ++i) {
    std::vector<double> row(60);
    row[0] = 10 * random.normal();
    row[20] = 6 * random.normal() + (i % 2 == 0 ? 5 : 0);
    row[59] = random.normal();
    rows.push_back(row);
    labels.emplace_back(i % 2 == 0 ? "a" : "b");
  }
  const auto principal = [&](const std::string& text) {
    return fit_table(make_table(rows, labels), {.model = "fisher", .options = {{"principal", text}}})
        .projection->principal;
  };
  EXPECT_EQ(principal("auto"), 2);
  EXPECT_EQ(principal("all"), 22);
  EXPECT_EQ(principal("1"), 1);
  EXPECT_EQ(fit_file(data_file("iris.csv"), {.model = "fisher"}).projection->principal, 0);
  for (const std::string text : {"0", "-1", "1.5", "most", ""}) {
    try {
      principal(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      EXPECT_EQ(error.message(),
                "`principal`: expected auto, all or a whole number above 0, got '" + text + "'");
    }
  }
}

// With as many components as features nothing is lost; with fewer the directions lie in their space.
TEST(Fisher, PrincipalComponentsCanBeAskedFor) {
  const auto plain = fit_file(data_file("iris.csv"), {.model = "fisher"});
  const auto all = fit_file(data_file("iris.csv"), {.model = "fisher", .options = {{"principal", "4"}}});
  EXPECT_EQ(all.projection->principal, 4);
  EXPECT_LT((all.projection->directions - plain.projection->directions).norm(),
            1e-9 * plain.projection->directions.norm());
  EXPECT_TRUE(all.model.summary.warnings.empty());
  const auto one = fit_file(data_file("iris.csv"), {.model = "fisher", .options = {{"principal", "1"}}});
  EXPECT_EQ(one.projection->components(), 1);
  // The first principal component of iris, R 4.2.2: prcomp(iris[, 1:4])$rotation[, 1].
  const Vector first{
      {0.361386591785368361, -0.084522514064568788, 0.856670605949835462, 0.358289197151550720}};
  const Vector found = one.projection->directions.row(0).transpose().normalized();
  EXPECT_NEAR(std::fabs(found.dot(first)), 1, 1e-9);
  EXPECT_THROW(fit_file(data_file("iris.csv"), {.model = "fisher", .options = {{"principal", "5"}}}), Error);
}

TEST(Fisher, MoreComponentsThanThereAreIsRefused) {
  try {
    fit_file(data_file("iris.csv"), {.model = "fisher", .options = {{"components", "3"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    EXPECT_EQ(error.message(), "`components`: expected at most 2 (3 classes, rank 4), got 3");
  }
}

}  // namespace
}  // namespace discern::fisher_test
