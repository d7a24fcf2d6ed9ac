// Numbers that others computed, to 1e-8. Weights in the order of the features, then the bias.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/fitting.hpp"

namespace discern::references_test {
namespace {

using support::data_file;
using support::fit_file;
using support::Request;

void expect_parameters(const char* file, const Request& request, const std::vector<double>& exact,
                       const std::string& what) {
  const auto outcome = fit_file(data_file(file), request);
  EXPECT_TRUE(outcome.model.summary.converged) << what;
  const auto found = support::parameters(outcome.model);
  ASSERT_EQ(found.size(), exact.size()) << what;
  for (std::size_t j = 0; j < exact.size(); ++j) {
    if (exact[j] == 0) {
      EXPECT_EQ(found[j], 0.0) << what << " " << j;
    } else {
      EXPECT_NEAR(found[j], exact[j], 1e-8 * std::fabs(exact[j])) << what << " " << j;
    }
  }
}

// The lasso and the elastic net of R 4.2.2's glmnet 4.1.6 with thresh = 1e-14, then solved to the last digit
// by Newton's method on the weights that are not zero. glmnet minimises the mean loss plus lambda (alpha
// |w|_1 + (1 - alpha)/2 |w|^2), so l1 = n lambda alpha and l2 = n lambda (1 - alpha); its standardize = TRUE
// is our default.
struct Glmnet {
  double lambda, alpha;
  bool standardize;
  std::vector<double> exact;
};

void expect_glmnet(const char* file, Request request, double rows, const Glmnet& fit) {
  request.options = {{"l1", fmt::format("{}", rows * fit.lambda * fit.alpha)},
                     {"l2", fmt::format("{}", rows * fit.lambda * (1 - fit.alpha))}};
  request.standardize = fit.standardize;
  expect_parameters(
      file, request, fit.exact,
      fmt::format("{} lambda {} alpha {} standardize {}", file, fit.lambda, fit.alpha, fit.standardize));
}

// family = "binomial", factor(class == "malignant")
TEST(References, GlmnetLassoLogisticOnTheTumours) {
  const std::vector<Glmnet> fits{
      {0.01,
       1,
       true,
       {0,
        0.007723878274275542,
        0,
        0,
        0,
        0,
        0,
        12.122524280709268,
        0,
        0,
        2.6757995518835482,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.5972190814668142,
        0.1483323072583585,
        0,
        0,
        15.885389844665204,
        0,
        0.6546100989005409,
        16.507662938356894,
        3.9740192541447894,
        0,
        -21.2933412840942}},
      {0.001,
       1,
       true,
       {0,
        0,
        0,
        0,
        0,
        -7.03312853180787,
        3.7631790590051044,
        42.36776989639557,
        0,
        0,
        11.802831528851268,
        -1.0970469833813972,
        0,
        0,
        148.69587143512723,
        -50.559210166752415,
        0,
        0,
        -29.635043018917813,
        -165.84478831181076,
        0,
        0.3450837909802266,
        0,
        0.009176288867831313,
        24.868718671297145,
        0,
        5.469700556567037,
        21.7490660860824,
        13.539917778548034,
        0,
        -31.411167193420216}},
      {0.01,
       1,
       false,
       {0,
        0,
        0.10440478107476327,
        -0.027803089704813266,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.06648459582289237,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.24287251569546156,
        0.20586309131855388,
        0.01219516715785312,
        0,
        0,
        0,
        0,
        0,
        0,
        -32.85113024868491}},
  };
  for (const Glmnet& fit : fits) expect_glmnet("breast_cancer_wdbc.csv", {.model = "logistic"}, 569, fit);
}

// family = "binomial", factor(diabetes == "pos")
TEST(References, GlmnetLassoAndElasticNetLogisticOnPima) {
  const std::vector<Glmnet> fits{
      {0.02,
       1,
       true,
       {0.08754241303801978, 0.028610528514642145, -0.0020084966163881933, 0, 0, 0.05976201635396923,
        0.497755632284579, 0.007888336701445713, -6.858842555599988}},
      {0.002,
       1,
       true,
       {0.11903254840386758, 0.034256774037076575, -0.011946885528136634, 0, -0.0009829006391380737,
        0.08635648547239143, 0.8926881499473833, 0.014087817368737756, -8.208716121289243}},
      {0.02,
       0.5,
       true,
       {0.09535228472550614, 0.028661485585255723, -0.006092211148620771, 0, -0.00011257980068170839,
        0.06719133584451935, 0.6472641612263099, 0.012479179546950618, -7.078339895230793}},
      {0.002,
       0.5,
       true,
       {0.11971614288915429, 0.03429881946036501, -0.012341932268099532, 0, -0.0010304915527765072,
        0.08719844538384561, 0.9106180847129594, 0.014558522010742824, -8.238039710435531}},
      {0.002,
       1,
       false,
       {0.12077466469958575, 0.03503950482625921, -0.01319976246713498, 0.0008404469584112714,
        -0.0011548351935513597, 0.08928487672420533, 0.808288066288233, 0.015105442477133552,
        -8.32229703831622}},
      {0.002,
       0.5,
       false,
       {0.12147890012246496, 0.03506410402712659, -0.013250646504519766, 0.000846314144865179,
        -0.0011602800156038928, 0.08945992948647026, 0.8206315532399199, 0.015071775240931997,
        -8.335017425518052}},
  };
  for (const Glmnet& fit : fits)
    expect_glmnet("pima_diabetes.csv", {.model = "logistic", .target = "diabetes"}, 768, fit);
}

// family = "gaussian"
TEST(References, GlmnetLassoRegressionOnDiabetes) {
  const std::vector<Glmnet> fits{
      {10,
       1,
       true,
       {0, 0, 5.120871453352926, 0.4923317496432022, 0, 0, -0.23910038568610492, 0, 37.53526190282394, 0,
        -191.84341706166828}},
      {1,
       1,
       true,
       {0, -18.676170701900105, 5.626744551371444, 1.0197860853129401, -0.1399798366238633, 0,
        -0.8222226072739052, 0, 46.80139281764734, 0.22309532104050042, -235.5445525623761}},
      {0.1,
       1,
       true,
       {-0.02119659742017729, -22.366482539139767, 5.631680430865829, 1.1032510984612651, -0.7659372610324383,
        0.45284119705553255, 0, 5.463984549411777, 60.53855619954629, 0.27507682721777577,
        -302.68993367680923}},
      {10,
       1,
       false,
       {0, 0, 5.934113850361517, 1.0195915145022543, 1.1732086134251285, -1.2601931645528932,
        -2.020793493411762, 0, 0, 0.31991050107722185, -105.89303078918562}},
      {1,
       1,
       false,
       {-0.019023527584114793, -17.476915586050673, 5.84246046325106, 1.0915375951895396, 0.15653118033036512,
        -0.31555897836917796, -1.1882283759361807, 0.16105694241542445, 34.21496424482215,
        0.32973363817578655, -202.26324913685863}},
  };
  for (const Glmnet& fit : fits)
    expect_glmnet("diabetes.csv", {.model = "lasso", .task = Task::regression, .target = "target"}, 442, fit);
}

// min |y - Xw - b|^2 + alpha |w|^2 in rational arithmetic (Python's fractions), rounded once; scikit-learn
// 1.2.1's Ridge(alpha) agrees to 13 digits.
TEST(References, RidgeInRationalArithmeticOnDiabetes) {
  const std::vector<std::pair<const char*, std::vector<double>>> fits{
      {"0.1",
       {-0.0359776044102533, -22.834210651093652, 5.60696574061811, 1.1170561179147154, -1.0711627040084255,
        0.729091624062948, 0.3511450964861388, 6.50374942916815, 67.91288502858364, 0.2809438561621151,
        -332.57822502813104}},
      {"1",
       {-0.03285239685543181, -22.607045432280042, 5.640405234365651, 1.11899757004851, -0.9146734842699168,
        0.5849098252881997, 0.17788523837884368, 6.250441778661707, 63.179080873617984, 0.2877669028997877,
        -316.0771186042914}},
      {"100",
       {-0.030148769974445735, -10.638379724175477, 6.108309085342648, 1.0779204284674957, 0.999196265685085,
        -1.1544627589264083, -1.8851092901887612, 1.615314424671914, 7.4394716426973035, 0.34671357993589264,
        -128.52347938124575}},
  };
  for (const auto& [alpha, exact] : fits)
    expect_parameters("diabetes.csv",
                      {.model = "ridge",
                       .options = {{"l2", alpha}},
                       .task = Task::regression,
                       .target = "target",
                       .standardize = false},
                      exact, std::string("ridge ") + alpha);
}

// scikit-learn 1.2.1: LogisticRegression(C=1, solver="newton-cholesky", tol=1e-12), gradient 3e-13.
TEST(References, ScikitLearnLogisticOnHeart) {
  expect_parameters(
      "heart_scale.svm", {.model = "logistic", .target = "label", .standardize = false},
      {-0.06724880704761742, 0.6235079385252834, 0.9416469314835318, 0.8837937987609122, 0.8303899485739138,
       -0.32640400288945015, 0.3099920228471524, -0.9162831214750428, 0.4202511290857918, 0.8796592587345818,
       0.4392880327558238, 1.467583136235654, 0.6899428756014294, 1.4869279721393023},
      "logistic");
}

// scikit-learn 1.2.1: LinearSVC(C=1, loss="squared_hinge", dual=False, tol=1e-12), which is LIBLINEAR's -s 2
// -c 1 -B 1 and penalises the bias; then solved to the last digit by Newton's method on the samples within
// the margin.
TEST(References, LiblinearSquaredHingeOnHeart) {
  expect_parameters("heart_scale.svm",
                    {.model = "svm",
                     .options = {{"loss", "squared-hinge"}, {"penalize-bias", "true"}},
                     .target = "label",
                     .standardize = false},
                    {-0.12432700401589218, 0.22132496099910723, 0.3517877226541331, 0.37092832310796586,
                     0.42357703788496515, -0.11890939562883253, 0.10554431023867065, -0.43532798094734965,
                     0.13712557148118207, 0.35723775767168436, 0.12400882369891955, 0.5632667252281075,
                     0.25192864067676723, 0.6550127971876185},
                    "squared hinge");
}

}  // namespace
}  // namespace discern::references_test
