// discern evaluate: metrics of a model on labelled data.
#include <cmath>
#include <cstdio>

#include "harness.hpp"

namespace discern::cli_test::evaluate_test {
namespace {

Words keys_of(const Json& object) {
  Words keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

class Evaluate : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    ASSERT_EQ(run({"fit", iris_, "--target", "class", "--model", "lda", "--quiet", "-o", path("m")}).exit, 0);
  }
  std::string iris_ = data_file("iris.csv");
};

TEST_F(Evaluate, JsonHasExactlyThePromisedKeys) {
  const Outcome said = run({"evaluate", path("m"), iris_, "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  EXPECT_EQ(keys_of(json), (Words{"accuracy", "balanced_accuracy", "error", "log_loss", "brier", "auc",
                                  "confusion", "per_class", "average_precision", "mcc", "macro_f1", "ece",
                                  "error_interval", "calibration"}));
  EXPECT_EQ(keys_of(json["per_class"]), (Words{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(keys_of(json["per_class"]["setosa"]), (Words{"precision", "recall", "f1", "support"}));
  // LDA with class shares as priors misclassifies three flowers of the training set.
  EXPECT_EQ(json["confusion"], (Json{{50, 0, 0}, {0, 48, 2}, {0, 1, 49}}));
  EXPECT_NEAR(json["accuracy"].get<double>(), 0.98, 1e-15);
  EXPECT_EQ(json["per_class"]["setosa"]["f1"], 1);
}

TEST_F(Evaluate, MetricsThatDoNotExistAreNull) {
  ASSERT_EQ(run({"fit", iris_, "--target", "class", "--model", "least-squares", "-o", path("m")}).exit, 0);
  const Json json = run({"evaluate", path("m"), iris_, "--json"}).json();
  EXPECT_TRUE(json["log_loss"].is_null());
  EXPECT_TRUE(json["brier"].is_null());
  EXPECT_TRUE(json["auc"].is_number());
}

TEST_F(Evaluate, PrintsATableWithClassNamesOnStandardOutput) {
  const Outcome said = run({"evaluate", path("m"), iris_});
  ASSERT_EQ(said.exit, 0);
  for (const char* words : {"accuracy", "147 of 150", "balanced accuracy", "log loss", "AUC", "confusion",
                            "versicolor", "precision", "recall", "support"})
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
}

TEST_F(Evaluate, ALabelThatTrainingDidNotHaveIsRefusedByLine) {
  std::string rows = read_file(iris_);
  rows.insert(rows.find('\n') + 1, "5,3,1,0.2,tulipa\n");
  const Outcome said = run({"evaluate", path("m"), write("t.csv", rows)});
  EXPECT_EQ(said.exit, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("t.csv:2:"), std::string::npos) << said.err;
  EXPECT_NE(said.err.find("tulipa"), std::string::npos) << said.err;
}

TEST_F(Evaluate, NeedsTheTargetColumn) {
  const Outcome said =
      run({"evaluate", path("m"),
           write("t.csv", "sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm\n1,2,3,4\n")});
  EXPECT_EQ(said.exit, 1) << said.err;
  EXPECT_NE(said.err.find("class"), std::string::npos) << said.err;
}

TEST_F(Evaluate, OfARegressionGivesItsErrors) {
  const std::string line = write("line.csv", "x,y\n0,1\n1,3\n2,5\n3,7\n");
  ASSERT_EQ(
      run({"fit", line, "--target", "y", "--model", "least-squares", "--task", "regression", "-o", path("m")})
          .exit,
      0);
  const Json json = run({"evaluate", path("m"), write("t.csv", "x,y\n0,2\n1,2\n"), "--json"}).json();
  EXPECT_EQ(keys_of(json), (Words{"rmse", "mae", "r2"}));
  EXPECT_NEAR(json["rmse"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(json["mae"].get<double>(), 1, 1e-12);
  EXPECT_TRUE(json["r2"].is_null());
}

// By log(1 + exp(-g)), not by the logarithm of a probability that has become zero.
TEST_F(Evaluate, LogLossGoesOnWhereProbabilitiesEnd) {
  const std::string line = write("line.csv", "x,y\n-2,a\n-1,b\n-1,a\n1,b\n1,a\n2,b\n");
  const std::string far = write("far.csv", "x,y\n-10000,b\n");
  ASSERT_EQ(run({"fit", line, "--target", "y", "-o", path("m")}).exit, 0);
  const double score =
      std::stod(lines_of(run({"predict", path("m"), far, "--output", "scores"}).out)[1].substr(2));
  ASSERT_LT(score, -1000);
  EXPECT_DOUBLE_EQ(run({"evaluate", path("m"), far, "--json"}).json()["log_loss"].get<double>(), -score);
  // Three classes, with other priors as well.
  const std::string three = write("three.csv", "x,y\n-2,a\n-1,b\n-1,a\n1,b\n1,c\n2,c\n0,b\n0,c\n0,a\n");
  ASSERT_EQ(run({"fit", three, "--target", "y", "-o", path("m")}).exit, 0);
  const std::string scores = lines_of(run({"predict", path("m"), far, "--output", "scores"}).out)[1];
  double a = 0, b = 0;
  ASSERT_EQ(std::sscanf(scores.c_str(), "a,%lf,%lf", &a, &b), 2) << scores;
  EXPECT_DOUBLE_EQ(run({"evaluate", path("m"), far, "--json"}).json()["log_loss"].get<double>(), a - b);
  const Json other = run({"evaluate", path("m"), far, "--priors", "a=0.5,b=0.25,c=0.25", "--json"}).json();
  EXPECT_NEAR(other["log_loss"].get<double>(), a - b + std::log(2.0), 1e-9 * (a - b));
}

TEST_F(Evaluate, SampleWeightsCountRows) {
  std::string rows = "w," + read_file(iris_), weighted;
  for (const std::string& line : lines_of(rows)) weighted += (weighted.empty() ? line : "2," + line) + "\n";
  const std::string table = write("t.csv", weighted);
  const Json json = run({"evaluate", path("m"), table, "--sample-weight", "w", "--json"}).json();
  EXPECT_EQ(json["confusion"], (Json{{100, 0, 0}, {0, 96, 4}, {0, 2, 98}}));
}

TEST_F(Evaluate, RowsOfWeightZeroNeedNoKnownLabel) {
  const std::string columns = "sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm,class,w\n";
  const std::string table = write("t.csv", columns + "5,3,1,0.2,setosa,1\n6,3,4,1,nothing,0\n6,3,4,1,,0\n");
  const Outcome said = run({"evaluate", path("m"), table, "--sample-weight", "w", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.json()["confusion"], (Json{{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ(run({"evaluate", path("m"), table}).exit, 1);
}

TEST_F(Evaluate, ThousandsOfClassesHaveNoConfusionMatrix) {
  std::string rows = "x,class\n";
  for (int k = 0; k < 2600; ++k)
    for (const char* last : {".0", ".25"}) rows += std::to_string(k) + last + ",c" + std::to_string(k) + "\n";
  const std::string table = write("t.csv", rows);
  ASSERT_EQ(run({"fit", table, "--target", "class", "--model", "lda", "--quiet", "-o", path("k")}).exit, 0);
  const Json json = run({"evaluate", path("k"), table, "--json"}).json();
  EXPECT_EQ(json["accuracy"], 1.0);
  EXPECT_EQ(json["confusion"], nullptr);
  EXPECT_EQ(json["auc"], nullptr);
  EXPECT_EQ(json["per_class"]["c7"]["support"], 2);
  const Outcome text = run({"evaluate", path("k"), table});
  EXPECT_NE(text.out.find("5,200 of 5,200"), std::string::npos) << text.out.substr(0, 400);
  EXPECT_NE(text.out.find("too many for a confusion matrix"), std::string::npos) << text.out.substr(0, 400);
  const auto lines = lines_of(run({"predict", path("k"), table}).out);
  ASSERT_EQ(lines.size(), 5201U);
  EXPECT_EQ(lines[5200], "c2599");
}

TEST_F(Evaluate, RefusesNegativeAndAllZeroSampleWeights) {
  const std::string columns =
      "sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm,class,zero,minus\n";
  const std::string table = write("t.csv", columns + "5,3,1,0.2,setosa,0,1\n6,3,4,1,versicolor,0,-2\n");
  EXPECT_EQ(run({"evaluate", path("m"), table, "--sample-weight", "zero"}).exit, 1);
  const Outcome negative = run({"evaluate", path("m"), table, "--sample-weight", "minus"});
  EXPECT_EQ(negative.exit, 1);
  EXPECT_NE(negative.err.find("'minus'"), std::string::npos) << negative.err;
  EXPECT_NE(negative.err.find("-2"), std::string::npos) << negative.err;
}

TEST_F(Evaluate, AFeatureOrTheTargetIsNoSampleWeight) {
  const Outcome feature = run({"evaluate", path("m"), iris_, "--sample-weight", "petal_width_cm"});
  EXPECT_EQ(feature.exit, 2);
  EXPECT_NE(feature.err.find("'petal_width_cm' cannot be both a feature of the model and the sample weight"),
            std::string::npos)
      << feature.err;
  const Outcome target = run({"evaluate", path("m"), iris_, "--sample-weight", "class"});
  EXPECT_EQ(target.exit, 2);
  EXPECT_NE(target.err.find("'class' cannot be both the target"), std::string::npos) << target.err;
}

}  // namespace
}  // namespace discern::cli_test::evaluate_test
