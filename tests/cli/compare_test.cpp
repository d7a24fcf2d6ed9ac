// discern compare: every discriminant, ranked.
#include "harness.hpp"

namespace discern::cli_test::compare_test {
namespace {

class Compare : public InFolder {
 protected:
  std::string wine_ = data_file("wine.csv");
  Words compare(const Words& more) const {
    Words words{"compare", wine_, "--target", "class", "--models", "lda,qda,logistic,naive-bayes"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Compare, JsonHasARankingAndTheBest) {
  const Outcome said = run(compare({"--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  ASSERT_EQ(json["ranking"].size(), 4u);
  EXPECT_EQ(json["best"], json["ranking"][0]["model"]);
  EXPECT_EQ(json["ranking"][0]["note"], "best");
  double before = 1;
  for (const Json& one : json["ranking"]) {
    for (const char* key : {"model", "score", "se", "seconds", "note"}) EXPECT_TRUE(one.contains(key)) << key;
    EXPECT_LE(one["score"].get<double>(), before);
    before = one["score"].get<double>();
    EXPECT_EQ(one["folds"].size(), 5u);
  }
  EXPECT_GT(json["ranking"][0]["score"].get<double>(), json["baseline"].get<double>());
}

TEST_F(Compare, RepeatsItselfApartFromTheTimes) {
  const auto stripped = [&](const Words& more) {
    Json json = run(compare(more)).json();
    json.erase("seconds");
    for (Json& one : json["ranking"]) one.erase("seconds");
    return json;
  };
  EXPECT_EQ(stripped({"--json", "--threads", "1"}), stripped({"--json", "--threads", "2"}));
}

TEST_F(Compare, ExplainsItselfAndSavesTheBest) {
  const Outcome said = run(compare({"-o", path("best")}));
  ASSERT_EQ(said.exit, 0) << said.err;
  for (const char* words :
       {"accuracy", "std. error", "best", "has not seen", "'class_1' would give", "fitted on all 178 rows"})
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  const Json model = run({"inspect", path("best"), "--json"}).json();
  EXPECT_EQ(model["n_samples"], 178);
  EXPECT_EQ(run({"evaluate", path("best"), wine_, "--json"}).exit, 0);
}

TEST_F(Compare, PassesOnWhatFitsWarnedOf) {
  const Words words{"compare",       data_file("pima_diabetes.csv"), "--target", "diabetes", "--models",
                    "lda,perceptron"};
  Words json_words = words;
  json_words.emplace_back("--json");
  const Json ranking = run(json_words).json()["ranking"];
  ASSERT_EQ(ranking[1]["model"], "perceptron");
  EXPECT_TRUE(ranking[0]["warnings"].empty());
  ASSERT_EQ(ranking[1]["warnings"].size(), 1u) << ranking[1];
  EXPECT_EQ(ranking[1]["warnings"][0]["folds"], 5);
  EXPECT_NE(ranking[1]["note"].get<std::string>().find("not converged in 5 of 5 folds"), std::string::npos);
  const Outcome said = run(words);
  for (const char* text : {"note\n", "not converged in 5 of 5 folds", "warnings of the fits\n  perceptron  ",
                           "(in 5 of 5 folds)"})
    EXPECT_NE(said.out.find(text), std::string::npos) << text << "\n" << said.out;
}

TEST_F(Compare, CountsAFoldOnceThoughItsFitWarnsOfSeveralClasses) {
  std::string rows = "x1,x2,y\n";
  for (int i = 0; i < 60; ++i)
    rows +=
        std::to_string(i * 7 % 11) + "," + std::to_string(i * 5 % 13) + "," + std::to_string(i % 3) + "\n";
  const Json mixed =
      run({"compare", write("t.csv", rows), "--target", "y", "--models", "ho-kashyap", "--json"}).json();
  ASSERT_FALSE(mixed["ranking"][0]["warnings"].empty());
  for (const Json& warning : mixed["ranking"][0]["warnings"]) EXPECT_LE(warning["folds"], 5) << warning;
  EXPECT_LE(mixed["ranking"][0]["warnings"].size(), 2u) << mixed;
}

TEST_F(Compare, WarnsOfClassesWithFewerRowsThanFolds) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 7 % 11) + (i % 2 == 0 ? ",a\n" : ",b\n");
  const Words words{"compare", write("t.csv", rows + "5,c\n"), "--target", "y", "--models", "lda,logistic",
                    "--json"};
  const Json warnings = run(words).json()["warnings"];
  ASSERT_EQ(warnings.size(), 2u) << warnings;
  EXPECT_EQ(warnings[0], "class 'c' has 1 row, fewer than the 5 folds: some folds do not test it");
  EXPECT_EQ(warnings[1],
            "1 tested row is of a class that no training row of its fold has; it counts as wrong");
}

TEST_F(Compare, WarnsOnceOfSeveralClassesWithFewerRowsThanFolds) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i * 7 % 11) + (i % 2 == 0 ? ",a\n" : ",b\n");
  const std::string table = write("t.csv", rows + "5,c\n6,d\n7,d\n");
  const Json compared =
      run({"compare", table, "--target", "y", "--models", "lda,logistic", "--json"}).json()["warnings"];
  const Json validated = run({"cv", table, "--target", "y", "--model", "lda", "--json"}).json()["warnings"];
  for (const Json& warnings : {compared, validated}) {
    ASSERT_FALSE(warnings.empty());
    EXPECT_EQ(
        warnings[0],
        "classes 'c' (1 row), 'd' (2 rows) have fewer rows than the 5 folds: some folds do not test them");
    for (std::size_t k = 1; k < warnings.size(); ++k)
      EXPECT_EQ(warnings[k].get<std::string>().find("folds do not test"), std::string::npos) << warnings;
  }
  rows = "x,y\n";
  for (int i = 0; i < 60; ++i) rows += std::to_string(i * 7 % 11) + ",c" + std::to_string(i % 15 + 10) + "\n";
  const Json many =
      run({"cv", write("m.csv", rows), "--target", "y", "--model", "lda", "--json"}).json()["warnings"];
  EXPECT_NE(many[0].get<std::string>().find("'c19' (4 rows) and 5 more have fewer rows"), std::string::npos)
      << many;
}

// Nor does it recommend one of several models that all know nothing.
TEST_F(Compare, SaysWhenNoModelIsBetterThanTheMostFrequentClass) {
  std::string rows = "x,z,y\n";
  for (int i = 0; i < 30; ++i) rows += i % 3 == 0 ? "3,3,a\n" : "3,3,b\n";
  const Outcome said =
      run({"compare", write("t.csv", rows), "--target", "y", "--models", "lda,logistic,svm"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.out.find("saying 'b' gives 66.67 %: no model is better"), std::string::npos) << said.out;
  EXPECT_EQ(said.out.find("fair choice"), std::string::npos) << said.out;
}

TEST_F(Compare, ListsWhatItCannotRank) {
  const Outcome said =
      run({"compare", wine_, "--target", "class", "--models", "lda,svm", "--metric", "log_loss"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.out.find("not ranked\n  svm  it gives no probabilities, which log_loss needs"),
            std::string::npos)
      << said.out;
}

TEST_F(Compare, WithNothingRankedIsAFailureWithReasons) {
  const Outcome none =
      run({"compare", wine_, "--target", "class", "--models", "svm", "--metric", "brier", "-o", path("m")});
  EXPECT_EQ(none.exit, 1);
  EXPECT_NE(none.out.find("No model could be judged"), std::string::npos) << none.out;
  EXPECT_TRUE(entries().empty());
}

TEST_F(Compare, BadRequestsSayWhatWasExpected) {
  const auto expect = [&](const Words& words, const std::string& text) {
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 2) << said.err;
    EXPECT_NE(said.err.find(text), std::string::npos) << said.err;
  };
  expect({"compare", wine_, "--target", "class", "--models", "lda,tree"}, "'tree'");
  expect({"compare", wine_, "--target", "class", "--models", "lda,lda"}, "lda was given twice");
  expect({"compare", wine_, "--target", "class", "--budget", "-1"}, "--budget: expected a number");
  expect({"compare", wine_, "--target", "class", "--metric", "rmse"}, "--metric: expected one of accuracy");
  expect({"compare", wine_, "--target", "class", "--models", "fisher,nope"}, "--models: expected one of");
  expect({"compare", wine_, "--target", "class", "--metric", "undecided"},
         "--metric undecided needs --reject");
  expect({"compare", wine_, "--target", "class", "--l2", "1"}, "--l2");
  expect({"compare", wine_, "--target", "class", "--leave-one-out", "--metric", "auc"},
         "has no value for a single row");
}

}  // namespace
}  // namespace discern::cli_test::compare_test
