// discern path, and fit --l1 auto.
#include "harness.hpp"

namespace discern::cli_test::path_test {
namespace {

class Path : public InFolder {
 protected:
  std::string tumours_ = data_file("breast_cancer_wdbc.csv");
  Words words(const std::string& command, const Words& more) const {
    Words all{command, tumours_, "--target", "class", "--model", "logistic"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Words follow(const Words& more) const { return words("path", more); }
};

TEST_F(Path, JsonHasPointsEntriesAndChoices) {
  const Outcome said = run(follow({"--points", "20", "--folds", "3", "--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const Json json = said.json();
  EXPECT_EQ(json["penalty"], "l1");
  ASSERT_EQ(json["points"].size(), 20u);
  for (const char* key :
       {"l1", "l2", "objective", "nonzero", "df", "explained", "certificate", "iterations", "mean", "se"})
    EXPECT_TRUE(json["points"][5].contains(key)) << key;
  for (const Json& point : json["points"]) EXPECT_TRUE(point["converged"].get<bool>());
  EXPECT_EQ(json["points"][0]["nonzero"], 0);
  EXPECT_NEAR(json["points"][19]["l1"].get<double>(), 1e-4 * json["points"][0]["l1"].get<double>(), 1e-9);
  EXPECT_FALSE(json["entries"].empty());
  EXPECT_TRUE(json["entries"][0]["feature"].is_string());
  EXPECT_EQ(json["metric"], "log_loss");
  EXPECT_LE(json["choices"]["min"]["l1"], json["choices"]["1se"]["l1"]);
}

TEST_F(Path, PrintsAnExcerptAPictureAndWhatEnters) {
  const Outcome said = run(follow({"--folds", "3"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  for (const char* words : {"explained", "certificate", "log10 l1", "entering", "chosen", "1se"})
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  EXPECT_LT(lines_of(said.out).size(), 80u);
  EXPECT_NE(said.err.find("100 points"), std::string::npos) << said.err;
}

TEST_F(Path, CsvHasEveryPointWithItsWeights) {
  ASSERT_EQ(run(follow({"--points", "7", "--csv", path("p.csv")})).exit, 0);
  const Words lines = lines_of(read_file(path("p.csv")));
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0].rfind("point,l1,l2,objective,nonzero,df,explained,certificate,converged,iterations,b,"
                           "w(mean_radius),",
                           0),
            0u)
      << lines[0];
  EXPECT_EQ(lines[1].substr(lines[1].size() - 8), ",0,0,0,0");
}

TEST_F(Path, TheModelSavedIsTheFitUnderTheChosenPenalty) {
  const Outcome said =
      run(follow({"--points", "15", "--folds", "3", "--choose", "1se", "-o", path("p.model"), "--json"}));
  ASSERT_EQ(said.exit, 0) << said.err;
  const std::string l1 = said.json()["choices"]["1se"]["l1"].dump();
  ASSERT_EQ(run(words("fit", {"--l1", l1, "--l2", "0", "-o", path("f.model")})).exit, 0);
  const Json saved = run({"inspect", path("p.model"), "--json"}).json();
  const Json fitted = run({"inspect", path("f.model"), "--json"}).json();
  for (const char* key : {"weights", "bias", "options", "objective", "certificate", "classes"})
    EXPECT_EQ(saved[key], fitted[key]) << key;
  const std::string how = saved["facts"]["penalty_chosen"];
  EXPECT_EQ(how.rfind("by the mean log loss ", 0), 0u) << how;
  EXPECT_NE(how.find("the largest within one standard error of the best of 15 in 3 folds"), std::string::npos)
      << how;
}

TEST_F(Path, WarnsWhenTheBestPenaltyIsTheSmallest) {
  const std::string warning = "the best penalty is the smallest of the 5 on the path: a smaller --ratio";
  const Outcome end = run(follow({"--points", "5", "--ratio", "0.5", "--folds", "3"}));
  EXPECT_EQ(end.exit, 0);
  EXPECT_NE(end.err.find(warning), std::string::npos) << end.err;
  const Outcome inside = run(follow({"--points", "5", "--ratio", "1e-6", "--folds", "3"}));
  EXPECT_EQ(inside.err.find("the best penalty is the smallest"), std::string::npos) << inside.err;
}

// Columns that are named as others of the table are.
TEST_F(Path, CsvNamesWeightsSoThatTheyCannotBeMistaken) {
  const std::string table = write("t.csv", "l1,bias,y\n1,2,a\n2,1,b\n3,5,c\n4,4,a\n5,7,b\n6,5,c\n");
  ASSERT_EQ(run({"path", table, "--target", "y", "--points", "2", "--csv", path("p.csv")}).exit, 0);
  const std::string head = lines_of(read_file(path("p.csv")))[0];
  EXPECT_NE(head.find(",b(a),w(l1)(a),w(bias)(a),b(b),w(l1)(b),"), std::string::npos) << head;
}

TEST_F(Path, AutoNamesItsFlagAndTheRowsItNeeds) {
  const auto said = [&](const Words& more) {
    Words all{"fit", tumours_, "--target", "class"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  const std::string l1 = "--l1 auto chooses on a path of penalties: ", l2 = "--l2 auto chooses on a path";
  EXPECT_NE(said({"--l1", "auto", "--solver", "cd"}).find(l1 + "--solver"), std::string::npos);
  EXPECT_NE(said({"--l2", "auto", "--penalize-bias"}).find(l2), std::string::npos);
  EXPECT_NE(said({"--model", "svm", "--l2", "auto"}).find(l2), std::string::npos);
  EXPECT_NE(said({"--model", "mlp", "--l2", "auto"}).find(l2), std::string::npos);
  EXPECT_NE(said({"--l1", "auto", "--learning-rate", "0.1"}).find("a path has its own solver"),
            std::string::npos);
  const std::string three = write("t.csv", "x,y\n1,a\n2,b\n4,b\n");
  const Outcome few = run({"fit", three, "--target", "y", "--l1", "auto"});
  EXPECT_EQ(few.exit, 1);
  EXPECT_NE(few.err.find("found 3 rows, expected 5 or more for 5 folds"), std::string::npos) << few.err;
}

TEST_F(Path, AutoIsTheChoiceOfThePathWithFiveFolds) {
  const Outcome followed = run(follow({"--folds", "5", "--json"}));
  const Outcome fitted = run(words("fit", {"--l1", "auto", "--json"}));
  ASSERT_EQ(fitted.exit, 0) << fitted.err;
  const Json chosen = fitted.json()["chosen"], best = followed.json()["choices"]["min"];
  EXPECT_EQ(chosen["l1"], best["l1"]);
  EXPECT_EQ(chosen["l2"], 0.0);
  EXPECT_EQ(chosen["mean"], best["mean"]);
  EXPECT_EQ(chosen["values"], 100);
  EXPECT_EQ(chosen["folds"], 5);
  EXPECT_EQ(chosen["metric"], "log_loss");
  const Outcome told = run(words("fit", {"--l2", "auto"}));
  EXPECT_NE(told.err.find("penalty chosen: by the mean log loss"), std::string::npos) << told.err;
}

TEST_F(Path, TellsWhichMissingCellsWereFilledIn) {
  const std::string table =
      write("t.csv", "x,z,y\n1,,a\n2,3,a\n3,,b\n4,1,a\n5,2,b\n,4,b\n7,5,b\n8,1,a\n9,2,b\n");
  const Words command{"path", table, "--target", "y", "--points", "5"};
  EXPECT_NE(run(command).err.find("missing values were filled in, 3 cells: x 1, z 2"), std::string::npos);
  Words json = command;
  json.push_back("--json");
  EXPECT_EQ(run(json).json()["warnings"].back(), "missing values were filled in, 3 cells: x 1, z 2");
}

TEST_F(Path, RefusesWhatItCannotDo) {
  const auto refused = [&](const Words& all, const std::string& why) {
    const Outcome said = run(all);
    EXPECT_EQ(said.exit, 2) << why;
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
  };
  refused(follow({"--model", "lda"}), "was given 2 times");
  refused({"path", tumours_, "--target", "class", "--model", "lda"}, "has no path of penalties");
  refused({"path", tumours_, "--target", "class", "--model", "svm"}, "--loss squared-hinge");
  refused(follow({"--l1", "3"}), "the path goes through its values by itself");
  refused(follow({"--l1-ratio", "0.3"}), "--penalty elastic-net");
  refused(follow({"--penalty", "l3"}), "expected one of l1, l2, elastic-net");
  refused(follow({"--ratio", "2"}), "--ratio");
  refused(follow({"--points", "0"}), "--points");
  refused(follow({"-o", path("m")}), "--output needs --folds");
  refused(follow({"--choose", "1se"}), "--choose needs --folds");
  refused(follow({"--folds", "3", "--metric", "cost"}), "--metric cost needs costs");
  refused(follow({"--folds", "3", "--metric", "undecided"}), "--metric undecided needs --reject");
  refused(follow({"--folds", "3", "-o", path("m"), "--csv", path("./m")}), "-o and --csv would both write");
  refused(words("fit", {"-o", path("m"), "--trace", path("./m")}), "--trace and -o would both write");
  refused(follow({"--folds", "3", "--multiclass", "ovr"}), "--multiclass");
  refused({"fit", tumours_, "--target", "class", "--model", "lda", "--l1", "auto"},
          "no option of the model lda");
  refused({"fit", tumours_, "--target", "class", "--model", "mlp", "--l2", "auto"},
          "has no path of penalties");
  refused({"cv", tumours_, "--target", "class", "--l1", "auto"}, "--l1");
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace discern::cli_test::path_test
