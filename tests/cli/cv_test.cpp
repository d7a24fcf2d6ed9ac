// discern cv: cross-validation from the command line.
#include <cmath>
#include <map>

#include "harness.hpp"

namespace discern::cli_test::cv_test {
namespace {

class Cv : public InFolder {
 protected:
  std::string iris_ = data_file("iris.csv");
  Words cv(const Words& more) const {
    Words words{"cv", iris_, "--target", "class", "--model", "lda"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(Cv, JsonHasMeansStandardErrorsAndFolds) {
  const Outcome said = run(cv({"--folds", "5", "--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  EXPECT_EQ(json["model"], "lda");
  EXPECT_EQ(json["n_samples"], 150);
  ASSERT_EQ(json["folds"].size(), 5u);
  double sum = 0, squares = 0;
  for (const Json& fold : json["folds"]) {
    EXPECT_EQ(fold["train_rows"], 120);
    EXPECT_EQ(fold["test_rows"], 30);
    sum += fold["accuracy"].get<double>();
  }
  for (const Json& fold : json["folds"]) squares += std::pow(fold["accuracy"].get<double>() - sum / 5, 2);
  EXPECT_NEAR(json["mean"]["accuracy"].get<double>(), sum / 5, 1e-12);
  EXPECT_NEAR(json["se"]["accuracy"].get<double>(), std::sqrt(squares / 4 / 5), 1e-12);
  for (const char* key : {"accuracy", "balanced_accuracy", "error", "log_loss", "brier", "auc", "mcc"})
    EXPECT_TRUE(json["mean"][key].is_number()) << key;
  EXPECT_EQ(json["pooled"]["error_interval"].size(), 2u);
}

TEST_F(Cv, PrintsATableWithMeanAndStandardError) {
  const Outcome said = run(cv({}));
  ASSERT_EQ(said.exit, 0) << said.err;
  for (const char* words :
       {"fold", "tested on", "accuracy", "log loss", "mean", "standard error", "95 % confidence"})
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  EXPECT_NE(said.err.find("5 folds, stratified"), std::string::npos) << said.err;
}

TEST_F(Cv, TakesTheOptionsOfFitAndTheSameErrors) {
  EXPECT_EQ(run(cv({"--shrinkage", "0.2", "--priors", "equal"})).exit, 0);
  const Outcome said = run(cv({"--l2", "1"}));
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("--l2 is no option of the model lda"), std::string::npos) << said.err;
}

TEST_F(Cv, WritesOutOfFoldPredictionsInTheOrderOfTheRows) {
  ASSERT_EQ(run(cv({"--predictions", path("p.csv")})).exit, 0);
  const Words lines = lines_of(read_file(path("p.csv")));
  ASSERT_EQ(lines.size(), 151u);
  EXPECT_EQ(lines[0], "row,fold,truth,prediction,p(setosa),p(versicolor),p(virginica)");
  int right = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].substr(0, lines[i].find(',')), std::to_string(i));
    const auto truth = lines[i].find(',', lines[i].find(',') + 1) + 1;
    const auto comma = lines[i].find(',', truth);
    const std::string name = lines[i].substr(truth, comma - truth);
    right += lines[i].compare(comma + 1, name.size() + 1, name + ",") == 0 ? 1 : 0;
  }
  const Json json = run(cv({"--json"})).json();
  EXPECT_NEAR(json["pooled"]["accuracy"].get<double>(), right / 150.0, 1e-12);
}

TEST_F(Cv, AGridIsAValidationCurveWithItsBestPoint) {
  const std::string pima = data_file("pima_diabetes.csv");
  const Words words{"cv",       pima,      "--target", "diabetes", "--grid", "l2=0.1,10,1000,1e6",
                    "--metric", "log_loss"};
  Words json_words = words;
  json_words.emplace_back("--json");
  const Json json = run(json_words).json();
  ASSERT_EQ(json["grid"].size(), 4u);
  double best = 1e9;
  std::string name;
  for (const Json& point : json["grid"])
    if (const double loss = point["mean"]["log_loss"].get<double>(); loss < best) {
      best = loss;
      name = point["options"]["l2"].get<std::string>();
    }
  EXPECT_EQ(json["best"]["l2"], name);
  EXPECT_EQ(json["mean"]["log_loss"], best);
  const Outcome said = run(words);
  for (const char* text : {"l2 = 1e6", "best", "log10 l2", "chooses inside the folds"})
    EXPECT_NE(said.out.find(text), std::string::npos) << text << "\n" << said.out;
}

TEST_F(Cv, SeveralGridsMakeAllCombinations) {
  const Outcome said = run(cv({"--grid", "shrinkage=none,0.5", "--grid", "priors=equal,shares", "--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  ASSERT_EQ(json["grid"].size(), 4u);
  EXPECT_EQ(json["grid"][1]["options"], (Json{{"shrinkage", "none"}, {"priors", "shares"}}));
}

TEST_F(Cv, ALearningCurveGrows) {
  const Outcome said = run(cv({"--learning-curve", "--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json curve = said.json()["learning_curve"];
  ASSERT_EQ(curve.size(), 5u);
  EXPECT_EQ(curve[0]["train_rows"][0], 9);
  EXPECT_EQ(curve[4]["train_rows"][0], 120);
  EXPECT_TRUE(curve[4]["training"]["accuracy"].is_number());
  const Outcome text = run(cv({"--learning-curve"}));
  EXPECT_NE(text.out.find("on training rows"), std::string::npos) << text.out;
}

TEST_F(Cv, GroupsAreNoFeaturesAndStayTogether) {
  std::string rows = "g,x,y\n";
  for (int i = 0; i < 60; ++i)
    rows += "g" + std::to_string(i % 6) + "," + std::to_string(i % 2 + 0.01 * i) + "," + (i % 2 ? "a" : "b") +
            "\n";
  const std::string table = write("t.csv", rows);
  const Words words{"cv", table, "--target", "y", "--model", "lda", "--group", "g", "--folds", "3"};
  Words kept = words;
  kept.insert(kept.end(), {"--predictions", path("p.csv"), "--quiet"});
  ASSERT_EQ(run(kept).exit, 0);
  std::map<int, std::string> fold_of_group;
  const Words lines = lines_of(read_file(path("p.csv")));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto comma = lines[i].find(',');
    const int group = (std::stoi(lines[i].substr(0, comma)) - 1) % 6;
    const std::string fold = lines[i].substr(comma + 1, 1);
    EXPECT_EQ(fold_of_group.emplace(group, fold).first->second, fold);
  }
  Words many = words;
  many.back() = "7";
  const Outcome refused = run(many);
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("expected at most 6, the number of groups, got 7"), std::string::npos)
      << refused.err;
  Words unknown = words;
  unknown[7] = "no-such";
  const Outcome missing = run(unknown);
  EXPECT_EQ(missing.exit, 2) << missing.err;
  EXPECT_NE(missing.err.find("no-such"), std::string::npos) << missing.err;
}

TEST_F(Cv, ARegressionHasItsOwnMetrics) {
  const Outcome said = run({"cv", data_file("diabetes.csv"), "--target", "target", "--model", "ridge",
                            "--task", "regression", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  Words keys;
  const Json mean = said.json()["mean"];
  for (const auto& [key, value] : mean.items()) keys.push_back(key);
  EXPECT_EQ(keys, (Words{"rmse", "mae", "r2"}));
}

TEST_F(Cv, WarnsOfClassesWithFewerRowsThanFolds) {
  const std::string table = write("t.csv", "x,y\n1,a\n2,a\n1,a\n2,a\n1.5,a\n8,b\n9,b\n8.5,b\n");
  const Outcome said = run({"cv", table, "--target", "y", "--model", "lda", "--folds", "4"});
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.err.find("class 'b' has 3 rows, fewer than the 4 folds"), std::string::npos) << said.err;
}

TEST_F(Cv, APointThatCannotBeFittedIsShownWithTheReasonAndTheOthersGoOn) {
  const Words words{"cv", data_file("pima_diabetes.csv"), "--target", "diabetes", "--l1", "1", "--grid"};
  const auto grid = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const Outcome said = grid({"solver=newton,cd"});
  ASSERT_EQ(said.exit, 0) << said.err;
  for (const char* text : {"not fitted, see below", "best", "solver = newton: "})
    EXPECT_NE(said.out.find(text), std::string::npos) << text << "\n" << said.out;
  const Json json = grid({"solver=newton,cd", "--json"}).json();
  EXPECT_NE(json["grid"][0]["failed"].get<std::string>().find("newton"), std::string::npos);
  EXPECT_TRUE(json["grid"][0]["mean"]["accuracy"].is_null());
  EXPECT_FALSE(json["grid"][1].contains("failed"));
  EXPECT_EQ(json["best"]["solver"], "cd");
  EXPECT_EQ(json["mean"], json["grid"][1]["mean"]);
  const Outcome none = grid({"solver=newton,gd"});
  EXPECT_EQ(none.exit, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("newton"), std::string::npos) << none.err;
}

TEST_F(Cv, ALearningCurveGoesOnWhereFewRowsAreTooFew) {
  const Words words{"cv", iris_, "--target", "class", "--model", "qda", "--learning-curve"};
  const Outcome said = run(words);
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.out.find("Could not be fitted:\n9 rows: fold 1, "), std::string::npos) << said.out;
  Words json_words = words;
  json_words.emplace_back("--json");
  const Json curve = run(json_words).json()["learning_curve"];
  EXPECT_TRUE(curve[0].contains("failed"));
  EXPECT_TRUE(curve.back()["mean"]["accuracy"].is_number());
}

// What decisions cost and how many are not made, against the predictions row by row.
TEST_F(Cv, DecisionsHaveACostAndRowsWithoutOneAShare) {
  const Words words{
      "cv", data_file("pima_diabetes.csv"), "--target", "diabetes", "--cost", "pos:neg=5", "--reject", "0.6"};
  Words kept = words;
  kept.insert(kept.end(), {"--json", "--predictions", path("p.csv")});
  const Json json = run(kept).json();
  double cost = 0, undecided = 0, sum = 0, rows = 0;
  for (const std::string& line : lines_of(read_file(path("p.csv")))) {
    const bool away = line.find(",undecided,") != std::string::npos;
    undecided += away ? 1 : 0;
    cost += away                                          ? 0.6
            : line.find(",pos,neg,") != std::string::npos ? 5
                                                          : line.find(",neg,pos,") != std::string::npos;
    ++rows;
  }
  EXPECT_GT(undecided, 50);
  EXPECT_NEAR(json["pooled"]["cost"].get<double>(), cost / (rows - 1), 1e-12);
  EXPECT_NEAR(json["pooled"]["undecided"].get<double>(), undecided / (rows - 1), 1e-12);
  for (const Json& fold : json["folds"]) sum += fold["cost"].get<double>();
  EXPECT_NEAR(json["mean"]["cost"].get<double>(), sum / 5, 1e-12);
  EXPECT_TRUE(json["se"]["undecided"].is_number());
  const Outcome said = run(words);
  for (const char* text : {"mean cost", "undecided", "accuracy decided"})
    EXPECT_NE(said.out.find(text), std::string::npos) << text << "\n" << said.out;
  EXPECT_EQ(run(cv({})).out.find("decided"), std::string::npos);
  Words grid = words;
  grid.insert(grid.end(), {"--grid", "l2=0.1,10", "--metric", "cost"});
  EXPECT_NE(run(grid).out.find("mean cost"), std::string::npos);
  EXPECT_EQ(run(cv({"--grid", "shrinkage=0.1,0.2", "--metric", "cost"})).exit, 2);
  EXPECT_EQ(run(cv({"--threshold", "0.3"})).exit, 2);  // three classes
}

TEST_F(Cv, OptionsMayNameAClassThatAFoldLacks) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 12; ++i) rows += std::to_string(i % 5 + (i % 2) * 3) + (i % 2 ? ",a\n" : ",b\n");
  const std::string table = write("t.csv", rows + "20,\"c,d\"\n");
  const Outcome said = run({"cv", table, "--target", "y", "--model", "lda", "--folds", "4", "--priors",
                            "a=0.2,b=0.3,\"c,d=0.5\"", "--class-weight", "\"c,d=2\"", "--cost",
                            "a:b=2,\"b:c,d=7\"", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_TRUE(said.json()["mean"]["cost"].is_number());
  EXPECT_NE(said.err.find("1 tested row is of a class that no training row"), std::string::npos) << said.err;
  const Outcome unknown =
      run({"cv", table, "--target", "y", "--model", "lda", "--folds", "4", "--class-weight", "zz=2"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("zz=2"), std::string::npos) << unknown.err;
  const std::string two = write("two.csv", "x,y\n1,a\n2,a\n3,a\n4,b\n");
  const Outcome alone = run({"cv", two, "--target", "y", "--positive", "b", "--folds", "2"});
  EXPECT_EQ(alone.exit, 1);
  EXPECT_NE(alone.err.find("fold"), std::string::npos) << alone.err;
  EXPECT_NE(alone.err.find("all rows have the label 'a'"), std::string::npos) << alone.err;
}

TEST_F(Cv, MissingCellsThatAreFilledInAreCounted) {
  std::string rows = "x,z,y\n";
  for (int i = 0; i < 12; ++i)
    rows += std::to_string(i) + (i % 6 == 1 ? ",," : ",1,") + (i % 2 == 0 ? "a\n" : "b\n");
  const std::string table = write("t.csv", rows + "5,2,a\n");
  const Words words{"cv", table, "--target", "y", "--folds", "3"};
  EXPECT_NE(run(words).out.find("2 missing cells filled in"), std::string::npos) << run(words).out;
  Words json = words;
  json.emplace_back("--json");
  EXPECT_EQ(run(json).json()["imputed"], 2);
  EXPECT_EQ(run(cv({"--json"})).json()["imputed"], 0);
  EXPECT_EQ(run(cv({})).out.find("missing"), std::string::npos);
}

TEST_F(Cv, BadRequestsSayWhatWasExpected) {
  const auto expect = [&](const Words& more, int exit, const std::string& text) {
    const Outcome said = run(cv(more));
    EXPECT_EQ(said.exit, exit) << said.err;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(text), std::string::npos) << said.err;
  };
  expect({"--folds", "1"}, 2, "--folds: expected a whole number, 2 to");
  expect({"--grid", "l2=1,2", "--metric", "undecided"}, 2, "--metric undecided is the share of rows that");
  expect({"--folds", "151"}, 2, "--folds: expected at most 150 for 150 rows, got 151");
  expect({"--grid", "nonsense"}, 2, "--grid: expected OPTION=VALUE,VALUE,..., got 'nonsense'");
  expect({"--grid", "l7=1"}, 2, "l7");
  expect({"--grid", "shrinkage=7"}, 2, "shrinkage");
  expect({"--grid", "shrinkage=0.1", "--shrinkage", "0.2"}, 2, "exclude each other");
  expect({"--grid", "shrinkage=0.1", "--learning-curve"}, 2, "exclude each other");
  expect({"--metric", "auc"}, 2, "--metric is for --grid and --learning-curve");
  expect({"--grid", "shrinkage=0.1", "--metric", "rmse"}, 2, "--metric: expected one of accuracy");
  expect({"--leave-one-out", "--folds", "5"}, 2, "exclude each other");
  expect({"--leave-one-out", "--time-ordered"}, 2, "exclude each other");
  expect({"--group", "class"}, 2, "'class' cannot be both the target and the group");
  expect({"--predictions", "/no/such/folder/p.csv"}, 1, "/no/such/folder");
}

}  // namespace
}  // namespace discern::cli_test::cv_test
