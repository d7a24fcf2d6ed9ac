// Priors, shrunk covariances and regularised discriminant analysis. The posteriors under shrinkage are those
// of scikit-learn 1.9.1: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), (..., shrinkage=0.3),
// (..., shrinkage=0) and (..., covariance_estimator=OAS()), predict_proba of rows 60, 70, 83 (and 133)
// counted from 0.
#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/evaluate/judge.hpp"
#include "tests/support/fitting.hpp"

namespace discern::shrinkage_test {
namespace {

using support::data_file;
using support::fit_file;
using support::fit_table;
using support::make_table;
using support::Request;
using Rows = std::vector<std::vector<double>>;

void expect_rows(const std::string& file, const std::string& shrinkage, const std::vector<Index>& rows,
                 const Rows& expected) {
  const Matrix proba =
      fit_file(data_file(file), {.model = "lda", .options = {{"shrinkage", shrinkage}}}).train.proba;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t k = 0; k < expected[i].size(); ++k)
      EXPECT_NEAR(proba(rows[i], static_cast<Index>(k)), expected[i][k], 1e-8 * expected[i][k])
          << file << " " << shrinkage << " row " << rows[i];
}

TEST(Shrinkage, LedoitWolfEqualsScikitLearn) {
  expect_rows("iris.csv", "ledoit-wolf", {60, 70, 83, 133},
              {{3.826062520308856e-17, 0.9999990646690735, 9.353309266027583e-07},
               {2.7684001030701724e-26, 0.3004880111048074, 0.6995119888951926},
               {4.639890135847232e-30, 0.222996879774922, 0.777003120225078},
               {4.68436340670098e-27, 0.7711841380758803, 0.22881586192411968}});
  expect_rows("wine.csv", "ledoit-wolf", {60, 70, 83},
              {{3.484789514217752e-06, 0.9998228326567499, 0.00017368255373588018},
               {7.830024407906238e-06, 0.9658015126112393, 0.0341906573643529},
               {3.6628681146857715e-07, 0.1911104849915961, 0.8088891487215923}});
}

TEST(Shrinkage, OasEqualsScikitLearn) {
  expect_rows("iris.csv", "oas", {60, 70, 83, 133},
              {{8.410340218829822e-17, 0.9999977618710355, 2.2381289644415683e-06},
               {1.4103055812125209e-25, 0.3038492262408425, 0.6961507737591575},
               {5.181080667573931e-30, 0.13566193541783703, 0.864338064582163},
               {4.9244130913584155e-27, 0.5970089301660322, 0.4029910698339679}});
  expect_rows("wine.csv", "oas", {60, 70, 83},
              {{0.025056839956939986, 0.5222113232275439, 0.452731836815516},
               {0.439917508503911, 0.19405003479750907, 0.36603245669858003},
               {0.0007762593382192595, 0.6723913439886241, 0.3268323966731566}});
}

TEST(Shrinkage, ANumberEqualsScikitLearn) {
  expect_rows("iris.csv", "0.3", {60, 70},
              {{1.8539233824458667e-13, 0.9999968349222712, 3.165077543296733e-06},
               {1.989713387068524e-21, 0.44100337461642236, 0.5589966253835777}});
  expect_rows("wine.csv", "0", {60, 70},
              {{2.0271926243617756e-06, 0.9999614939541827, 3.6478853193034525e-05},
               {4.498256577495772e-06, 0.9984658483347054, 0.0015296534087170454}});
}

TEST(Shrinkage, UnknownRulesAreRefused) {
  for (const char* text : {"auto", "1.5", "-0.1", "", "x"}) {
    try {
      fit_file(data_file("iris.csv"), {.model = "lda", .options = {{"shrinkage", text}}});
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
    }
  }
}

// By Bayes: posteriors under other priors are those under the shares times the ratio, brought to the sum 1.
TEST(Priors, ReweighThePosteriorsOfLdaAndQda) {
  for (const char* model : {"lda", "qda"}) {
    const Matrix shares = fit_file(data_file("wine.csv"), {.model = model}).train.proba;
    const Matrix set = fit_file(data_file("wine.csv"),
                                {.model = model, .options = {{"priors", "class_0=1,class_1=2,class_2=5"}}})
                           .train.proba;
    const double ratio[] = {(1 / 8.0) / (59 / 178.0), (2 / 8.0) / (71 / 178.0), (5 / 8.0) / (48 / 178.0)};
    for (Index i = 0; i < shares.rows(); ++i) {
      Vector expected = shares.row(i).transpose();
      for (Index k = 0; k < 3; ++k) expected[k] *= ratio[k];
      expected /= expected.sum();
      EXPECT_LT((set.row(i).transpose() - expected).cwiseAbs().maxCoeff(), 1e-12) << model << " " << i;
    }
  }
}

TEST(Qda, PooledAltogetherItIsLda) {
  const Matrix lda = fit_file(data_file("wine.csv"), {.model = "lda"}).train.proba;
  const Matrix qda =
      fit_file(data_file("wine.csv"), {.model = "qda", .options = {{"pooling", "1"}}}).train.proba;
  EXPECT_LT((lda - qda).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Qda, ShrunkAltogetherItMeasuresPlainDistances) {
  const auto outcome = fit_file(data_file("iris.csv"), {.model = "qda", .options = {{"shrinkage", "1"}}});
  const auto& quadratic = std::get<Quadratic>(outcome.model.predictor);
  // R 4.2.2: mean(diag(cov(setosa))) = 0.077301020408163279
  for (Index j = 0; j < 4; ++j)
    EXPECT_NEAR(quadratic.whiten[0](j, j), 1 / std::sqrt(0.077301020408163279), 1e-10);
  EXPECT_NEAR(quadratic.bias[0], std::log(1 / 3.0) - 2 * std::log(0.077301020408163279), 1e-10);
}

TEST(Qda, ASmallClassIsFittedWhenItIsRegularised) {
  const Table table =
      make_table({{1, 2}, {2, 1}, {3, 5}, {4, 4}, {9, 1}, {8, 3}}, {"a", "a", "a", "a", "few", "few"});
  EXPECT_THROW(fit_table(table, {.model = "qda"}), Error);
  for (const char* option : {"pooling", "shrinkage"})
    EXPECT_TRUE(fit_table(table, {.model = "qda", .options = {{option, "0.5"}}}).model.summary.converged);
}

TEST(Judge, BlockByBlockIsTheSameWithoutTableAndAuc) {
  const auto outcome = fit_file(data_file("vowel_train.csv"), {.model = "lda"});
  const Table table = support::read_for(data_file("vowel_train.csv"), {});
  const Targets none;
  const PipelineSource source(table.x, outcome.model.pipeline, none);
  std::vector<double> weights;
  for (std::size_t i = 0; i < outcome.train_labels.size(); ++i) weights.push_back(static_cast<double>(i % 3));
  std::vector<std::int32_t> decided;
  const Metrics whole = judge(outcome.model, outcome.train, outcome.train_labels, weights);
  const Metrics parts = judge_rows(outcome.model, source, outcome.train_labels, weights, decided);
  EXPECT_EQ(decided, outcome.train.labels);
  EXPECT_EQ(parts.rows, whole.rows);
  EXPECT_EQ(parts.weight, whole.weight);
  EXPECT_EQ(parts.accuracy, whole.accuracy);
  EXPECT_EQ(parts.error, whole.error);
  EXPECT_EQ(parts.balanced_accuracy, whole.balanced_accuracy);
  EXPECT_NEAR(*parts.log_loss, *whole.log_loss, 1e-14);
  EXPECT_NEAR(*parts.brier, *whole.brier, 1e-14);
  EXPECT_EQ(parts.per_class[3].precision, whole.per_class[3].precision);
  EXPECT_EQ(parts.per_class[3].f1, whole.per_class[3].f1);
  EXPECT_TRUE(parts.confusion.empty());
  EXPECT_FALSE(parts.auc.has_value());
  // The mean cost of the decisions needs no table either.
  Model careful = outcome.model;
  careful.decision = Decision{};
  careful.decision->reject = 0.3;
  const Prediction said = predict_rows(careful, source);
  EXPECT_NEAR(*judge_rows(careful, source, outcome.train_labels, weights, decided).cost,
              *judge(careful, said, outcome.train_labels, weights).cost, 1e-14);
  EXPECT_EQ(decided, said.labels);
  EXPECT_EQ(predict_rows(careful, source, true).labels, said.labels);
  EXPECT_EQ(predict_rows(careful, source, true).proba.size(), 0);
}

}  // namespace
}  // namespace discern::shrinkage_test
