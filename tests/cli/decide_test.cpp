// Decisions with costs, thresholds, rejecting and other priors, at a fit and after it.
#include "harness.hpp"

namespace discern::cli_test::decide_test {
namespace {

class Decide : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    ASSERT_EQ(
        run({"fit", wdbc_, "--target", "class", "--model", "logistic", "--quiet", "-o", path("m")}).exit, 0);
  }
  std::string wdbc_ = data_file("breast_cancer_wdbc.csv");
};

TEST_F(Decide, AThresholdAtPredictionIsThatOfTheProbabilities) {
  const Outcome said =
      run({"predict", path("m"), wdbc_, "--threshold", "0.9", "--output", "proba", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  int between = 0;
  for (std::size_t i = 0; i < json["prediction"].size(); ++i) {
    const double p = json["p(malignant)"][i];
    EXPECT_EQ(json["prediction"][i], p >= 0.9 ? "malignant" : "benign");
    between += p >= 0.5 && p < 0.9 ? 1 : 0;
  }
  EXPECT_GT(between, 0);
}

TEST_F(Decide, ARuleOfTheFitIsKeptInTheModelAndReplacedByThatOfAPrediction) {
  ASSERT_EQ(run({"fit", wdbc_, "--target", "class", "--risk", "0.95", "--quiet", "-o", path("r")}).exit, 0);
  const std::string kept = run({"predict", path("r"), wdbc_}).out;
  EXPECT_EQ(kept, run({"predict", path("m"), wdbc_, "--risk", "0.95"}).out);
  EXPECT_NE(kept, run({"predict", path("m"), wdbc_}).out);
  EXPECT_EQ(run({"predict", path("r"), wdbc_, "--cost", "zero-one"}).out,
            run({"predict", path("m"), wdbc_}).out);
  EXPECT_NE(run({"inspect", path("r")}).out.find("least expected cost"), std::string::npos);
  EXPECT_EQ(run({"inspect", path("r"), "--json"}).json()["decision"]["cost"][1][0], 0.95);
}

TEST_F(Decide, RejectedRowsAreUndecidedInCsvJsonAndTheConfusion) {
  const Outcome csv = run({"predict", path("m"), wdbc_, "--reject", "0.1"});
  ASSERT_EQ(csv.exit, 0) << csv.err;
  int undecided = 0;
  for (const std::string& line : lines_of(csv.out)) undecided += line == "undecided" ? 1 : 0;
  ASSERT_GT(undecided, 0);
  const Json json = run({"evaluate", path("m"), wdbc_, "--reject", "0.1", "--json"}).json();
  EXPECT_NEAR(json["undecided"].get<double>(), undecided / 569.0, 1e-15);
  const Json& table = json["confusion"];
  ASSERT_EQ(table[0].size(), 3U);
  EXPECT_EQ(table[0][2].get<int>() + table[1][2].get<int>(), undecided);
  const double right = table[0][0].get<double>() + table[1][1].get<double>();
  EXPECT_NEAR(json["accuracy"].get<double>(), right / 569, 1e-15);
  EXPECT_NEAR(json["accuracy_decided"].get<double>(), right / (569 - undecided), 1e-15);
  const double wrong = table[0][1].get<double>() + table[1][0].get<double>();
  EXPECT_NEAR(json["cost"].get<double>(), (wrong + 0.1 * undecided) / 569, 1e-15);
  const Outcome text = run({"evaluate", path("m"), wdbc_, "--reject", "0.1"});
  for (const char* words : {"undecided", "accuracy decided", "mean cost"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << '\n' << text.out;
}

TEST_F(Decide, WithoutAnUndecidedRowThereIsNoSuchColumn) {
  const Json json = run({"evaluate", path("m"), wdbc_, "--reject", "1", "--json"}).json();
  EXPECT_FALSE(json.contains("undecided"));
  EXPECT_EQ(json["confusion"][0].size(), 2U);
  EXPECT_TRUE(json.contains("cost"));
}

TEST_F(Decide, CostsFromAFileAreThoseOfTheLine) {
  const std::string file = write("cost.csv", "truth,benign,malignant\nbenign,0,1\nmalignant,20,0\n");
  const Outcome a = run({"evaluate", path("m"), wdbc_, "--cost", file, "--json"});
  ASSERT_EQ(a.exit, 0) << a.err;
  EXPECT_EQ(a.out, run({"evaluate", path("m"), wdbc_, "--cost", "malignant:benign=20", "--json"}).out);
  EXPECT_LT(a.json()["confusion"][1][0].get<int>(),
            run({"evaluate", path("m"), wdbc_, "--json"}).json()["confusion"][1][0].get<int>() + 1);
}

TEST_F(Decide, PriorsOfAPredictionMoveTheProbabilities) {
  const auto mean = [&](const Words& more) {
    Words words{"predict", path("m"), wdbc_, "--output", "proba", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 0) << said.err;
    double sum = 0;
    const Json json = said.json();
    for (const Json& p : json["p(malignant)"]) sum += p.get<double>();
    return sum / 569;
  };
  EXPECT_LT(mean({"--priors", "malignant=0.01,benign=0.99"}), mean({}));
  EXPECT_GT(mean({"--priors", "equal"}), mean({}));
}

TEST_F(Decide, MistakesOfTheCommandLineExitWithTwoAndOfAFileWithOne) {
  const auto refused = [&](const Words& more, int code, const std::string& words) {
    Words all{"predict", path("m"), wdbc_};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome said = run(all);
    EXPECT_EQ(said.exit, code) << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(words), std::string::npos) << said.err;
  };
  refused({"--threshold", "1.5"}, 2, "--threshold");
  refused({"--threshold", "0.5", "--risk", "0.5"}, 2, "exclude each other");
  refused({"--cost", "malignant:X=1"}, 2, "got 'malignant:X=1'");
  refused({"--cost", write("c.csv", ",benign,malignant\nbenign,0,?\nmalignant,1,0\n")}, 1, "c.csv:2:");
  refused({"--cost", "malignant:benign=1e308,benign:malignant=1e308"}, 2, "expected costs of at most 1e+150");
  refused({"--cost", write("d.csv", ",benign,malignant\nbenign,0,-1e200\nmalignant,1,0\n")}, 1, "d.csv:2:");
  refused({"--reject", "1e200"}, 2, "--reject: expected a cost of at most 1e+150");
  refused({"--priors", "malignant=1"}, 2, "'benign' has none");
  ASSERT_EQ(run({"fit", wdbc_, "--target", "class", "--model", "svm", "--quiet", "-o", path("s")}).exit, 0);
  const Outcome svm = run({"predict", path("s"), wdbc_, "--reject", "0.1"});
  EXPECT_EQ(svm.exit, 2);
  EXPECT_NE(svm.err.find("the model svm has no probabilities"), std::string::npos) << svm.err;
  EXPECT_EQ(run({"fit", wdbc_, "--target", "class", "--model", "svm", "--threshold", "0.3"}).exit, 2);
}

TEST_F(Decide, TheLargestCostsStayFinite) {
  const Json json =
      run({"evaluate", path("m"), wdbc_, "--cost", "malignant:benign=1e150,benign:malignant=1e150", "--json"})
          .json();
  EXPECT_NEAR(json["cost"].get<double>() / 1e150, json["error"].get<double>(), 1e-12);
}

class Truth : public InFolder {};

TEST_F(Truth, OfGeneratedDataIsBesideTheModel) {
  ASSERT_EQ(run({"generate", "gaussians", "--rows", "2000", "--seed", "3", "--separation", "2", "--truth",
                 path("t.json"), "-o", path("d.csv")})
                .exit,
            0);
  ASSERT_EQ(
      run({"fit", path("d.csv"), "--target", "class", "--model", "lda", "--quiet", "-o", path("m")}).exit, 0);
  const Outcome said = run({"evaluate", path("m"), path("d.csv"), "--truth", path("t.json"), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json truth = said.json()["truth"];
  EXPECT_TRUE(truth["bayes_error"]["exact"]);
  EXPECT_NEAR(truth["bayes_error"]["value"].get<double>(), 0.158655253931457, 1e-12);  // Phi(-1)
  EXPECT_NEAR(truth["rows"]["error"].get<double>(), said.json()["error"].get<double>(), 1e-15);
  // With 2,000 rows the plane of LDA is nearly the best one.
  EXPECT_GE(truth["excess_risk"]["value"].get<double>(), 0);
  EXPECT_LT(truth["excess_risk"]["value"].get<double>(), 0.005);
  EXPECT_NE(run({"evaluate", path("m"), path("d.csv"), "--truth", path("t.json")}).out.find("Bayes error"),
            std::string::npos);
}

TEST_F(Truth, OfOtherFeaturesOrShapesIsRefused) {
  ASSERT_EQ(run({"generate", "xor", "--rows", "200", "--truth", path("t.json"), "-o", path("d.csv")}).exit,
            0);
  ASSERT_EQ(
      run({"fit", path("d.csv"), "--target", "class", "--features", "x1", "--quiet", "-o", path("m")}).exit,
      0);
  const Outcome said = run({"evaluate", path("m"), path("d.csv"), "--truth", path("t.json")});
  EXPECT_EQ(said.exit, 1);
  EXPECT_NE(said.err.find("'x2'"), std::string::npos) << said.err;
  const Outcome moons = run({"generate", "moons", "--truth", path("u.json"), "-o", path("u.csv")});
  EXPECT_EQ(moons.exit, 2);
  EXPECT_EQ(entries(), (Words{"d.csv", "m", "t.json"}));
}

class Continue : public InFolder {
 protected:
  // The first rows of iris and the others, each with all classes.
  void SetUp() override {
    InFolder::SetUp();
    const Words lines = lines_of(read_file(data_file("iris.csv")));
    std::string first = lines[0] + '\n', second = first;
    for (std::size_t i = 1; i < lines.size(); ++i) (i % 3 == 0 ? first : second) += lines[i] + '\n';
    write("first.csv", first);
    write("second.csv", second);
  }
};

TEST_F(Continue, GoesOnToTheModelOfAllRows) {
  ASSERT_EQ(run({"fit", path("first.csv"), "--target", "class", "--model", "lda", "--keep-statistics",
                 "--quiet", "-o", path("m")})
                .exit,
            0);
  const Outcome said = run({"fit", path("second.csv"), "--continue", path("m"), "-o", path("m"), "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.json()["n_samples"], 150);
  EXPECT_EQ(said.json()["facts"]["rows_before"], 50);
  ASSERT_EQ(
      run({"fit", data_file("iris.csv"), "--target", "class", "--model", "lda", "--quiet", "-o", path("all")})
          .exit,
      0);
  const Json a = run({"inspect", path("m"), "--json"}).json(),
             b = run({"inspect", path("all"), "--json"}).json();
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(a["weights"][k][j].get<double>(), b["weights"][k][j].get<double>(), 1e-10);
}

TEST_F(Continue, TakesItsSettingsFromTheModelAndSaysSo) {
  ASSERT_EQ(run({"fit", path("first.csv"), "--target", "class", "--model", "qda", "--keep-statistics",
                 "--quiet", "-o", path("m")})
                .exit,
            0);
  for (const Words& more : {Words{"--model", "lda"}, Words{"--pooling", "0.5"}, Words{"--target", "class"}}) {
    Words words{"fit", path("second.csv"), "--continue", path("m")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 2);
    EXPECT_NE(said.err.find("--continue takes it from the model"), std::string::npos) << said.err;
  }
}

TEST_F(Continue, RefusesANewCategoryWithAdviceThatItsFlagsAllow) {
  std::string rows = "x,colour,y\n";
  for (int i = 0; i < 12; ++i)
    rows += std::to_string(i * 5 % 7) + (i % 3 == 0 ? ",red," : ",blue,") + (i % 2 == 0 ? "a\n" : "b\n");
  ASSERT_EQ(run({"fit", write("c.csv", rows), "--target", "y", "--model", "lda", "--keep-statistics",
                 "--quiet", "-o", path("m")})
                .exit,
            0);
  const Outcome said = run({"fit", write("d.csv", rows + "3,green,a\n"), "--continue", path("m")});
  EXPECT_EQ(said.exit, 1);
  EXPECT_NE(said.err.find("d.csv:14: column 'colour': found the category 'green'"), std::string::npos)
      << said.err;
  EXPECT_NE(said.err.find("fit all rows anew"), std::string::npos) << said.err;
  EXPECT_EQ(said.err.find("--unseen"), std::string::npos) << said.err;
}

TEST_F(Continue, RefusesAModelWithoutStatisticsAndANewClass) {
  ASSERT_EQ(
      run({"fit", path("first.csv"), "--target", "class", "--model", "lda", "--quiet", "-o", path("m")}).exit,
      0);
  const Outcome none = run({"fit", path("second.csv"), "--continue", path("m")});
  EXPECT_EQ(none.exit, 2);
  EXPECT_NE(none.err.find("--keep-statistics"), std::string::npos) << none.err;
  ASSERT_EQ(run({"fit", path("first.csv"), "--target", "class", "--model", "lda", "--keep-statistics",
                 "--quiet", "-o", path("m")})
                .exit,
            0);
  std::string rows = read_file(path("second.csv"));
  rows.insert(rows.find('\n') + 1, "5,3,1,0.2,tulipa\n");
  const Outcome tulip = run({"fit", write("t.csv", rows), "--continue", path("m")});
  EXPECT_EQ(tulip.exit, 1);
  EXPECT_NE(tulip.err.find("t.csv:2:"), std::string::npos) << tulip.err;
  EXPECT_NE(tulip.err.find("'tulipa'"), std::string::npos) << tulip.err;
  EXPECT_EQ(run({"fit", path("first.csv"), "--target", "class", "--keep-statistics"}).exit, 2);
}

}  // namespace
}  // namespace discern::cli_test::decide_test
