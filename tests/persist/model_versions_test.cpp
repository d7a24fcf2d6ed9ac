// The models of earlier versions of the file format, kept in tests/persist/models, go on giving the
// predictions that they gave. For version 1 the expected scores were computed from the definitions in
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

// Fits of twelve rows with the columns size, weight, colour and class by the program that wrote version 4,
// and what it said then (predict --output scores): a model of every shape, step, rule and statistic that came
// after version 1.
struct Kept {
  const char* name;
  std::vector<std::string> labels;
  Matrix scores;
};
const std::vector<Kept>& of_version_4() {
  static const std::vector<Kept> models{
      {"v4-network",
       {"a", "b", "a"},
       Matrix{{0.1502153768634213, -0.7664922689999191, 0.09369041512100879},
              {-1.7055629038274327, 1.2326220949607885, -0.04972819571287107},
              {0.6382061072173504, -1.273166151743156, 0.11239525854017823}}},
      {"v4-kernel-sum",
       {"a", "b", "a"},
       Matrix{{0.48121048233880415, -0.9354842864735146, 0.4542738041347102},
              {-1.691897935414155, 1.5009478422228515, 0.19095009319130352},
              {0.96737105174911, -1.4096574691732893, 0.44228641742417907}}},
      {"v4-additive",
       {"c", "b", "c"},
       Matrix{{-5.442332787811289, -7.547544846433578, -4.527331710404023},
              {-20.195793466935555, -4.060174170591792, -7.965007862070416},
              {-5.793919568988347, -8.467194023808991, -5.555779892352036}}},
      {"v4-reduction",
       {"c", "b", "a"},
       Matrix{{0.05110080650490377, -2.1476707906768593, 2.126847119350566},
              {-2.2540455301613567, 2.2009927823487376, 0.20920251889562527},
              {2.118211613680449, -2.1976924243851435, 0.158626544278366}}},
      {"v4-calibrated",
       {"a", "b", "a"},
       Matrix{{-0.46185210652367, -1.1109082213323287, -0.5008616065722123},
              {-2.7272336481399484, 0.34578215928140177, -0.7739004328253642},
              {-0.36453586089716006, -1.6602284659347513, -0.9194583807261059}}},
      {"v4-decision",
       {"undecided", "b", "a"},
       Matrix{{-0.3845627896376206}, {1.8939451492820787}, {-0.8613537947276453}}},
      {"v4-rbf", {"a", "b", "a"}, Matrix{{-0.5137899470298536}, {2.096942327046846}, {-1.09118916047635}}},
      {"v4-hashed-stream",
       {"c", "c", "c"},
       Matrix{{-0.6914738710587064, -0.7182215799217264, 1.4096954509804327},
              {-0.8004420861163961, -0.7572762084460575, 1.5577182945624535},
              {-0.5918719725903271, -0.3395646655308088, 0.9314366381211359}}},
  };
  return models;
}

TEST(ModelVersions, Version4OfEveryShape) {
  Table table;
  table.schema = Schema({{"size", false, {}}, {"weight", false, {}}, {"colour", true, {"red", "blue"}}});
  table.x =
      DenseMatrix<double>{Buffer<double>(std::vector<double>{2, 20, 0, 3, 14, 1, 1.5, missing, 0}), 3, 3};
  table.noticed = {{}, {1, 4, {}}, {0, 0, {2, 3}}};
  for (const Kept& one : of_version_4()) {
    const Model model = kept(one.name);
    const Prediction said = predict(model, table);
    ASSERT_EQ(said.scores.rows(), one.scores.rows()) << one.name;
    ASSERT_EQ(said.scores.cols(), one.scores.cols()) << one.name;
    EXPECT_LT((said.scores - one.scores).cwiseAbs().maxCoeff(), 1e-12) << one.name;
    for (std::size_t i = 0; i < one.labels.size(); ++i)
      EXPECT_EQ(label_text(model, said.labels[i]), one.labels[i]) << one.name;
  }
}

// Scores by hand, from the weights in sample_models.cpp. 19782.75 is 18:00 on Thursday, 29 February 2024.
TEST(ModelVersions, Version5OfColumnsAndDates) {
  const Prediction filled = predict_values(kept("v5-indicators"), {1, 1, 2, missing, 2, 0});
  expect_scores(filled, Matrix{{0.5 - 1 + 2 * 2 - 0.75}, {0.5 * 1.5 + 0.25 - 0.75 - 0.75}});
  EXPECT_EQ(kept("v5-indicators").pipeline.input().column(1).other, 2);
  const Prediction dated = predict_values(kept("v5-dates"), {2, 19782.75});
  expect_scores(dated, Matrix{{0.5 * 2024 - 1.25 * 2 + 3 * 29 + 0.25 * 4 - 0.125 * 18 + 2 * 2 - 1024}});
  const Column& price = kept("v5-quadratic").pipeline.input().column(0);
  EXPECT_EQ(price.form.decimal, ',');
  EXPECT_EQ(price.form.group, '.');
  EXPECT_EQ(price.form.unit, "€");
}

}  // namespace
}  // namespace discern::model_versions_test
