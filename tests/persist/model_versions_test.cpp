// The models of every released version of the file format, kept in tests/persist/models, go on giving the
// predictions that they gave. The expected scores were computed from the definitions in
// sample_models.cpp with exact fractions, the probabilities from them with 40 digits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::model_versions_test {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Model kept(const std::string& name) { return load_model(support::kept_model_file(name + ".safetensors")); }

// Rows in the order of the model's own columns; codes for categorical ones.
Prediction predict_values(const Model& model, const std::vector<double>& values) {
  Table table;
  table.schema = model.pipeline.input();
  const Index cols = table.schema.size();
  table.x = DenseMatrix<double>{Buffer<double>(values), static_cast<Index>(values.size()) / cols, cols};
  for (Index j = 0; j < cols; ++j)
    table.noticed.push_back({0, 0, std::vector<Index>(table.schema.column(j).levels.size(), 1)});
  return predict(model, table);
}

void expect_scores(const Prediction& prediction, const Matrix& scores) {
  ASSERT_EQ(prediction.scores.rows(), scores.rows());
  ASSERT_EQ(prediction.scores.cols(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index k = 0; k < scores.cols(); ++k)
      EXPECT_EQ(prediction.scores(i, k), scores(i, k)) << i << ' ' << k;
}

// The last bits of an exponential differ between systems.
void expect_probabilities(const Prediction& prediction, const Matrix& proba) {
  ASSERT_EQ(prediction.proba.rows(), proba.rows());
  ASSERT_EQ(prediction.proba.cols(), proba.cols());
  for (Index i = 0; i < proba.rows(); ++i)
    for (Index k = 0; k < proba.cols(); ++k)
      EXPECT_NEAR(prediction.proba(i, k), proba(i, k), 1e-14 * proba(i, k)) << i << ' ' << k;
}

TEST(ModelVersions, Version1TwoClasses) {
  const Model model = kept("v1-two-classes");
  const Prediction prediction =
      predict_values(model, {1, 2000.5, -0.125, 3, 2001.5, 0.875, 0, 0, 0, 2.5, 2000.5, -0.125});
  expect_scores(prediction, Matrix{{-0.75}, {2.0}, {2499.75}, {0.0}});
  EXPECT_EQ(prediction.labels, (std::vector<std::int32_t>{0, 1, 1, 1}));
  expect_probabilities(prediction, Matrix{{0.67917869917539297316, 0.32082130082460702684},
                                          {0.11920292202211755594, 0.88079707797788244406},
                                          {0.0, 1.0},
                                          {0.5, 0.5}});
  EXPECT_EQ(model.classes, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(model.summary.certificate.value, 3.5e-11);
}

TEST(ModelVersions, Version1EveryKindOfStep) {
  const Model model = kept("v1-many-steps");
  const Prediction prediction =
      predict_values(model, {3, 0, 0.25, missing, missing, missing, -1, 1, 1.25, 5, 2, -2});
  expect_scores(
      prediction,
      Matrix{{-0.25, 0.75, 0.0}, {1.1875, 0.640625, 0.203125}, {6.5, -2.5, 2.5}, {16.1875, -1.5625, 15.25}});
  EXPECT_EQ(prediction.labels, (std::vector<std::int32_t>{1, 0, 0, 0}));
  expect_probabilities(prediction,
                       Matrix{{0.1999077527615271854, 0.54340561169974286701, 0.25668663553872994759},
                              {0.51218270141591170286, 0.29642860595692524991, 0.19138869262716304723},
                              {0.98189479408071832345, 0.00012117544417123200688, 0.017984030475110444544},
                              {0.71859438247273475039, 1.4052602575157664468e-8, 0.28140560347466267445}});
  EXPECT_EQ(model.pipeline.feature_names(),
            (std::vector<std::string>{"length", "width", "length^2", "length*width", "width^2",
                                      "colour=green", "colour=red"}));
}

TEST(ModelVersions, Version1Regression) {
  const Prediction prediction = predict_values(kept("v1-regression"), {0, 0, 1, 2, -0.5, 3, 4, -0.25});
  expect_scores(prediction, Matrix{{10.0}, {23.25}, {42.40625}, {278.203125}});
}

TEST(ModelVersions, Version1Quadratic) {
  const Model model = kept("v1-quadratic");
  const Prediction prediction = predict_values(model, {0.5, 3, 1, -5, -0.5, 1, 0.75, -3});
  expect_scores(prediction, Matrix{{-1.0, -1.375, -31.78125},
                                   {-15.5, 0.25, -74.03125},
                                   {-9.5, -4.25, 0.5},
                                   {-7.625, 0.09375, -50.625}});
  EXPECT_EQ(prediction.labels, (std::vector<std::int32_t>{0, 1, 2, 1}));
  expect_probabilities(
      prediction, Matrix{{0.59266659995405471024, 0.40733340004591989855, 2.5391212021954706457e-14},
                         {1.4449800373124837641e-7, 0.99999985550199626875, 5.4962053859799567631e-33},
                         {0.000045008486672110405398, 0.0085770993540740617109, 0.99137789215925382788},
                         {0.00044421835892143435237, 0.99955578164107856565, 9.3958003842250044702e-23}});
}

TEST(ModelVersions, Version1TextsOfAnyBytes) {
  const Model model = kept("v1-odd-texts");
  const Prediction prediction = predict_values(model, {0, 2, 0, 0, 0, 4, 0, 0});
  expect_scores(prediction, Matrix{{3.0}, {-2.0}});
  // The positive class is the first one here.
  EXPECT_EQ(prediction.labels, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(model.classes, (std::vector<std::string>{"\x80", "ff"}));
  EXPECT_EQ(model.pipeline.input().column(0).levels[1], std::string("a\0b", 3));
  EXPECT_EQ(model.pipeline.input().column(0).levels[4], "\xED\xA0\x80");
  EXPECT_TRUE(std::isnan(*model.summary.objective));
}

}  // namespace
}  // namespace discern::model_versions_test
