// Standard errors, tests, intervals, and Firth's correction, against numbers that others computed.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/stats/distributions.hpp"
#include "tests/support/fitting.hpp"

namespace discern::inference_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::Request;

Request unpenalised(std::string target, Intervals intervals = Intervals::wald) {
  Request request;
  request.options = {{"l2", "0"}};
  request.target = std::move(target);
  request.inference.intervals = intervals;
  return request;
}

Request firth() {
  Request request = unpenalised("HG", Intervals::profile);
  request.options.emplace_back("firth", "true");
  return request;
}

// One row of the errors, the bias first.
void expect_errors(const Inference& inference, Index contrast, const std::vector<double>& exact,
                   double tolerance) {
  ASSERT_EQ(inference.absent, "");
  ASSERT_EQ(inference.errors.cols(), static_cast<Index>(exact.size()));
  for (std::size_t j = 0; j < exact.size(); ++j)
    EXPECT_NEAR(inference.errors(contrast, static_cast<Index>(j)), exact[j], tolerance * exact[j]) << j;
}

// scipy.stats 1.17, and identities.
TEST(Distributions, TailsAndQuantilesAreKnownOnes) {
  EXPECT_NEAR(normal_two_sided(1.959963984540054), 0.05, 1e-15);
  EXPECT_NEAR(normal_central(0.95), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_central(0.999999), 4.891638475698590, 1e-10);
  EXPECT_NEAR(student_two_sided(2.2621571627982049, 9), 0.05, 1e-13);
  EXPECT_NEAR(student_central(0.95, 9), 2.2621571627982049, 1e-12);
  EXPECT_NEAR(student_central(0.5, 1), 1.0, 1e-12);  // Cauchy's quartile
  EXPECT_NEAR(chi_squared_above(3.841458820694124, 1), 0.05, 1e-14);
  EXPECT_NEAR(chi_squared_above(2 * std::log(10.0), 2), 0.1, 1e-15);  // exp(-x/2)
  EXPECT_NEAR(f_above(4.0, 1, 9), student_two_sided(2.0, 9), 1e-14);  // t^2 is F
  EXPECT_EQ(chi_squared_above(0, 3), 1.0);
}

// R 4.2.2, summary(glm(type ~ ., binomial, epsilon = 1e-14)) on MASS::Pima.tr.
TEST(Inference, ErrorsAndDevianceOfPimaAreThoseOfGlm) {
  const Model model = fit_file(data_file("pima_tr.csv"), unpenalised("type")).model;
  const Inference& inference = *model.inference;
  expect_errors(inference, 0,
                {1.7703867378727205, 0.06469416646915134, 0.006787301718459452, 0.01854074562673,
                 0.022499546657441118, 0.04282689907839255, 0.6655140054645272, 0.022090982532479476},
                1e-8);
  EXPECT_NEAR(inference.deviance, 178.39066646606912, 1e-8);
  EXPECT_NEAR(inference.null_deviance, 256.41419115246225, 1e-8);
  EXPECT_NEAR(inference.log_likelihood, -89.19533323303456, 1e-8);
  EXPECT_EQ(inference.degrees(), 192);
  EXPECT_EQ(inference.null_degrees(), 199);
  EXPECT_NEAR(inference.aic(), 194.39066646606912, 1e-8);
  const CoefficientTest glu = test_of(inference, 0, 2, 0.95);
  EXPECT_NEAR(glu.statistic, 0.0321168228931571 / 0.006787301718459452, 1e-7);
  EXPECT_NEAR(glu.low, 0.0321168228931571 - 1.959963984540054 * 0.006787301718459452, 1e-10);
  EXPECT_NEAR(glu.p, 2.2242962272858626e-06, 1e-13);
}

// The same of banknotes, where some probabilities are 0 or 1 to the last digit.
TEST(Inference, ErrorsOfBanknotesAreThoseOfGlm) {
  const Model model = fit_file(data_file("banknote.csv"), unpenalised("class")).model;
  expect_errors(
      *model.inference, 0,
      {1.5589699304147338, 1.7384263861459306, 0.9042079627530607, 1.1612604836246117, 0.3307303453707283},
      1e-8);
}

// sqrt(diag(H^-1 M H^-1)) in extended precision by numpy.
TEST(Inference, RobustErrorsAreTheSandwich) {
  Request request = unpenalised("type");
  request.inference.robust = true;
  const Model model = fit_file(data_file("pima_tr.csv"), request).model;
  expect_errors(*model.inference, 0,
                {1.6613210138737309, 0.06755947198455504, 0.006410379145106682, 0.019736562561317804,
                 0.02078455719810332, 0.041103961629019, 0.6253353644659263, 0.022095573132810572},
                1e-8);
}

Request regression(std::string basis = {}) {
  Request request;
  request.model = "least-squares";
  request.task = Task::regression;
  request.target = "y";
  request.basis = std::move(basis);
  request.inference.intervals = Intervals::wald;
  return request;
}

// Certified by NIST.
TEST(Inference, ErrorsOfLongleyAreNists) {
  const Model model = fit_file(data_file("nist/Longley.csv"), regression()).model;
  expect_errors(*model.inference, 0,
                {890420.383607373, 84.9149257747669, 0.334910077722432E-01, 0.488399681651699,
                 0.214274163161675, 0.226073200069370, 455.478499142212},
                1e-11);
  EXPECT_NEAR(std::sqrt(model.inference->dispersion), 304.854073561965, 1e-9);
  EXPECT_NEAR(1 - model.inference->deviance / model.inference->null_deviance, 0.995479004577296, 1e-13);
}

TEST(Inference, ErrorsOfFilipsPolynomialAreNists) {
  const Model model = fit_file(data_file("nist/Filip.csv"), regression("poly:10")).model;
  expect_errors(*model.inference, 0,
                {298.084530995537, 559.779865474950, 466.477572127796, 227.204274477751, 71.6478660875927,
                 15.2897178747400, 2.23691159816033, 0.221624321934227, 0.142363763154724E-01,
                 0.535617408889821E-03, 0.896632837373868E-05},
                1e-7);
}

TEST(Inference, ErrorsWithoutABiasAreNists) {
  Request request = regression();
  request.options = {{"no-bias", "true"}};
  const Model model = fit_file(data_file("nist/NoInt1.csv"), request).model;
  ASSERT_EQ(model.inference->absent, "");
  EXPECT_NEAR(model.inference->errors(0, 1), 0.165289256198347E-01, 1e-14);
  EXPECT_EQ(model.inference->degrees(), 10);
}

// (Z'Z)^-1 sum_i (e_i / (1 - h_i))^2 z_i z_i' (Z'Z)^-1 in extended precision by numpy.
TEST(Inference, RobustErrorsOfLongleyAreHc3) {
  Request request = regression();
  request.inference.robust = true;
  const Model model = fit_file(data_file("nist/Longley.csv"), request).model;
  expect_errors(*model.inference, 0,
                {1799477.230661813, 91.11938660113935, 0.05562398838839349, 0.8221335020165789,
                 0.29878925759054126, 0.3249058211360162, 922.8078417154023},
                1e-10);
}

// With one feature of two values the softmax estimates are logarithms of ratios of counts, and their
// variances sums of reciprocals of counts.
TEST(Inference, SoftmaxErrorsOfCountsAreSumsOfReciprocals) {
  const double counts[2][3] = {{5, 9, 4}, {7, 3, 12}};
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  std::vector<double> weights;
  for (int x = 0; x < 2; ++x)
    for (int k = 0; k < 3; ++k) {
      rows.push_back({static_cast<double>(x)});
      labels.emplace_back(1, static_cast<char>('a' + k));
      weights.push_back(counts[x][k]);
    }
  Request request = unpenalised("class");
  request.weight = "weight";
  const Model model = fit_table(support::make_table(rows, labels, weights), request).model;
  const Inference& inference = *model.inference;
  ASSERT_EQ(inference.absent, "");
  for (int k = 1; k < 3; ++k) {
    EXPECT_NEAR(inference.estimates(k - 1, 0), std::log(counts[0][k] / counts[0][0]), 1e-8);
    EXPECT_NEAR(inference.errors(k - 1, 0), std::sqrt(1 / counts[0][k] + 1 / counts[0][0]), 1e-8);
    EXPECT_NEAR(inference.estimates(k - 1, 1),
                std::log(counts[1][k] / counts[1][0]) - std::log(counts[0][k] / counts[0][0]), 1e-8);
    EXPECT_NEAR(inference.errors(k - 1, 1),
                std::sqrt(1 / counts[0][k] + 1 / counts[0][0] + 1 / counts[1][k] + 1 / counts[1][0]), 1e-8);
  }
  EXPECT_EQ(inference.samples, 40);
}

// The negative log-likelihood of one feature and a bias, for a direct search.
double loss(const std::vector<double>& x, const std::vector<int>& y, double w, double b) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double g = w * x[i] + b;
    sum += std::log1p(std::exp(y[i] == 1 ? -g : g));
  }
  return sum;
}

// The least loss over the bias, by golden sections.
double profiled(const std::vector<double>& x, const std::vector<int>& y, double w) {
  double low = -60, high = 60;
  const double r = (std::sqrt(5.0) - 1) / 2;
  for (int k = 0; k < 120; ++k) {
    const double a = high - r * (high - low), b = low + r * (high - low);
    (loss(x, y, w, a) < loss(x, y, w, b) ? high : low) = loss(x, y, w, a) < loss(x, y, w, b) ? b : a;
  }
  return loss(x, y, w, (low + high) / 2);
}

TEST(Inference, ProfileIntervalsEndWhereADirectSearchSaysTheLikelihoodDoes) {
  const std::vector<double> x{0.5,  0.75, 1,    1.25, 1.5, 1.75, 1.75, 2,    2.25, 2.5,
                              2.75, 3,    3.25, 3.5,  4,   4.25, 4.5,  4.75, 5,    5.5};
  const std::vector<int> y{0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1};
  std::vector<std::vector<double>> rows;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < x.size(); ++i) {
    rows.push_back({x[i]});
    labels.emplace_back(y[i] == 1 ? "pass" : "fail");
  }
  const Model model =
      fit_table(support::make_table(rows, labels), unpenalised("class", Intervals::profile)).model;
  const Inference& inference = *model.inference;
  ASSERT_EQ(inference.absent, "");
  const double least = profiled(x, y, inference.estimates(0, 1));
  const double reach = 3.841458820694124;
  for (const double end : {inference.low(0, 1), inference.high(0, 1)})
    EXPECT_NEAR(2 * (profiled(x, y, end) - least), reach, 1e-8) << end;
  EXPECT_NEAR(inference.likelihood_ratio(0, 1), 2 * (profiled(x, y, 0) - least), 1e-9);
  // The interval leans to the side where the likelihood falls slowly.
  const double w = inference.estimates(0, 1);
  EXPECT_GT(inference.high(0, 1) - w, w - inference.low(0, 1));
}

TEST(Inference, LikelihoodRatioIsTheDevianceThatAColumnSaves) {
  const Model with = fit_file(data_file("pima_tr.csv"), unpenalised("type", Intervals::profile)).model;
  ReadOptions reading;
  reading.side.push_back({"type", true, true});
  reading.ignore = {"ped"};
  const Model without = fit_table(read_table(data_file("pima_tr.csv"), reading), unpenalised("type")).model;
  EXPECT_NEAR(with.inference->likelihood_ratio(0, 6), without.inference->deviance - with.inference->deviance,
              1e-8);
}

// brglm2 0.9.2's mean bias reduction and logistf 1.26 on Heinze and Schemper's endometrial cancer data; the
// intervals of NV, PI and EH are those of their table II.
TEST(Firth, EndometrialCancerIsAsPublished) {
  const Model model = fit_file(data_file("endometrial.csv"), firth()).model;
  ASSERT_TRUE(model.summary.converged);
  const Inference& inference = *model.inference;
  const double estimates[] = {3.77456, 2.92927, -0.03475, -2.60416};
  const double errors[] = {1.48869, 1.55076, 0.03958, 0.77602};
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(inference.estimates(0, j), estimates[j], 5.1e-6) << j;
    EXPECT_NEAR(inference.errors(0, j), errors[j], 5.1e-6) << j;
  }
  EXPECT_NEAR(inference.low(0, 1), 0.61, 0.005);
  EXPECT_NEAR(inference.high(0, 1), 7.85, 0.005);
}

TEST(Firth, WithoutItTheFitSaysThatTheClassesAreSeparatedAndByWhat) {
  const Model model = fit_file(data_file("endometrial.csv"), unpenalised("HG")).model;
  EXPECT_FALSE(model.summary.converged);
  ASSERT_FALSE(model.summary.warnings.empty());
  EXPECT_NE(model.summary.warnings[0].find("partly separated"), std::string::npos)
      << model.summary.warnings[0];
  EXPECT_NE(model.summary.warnings[0].find("NV"), std::string::npos);
  EXPECT_NE(model.inference->absent.find("separated"), std::string::npos);
}

// Two rows of weight s on each side: by symmetry the estimate of a 2 x 2 table with 1/2 added to each cell.
TEST(Firth, OfATwoByTwoTableAddsHalfToEachCell) {
  const Table table = support::make_table({{0}, {0}, {1}, {1}}, {"a", "b", "a", "b"}, {7, 2, 3, 11});
  Request request = unpenalised("class");
  request.options.emplace_back("firth", "true");
  request.weight = "weight";
  const Model model = fit_table(table, request).model;
  EXPECT_NEAR(model.inference->estimates(0, 0), std::log(2.5 / 7.5), 1e-8);
  EXPECT_NEAR(model.inference->estimates(0, 1), std::log(11.5 / 3.5) - std::log(2.5 / 7.5), 1e-8);
}

// As many weights as rows: every row has the odds of its own table of one, (1 + 1/2) : 1/2.
TEST(Firth, OfASaturatedDesignTakesAHandfulOfSteps) {
  std::vector<std::vector<double>> rows(12, std::vector<double>(11, 0.0));
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < 12; ++i) {
    if (i > 0) rows[i][i - 1] = 1;
    labels.emplace_back(i % 3 == 0 ? "a" : "b");
  }
  Request request = unpenalised("class", Intervals::none);
  request.options.emplace_back("firth", "true");
  const FitOutcome outcome = fit_table(support::make_table(rows, labels), request);
  EXPECT_TRUE(outcome.model.summary.converged);
  EXPECT_LE(outcome.model.summary.iterations, 10);
  for (Index i = 0; i < 12; ++i)
    EXPECT_NEAR(outcome.train.scores(i, 0), (i % 3 == 0 ? -1 : 1) * std::log(3.0), 1e-8) << i;
}

TEST(Firth, RefusesWhatItIsNotFor) {
  Request request = firth();
  request.options.front().second = "1";
  EXPECT_THROW(fit_file(data_file("endometrial.csv"), request), Error);
  Request three = firth();
  three.target = "class";
  EXPECT_THROW(fit_file(data_file("iris.csv"), three), Error);
}

TEST(Inference, IsAbsentWithAReason) {
  const auto reason = [](const char* file, const Request& request) {
    return fit_file(data_file(file), request).model.inference->absent;
  };
  Request ridge = unpenalised("type");
  ridge.options = {{"l2", "1"}};
  EXPECT_NE(reason("pima_tr.csv", ridge).find("penalised"), std::string::npos);
  EXPECT_NE(reason("breast_cancer_wdbc.csv", unpenalised("class")).find("separated"), std::string::npos);
  Request short_of = unpenalised("type");
  short_of.options.emplace_back("max-iter", "1");
  EXPECT_NE(reason("pima_tr.csv", short_of).find("not converged"), std::string::npos);
  Request classes = regression();
  classes.task = Task::classification;
  classes.target = "type";
  EXPECT_NE(reason("pima_tr.csv", classes).find("coding"), std::string::npos);
}

TEST(Inference, SmallSamplesAreWarnedOfWithTheFigure) {
  const Model small = fit_file(data_file("pima_tr.csv"), unpenalised("type")).model;
  ASSERT_EQ(small.summary.warnings.size(), 1U);
  EXPECT_NE(small.summary.warnings[0].find("with 200 rows for 7 weights"), std::string::npos)
      << small.summary.warnings[0];
  EXPECT_NE(small.summary.warnings[0].find("`firth`"), std::string::npos);
  EXPECT_TRUE(
      fit_file(data_file("pima_diabetes.csv"), unpenalised("diabetes")).model.summary.warnings.empty());
}

}  // namespace
}  // namespace discern::inference_test
