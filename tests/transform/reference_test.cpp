// Reference levels: any level can be the one without an indicator, and the model keeps which.
#include "discern/transform/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/catalogue/cross_validate.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/persist/model_file.hpp"
#include "tests/support/fitting.hpp"

namespace discern::reference_test {
namespace {

// Colours a, b, c and sizes x=1, y; a number beside them.
Table sample() {
  std::vector<std::vector<double>> cells;
  std::vector<std::string> labels;
  for (int i = 0; i < 60; ++i) {
    cells.push_back({static_cast<double>(i % 3), static_cast<double>((i / 3) % 2), std::sin(i)});
    labels.emplace_back((i * 7) % 5 < 2 + i % 3 ? "no" : "yes");
  }
  Table table = support::make_table(cells, labels);
  table.schema = Schema({{"colour", true, {"a", "b", "c"}}, {"size", true, {"x=1", "y"}}, {"n", false, {}}});
  table.noticed.resize(3);
  return table;
}

FitSettings plain(const std::string& reference, double l2 = 0) {
  FitSettings settings;
  settings.options = Logistic{.l2 = l2};
  settings.target = "class";
  settings.encode = settings.impute = true;
  settings.reference = reference;
  return settings;
}

TEST(Reference, TheChosenLevelHasNoIndicator) {
  const Model model = fit_model(sample(), plain("colour=b,size=y")).model;
  EXPECT_EQ(model.pipeline.feature_names(),
            (std::vector<std::string>{"colour=a", "colour=c", "size=x=1", "n"}));
  EXPECT_EQ(model.pipeline.input().column(0).levels, (std::vector<std::string>{"b", "a", "c"}));
}

TEST(Reference, DoesNotChangeWhatAnUnpenalisedFitPredicts) {
  const Table table = sample();
  const FitOutcome one = fit_model(table, plain("")), other = fit_model(table, plain("colour=c,size=y"));
  EXPECT_LT((one.train.proba - other.train.proba).cwiseAbs().maxCoeff(), 1e-8);
  // The weight of a against c is the difference of their weights against a.
  const auto weights = [](const FitOutcome& fit) { return std::get<Linear>(fit.model.predictor).weights; };
  EXPECT_NEAR(weights(other)(0, 0), -weights(one)(0, 1), 1e-6);
  // A table that was read anew has its levels in the order of their names.
  EXPECT_LT((predict(other.model, table, {}).proba - other.train.proba).cwiseAbs().maxCoeff(), 1e-12);
  const Model loaded = model_from_bytes(model_to_bytes(other.model));
  EXPECT_EQ(predict(loaded, table, {}).proba, predict(other.model, table, {}).proba);
}

TEST(Reference, AsksForReferenceCodingUnderAPenaltyToo) {
  const Model model = fit_model(sample(), plain("colour=b", 1)).model;
  EXPECT_EQ(model.pipeline.feature_names(),
            (std::vector<std::string>{"colour=a", "colour=c", "size=y", "n"}));
  EXPECT_EQ(fit_model(sample(), plain("", 1)).model.pipeline.features(), 6);
}

TEST(Reference, MistakesNameWhatThereIs) {
  const auto refusal = [](const std::string& text) {
    try {
      fit_model(sample(), plain(text));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::usage);
      return std::string(error.message());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("colour=d"), "`reference`: the column 'colour' has no level 'd'; its levels are a, b, c");
  EXPECT_EQ(refusal("n=1"), "`reference`: the column 'n' holds numbers, which have no reference level");
  EXPECT_EQ(refusal("hue=a"), "`reference`: expected COLUMN=LEVEL with a column of text, got 'hue=a'");
  EXPECT_EQ(refusal("colour=a,colour=b"), "`reference`: the column 'colour' is named twice");
  FitSettings bayes = plain("colour=a");
  bayes.options = NaiveBayes{};
  EXPECT_THROW(fit_model(sample(), bayes), Error);
}

// One row alone has colour z: in the fold that tests it no training row has the level.
TEST(Reference, AFoldWithoutTheLevelTakesItsFirst) {
  Table table = sample();
  table.schema =
      Schema({{"colour", true, {"a", "b", "c", "z"}}, {"size", true, {"x=1", "y"}}, {"n", false, {}}});
  auto& x = std::get<DenseMatrix<double>>(table.x);
  x.values[0] = 3;
  const CrossValidation result =
      cross_validate(table, plain("colour=z"), {{.folds = 5}}, {Variant{Logistic{.l2 = 0}}});
  EXPECT_EQ(result.variants.front().failed, "");
}

}  // namespace
}  // namespace discern::reference_test
