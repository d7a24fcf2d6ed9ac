// LDA and QDA against R's MASS 7.3-58.2 (R 4.2.2): lda(class ~ ., d), qda(class ~ ., d),
// predict(...)$posterior.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/evaluate/metrics.hpp"
#include "tests/support/fitting.hpp"

namespace discern::gaussian_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;

using Posteriors = std::vector<std::vector<double>>;

const Posteriors& iris_lda() {
  static const Posteriors rows = {{1, 3.8963579276863687e-22, 2.611168274947934e-42},
                                  {1, 7.217969918638366e-18, 5.042143345883428e-37},
                                  {1, 1.4638489495289443e-19, 4.675931593330042e-39},
                                  {0.9999999999999998, 1.2685363767439226e-16, 3.5666104920196064e-35},
                                  {1, 1.637387446127053e-22, 1.082605267175403e-42}};
  return rows;
}

const Posteriors& iris_qda() {
  static const Posteriors rows = {{1, 4.918516885667842e-26, 2.9815414550097565e-41},
                                  {1, 7.655807705302623e-19, 1.3110317614790977e-34},
                                  {1, 1.5522792360307833e-21, 3.3804400967781304e-36},
                                  {1, 8.300395539061785e-19, 8.541857744381989e-32},
                                  {1, 3.365613802448565e-27, 2.0101468065765132e-41}};
  return rows;
}

const Posteriors& vowel_lda() {
  static const Posteriors rows = {
      {0.0025258891425349967, 0.06716137929506057, 0.026891078766429755, 0.006843997249142313,
       0.026473234716455612, 0.06085892412813027, 0.07082171640981191, 0.0012367495189874534,
       0.058431115400641366, 0.005273363927119891, 0.6734825514456859},
      {0.00010055805149268943, 0.00012157147909691499, 2.530793479676892e-06, 1.636970637961373e-07,
       0.0001203248427470782, 0.00023187236862375591, 0.030407949096017108, 0.09820696678323332,
       0.30291063376498367, 0.5654837019811989, 0.0024137271420629916},
      {4.7322444658610675e-06, 0.005380890974878726, 0.00997315172839351, 0.025262987512548022,
       0.2058452572145895, 0.34850519227173715, 0.33907116397716314, 0.0028697266167984686,
       0.005629307076060787, 7.23288716594837e-05, 0.05738526151170538},
      {3.7425515474045663e-07, 1.5458409888830295e-05, 0.00016278445904278175, 0.013664230497991052,
       0.7292444547875883, 0.23586962882134527, 0.008696327223285458, 1.6783720356210214e-05,
       2.2241125512419843e-05, 2.685134088346234e-07, 0.012307448186426184},
      {1.2568482972853e-07, 1.0151996502935927e-06, 1.0295340339153738e-07, 2.506315065942432e-07,
       0.006293583571518297, 0.000559943850607845, 0.24241723437796361, 0.6064489594558681,
       0.12142615761193509, 0.01987578717489798, 0.002976839487819065}};
  return rows;
}

const Posteriors& vowel_qda() {
  static const Posteriors rows = {
      {2.3846741159379976e-17, 4.10357022384519e-18, 1.1671934762487969e-14, 6.134890699604453e-11,
       1.240471738102832e-13, 0.024472448132846672, 3.964192648798292e-13, 3.3321042807403354e-49,
       6.94447920678294e-07, 1.0204838725312215e-24, 0.9755268573573515},
      {0.9999999999954312, 4.568705036204865e-12, 2.9245582148475846e-35, 1.1565823910549925e-75,
       7.91930578193137e-234, 2.3352711645469077e-56, 9.719962413290788e-38, 5.457279728910246e-110,
       6.980298630310355e-26, 2.3407357228373387e-27, 1.7884805654270815e-93},
      {8.519561166833592e-36, 1.4623803140127092e-09, 4.65329081122949e-36, 3.551227034754112e-07,
       0.397580264633527, 0.60184676418435, 0.0005726141305999519, 1.8509091026011997e-69,
       6.463465101033148e-35, 1.3651852216151466e-50, 4.664391446692449e-10},
      {1.3742228535059854e-30, 6.880216474623252e-19, 2.2104418541114125e-88, 2.0971729786975744e-27,
       0.05915176043703902, 0.9408385106511914, 9.728911769380607e-06, 2.1666272892125305e-130,
       3.816111536264174e-18, 1.2590837717055002e-74, 1.903309696214024e-16},
      {1.896356913778236e-11, 8.105552252017998e-13, 1.874024225710097e-60, 1.8640313840665785e-59,
       7.319475592394189e-46, 2.0206977313711167e-12, 9.47684347735527e-15, 0.9999997154758887,
       2.845023069401045e-07, 8.41938531743341e-51, 3.3659976415175275e-50}};
  return rows;
}

// The first five rows, every posterior to a relative 1e-8, down to 1e-234.
void expect_posteriors(const char* file, const char* model, const Posteriors& expected) {
  const auto outcome = fit_file(data_file(file), {.model = model});
  EXPECT_TRUE(outcome.model.summary.converged);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t k = 0; k < expected[i].size(); ++k)
      EXPECT_NEAR(outcome.train.proba(static_cast<Index>(i), static_cast<Index>(k)), expected[i][k],
                  1e-8 * expected[i][k])
          << file << " " << model << " row " << i << " class " << k;
}

Index errors(const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& truth) {
  Index count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) count += found[i] != truth[i] ? 1 : 0;
  return count;
}

TEST(Lda, PosteriorsEqualMassOnIris) { expect_posteriors("iris.csv", "lda", iris_lda()); }
TEST(Qda, PosteriorsEqualMassOnIris) { expect_posteriors("iris.csv", "qda", iris_qda()); }
TEST(Lda, PosteriorsEqualMassOnVowel) { expect_posteriors("vowel_train.csv", "lda", vowel_lda()); }
TEST(Qda, PosteriorsEqualMassOnVowel) { expect_posteriors("vowel_train.csv", "qda", vowel_qda()); }

// Two classes of one feature: 1, 2, 3 and 5, 7, 9, 11, so n = 7, K = 2, scatters 2 and 20.
Table two_short_classes() {
  return make_table({{1}, {2}, {3}, {5}, {7}, {9}, {11}}, {"a", "a", "a", "b", "b", "b", "b"});
}

// With a shared variance v: g_b(x) - g_a(x) = (8 - 2) x / v - (64 - 4) / (2 v) + log(4 / 3).
TEST(Lda, TheDivisorIsThatOfTheOption) {
  for (const auto& [divisor, variance] : {std::pair{"unbiased", 22.0 / 5}, std::pair{"mle", 22.0 / 7}}) {
    const auto outcome = fit_table(two_short_classes(), {.model = "lda", .options = {{"divisor", divisor}}});
    for (const auto& [row, x] : {std::pair{0, 1.0}, std::pair{3, 5.0}, std::pair{6, 11.0}})
      EXPECT_NEAR(outcome.train.scores(row, 0), (6 * x - 30) / variance + std::log(4.0 / 3), 1e-12)
          << divisor << " " << x;
  }
}

// g_k(x) = -(x - m_k)^2 / (2 v_k) - log(v_k) / 2 + log P_k, with v_k blended with 1 by `identity`.
TEST(Qda, DivisorAndIdentityAreThoseOfTheOptions) {
  const auto score = [](double x, double mean, double variance, double prior) {
    return -(x - mean) * (x - mean) / (2 * variance) - std::log(variance) / 2 + std::log(prior);
  };
  for (const double r : {0.0, 0.25})
    for (const bool mle : {false, true}) {
      const auto outcome =
          fit_table(two_short_classes(),
                    {.model = "qda",
                     .options = {{"divisor", mle ? "mle" : "unbiased"}, {"identity", r > 0 ? "0.25" : "0"}},
                     .standardize = false});
      const double a = (1 - r) * 2 / (mle ? 3 : 2) + r, b = (1 - r) * 20 / (mle ? 4 : 3) + r;
      for (const auto& [row, x] : {std::pair{0, 1.0}, std::pair{3, 5.0}, std::pair{6, 11.0}})
        EXPECT_NEAR(outcome.train.scores(row, 1) - outcome.train.scores(row, 0),
                    score(x, 8, b, 4.0 / 7) - score(x, 2, a, 3.0 / 7), 1e-12)
            << r << " " << mle << " " << x;
    }
}

TEST(Qda, IdentityMakesASingularCovarianceRegular) {
  const Table table =
      make_table({{1, 2}, {2, 4}, {3, 6}, {5, 1}, {7, 2}, {9, 4}}, {"a", "a", "a", "b", "b", "b"});
  EXPECT_THROW(fit_table(table, {.model = "qda"}), Error);
  const auto outcome = fit_table(table, {.model = "qda", .options = {{"identity", "0.1"}}});
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_TRUE(outcome.train.scores.allFinite());
}

// Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, table 4.1: 0.56 and 0.53.
TEST(GaussianModels, ReachThePublishedTestErrorsOnVowel) {
  const auto test = support::read_for(data_file("vowel_test.csv"), {});
  for (const auto& [name, expected] : {std::pair{"lda", 257}, std::pair{"qda", 244}}) {
    const auto outcome = fit_file(data_file("vowel_train.csv"), {.model = name});
    const auto prediction = predict(outcome.model, test);
    EXPECT_EQ(errors(prediction.labels, labels_of(outcome.model, test)), expected) << name;
  }
}

TEST(Lda, TwoClassPosteriorIsTheSigmoidOfItsOneScore) {
  const auto outcome = fit_file(data_file("breast_cancer_wdbc.csv"), {.model = "lda"});
  ASSERT_EQ(outcome.train.scores.cols(), 1);
  for (Index i = 0; i < outcome.train.scores.rows(); ++i)
    EXPECT_NEAR(outcome.train.proba(i, 1), 1 / (1 + std::exp(-outcome.train.scores(i, 0))), 1e-14);
}

TEST(Lda, DuplicatedAndConstantColumnsLowerTheRankAndChangeNothingElse) {
  const auto iris = support::read_for(data_file("iris.csv"), {});
  const auto& x = std::get<DenseMatrix<double>>(iris.x);
  Table wider = iris;
  DenseMatrix<double> more{Buffer<double>(x.rows * 6), x.rows, 6};
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < 4; ++j) more.values[i * 6 + j] = x.values[i * 4 + j];
    more.values[i * 6 + 4] = x.values[i * 4];
    more.values[i * 6 + 5] = 3;
  }
  wider.x = more;
  wider.schema = Schema::numbered(6);
  wider.noticed.clear();
  const auto plain = fit_table(iris, {.model = "lda"});
  const auto outcome = fit_table(wider, {.model = "lda"});
  EXPECT_EQ(outcome.model.summary.rank, 4);
  EXPECT_FALSE(outcome.model.summary.warnings.empty());
  EXPECT_LT((plain.train.proba - outcome.train.proba).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Qda, RefusesAClassThatIsTooSmallByName) {
  const auto table =
      make_table({{1, 2}, {2, 1}, {3, 5}, {4, 4}, {9, 1}, {8, 3}}, {"a", "a", "a", "a", "few", "few"});
  try {
    fit_table(table, {.model = "qda"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_NE(error.message().find("'few'"), std::string::npos) << error.message();
  }
}

TEST(Qda, RefusesASingularClassByName) {
  const auto table = make_table({{1, 2}, {2, 4}, {3, 6}, {4, 8}, {9, 1}, {8, 3}, {7, 7}, {5, 2}},
                                {"line", "line", "line", "line", "b", "b", "b", "b"});
  try {
    fit_table(table, {.model = "qda"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("'line'"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace discern::gaussian_test
