// --multiclass, --decision and --calibrate from the command line to predictions.
#include "harness.hpp"

namespace discern::cli_test::multiclass_test {
namespace {

class Multiclass : public InFolder {
 protected:
  std::string iris_ = data_file("iris.csv");
};

TEST_F(Multiclass, PairsAreFittedSavedInspectedAndPredictedWith) {
  const Outcome fit =
      run({"fit", iris_, "--target", "class", "--multiclass", "ovo", "--json", "-o", path("m")});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.json()["reduction"]["multiclass"], "ovo");
  EXPECT_EQ(fit.json()["reduction"]["decision"], "vote");
  EXPECT_EQ(fit.json()["facts"]["machines"], 3);
  const Outcome inspect = run({"inspect", path("m")});
  EXPECT_NE(inspect.out.find("one-vs-one, 3 machines, by vote"), std::string::npos) << inspect.out;
  EXPECT_NE(inspect.out.find("setosa : "), std::string::npos) << inspect.out;
  const Json said = run({"predict", path("m"), iris_, "--output", "proba", "--json"}).json();
  for (std::size_t i = 0; i < 150; ++i) {
    double sum = 0, largest = 0;
    std::string best;
    for (const auto& [name, column] : said.items()) {
      if (name == "prediction") continue;
      sum += column[i].get<double>();
      if (column[i].get<double>() <= largest) continue;
      largest = column[i].get<double>();
      best = name;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(best, "p(" + said["prediction"][i].get<std::string>() + ")");
  }
  const Outcome scores = run({"predict", path("m"), iris_, "--output", "scores"});
  EXPECT_EQ(lines_of(scores.out)[0].find("prediction,g("), 0U);
  EXPECT_EQ(run({"predict", path("m"), iris_, "--output", "distance"}).exit, 2);
}

TEST_F(Multiclass, AmbiguousRowsAreUndecided) {
  const Outcome fit = run({"fit", iris_, "--target", "class", "--model", "least-squares", "--multiclass",
                           "ovr", "--decision", "unanimous", "--json", "-o", path("m")});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  const int ambiguous = fit.json()["facts"]["ambiguous_rows"];
  ASSERT_GT(ambiguous, 0);
  int undecided = 0;
  for (const std::string& line : lines_of(run({"predict", path("m"), iris_}).out))
    undecided += line == "undecided" ? 1 : 0;
  EXPECT_EQ(undecided, ambiguous);
}

TEST_F(Multiclass, ACalibratedSvmHasProbabilities) {
  ASSERT_EQ(run({"fit", iris_, "--target", "class", "--model", "svm", "--calibrate", "platt", "--quiet", "-o",
                 path("m")})
                .exit,
            0);
  EXPECT_EQ(run({"predict", path("m"), iris_, "--output", "proba"}).exit, 0);
  EXPECT_FALSE(run({"evaluate", path("m"), iris_, "--json"}).json()["log_loss"].is_null());
}

TEST_F(Multiclass, InspectSaysThatAPlaneIsThatOfTheScoreBeforeItsCalibration) {
  const std::string notes = data_file("banknote.csv");
  for (const std::string kind : {"platt", "isotonic"}) {
    ASSERT_EQ(run({"fit", notes, "--target", "class", "--model", "svm", "--calibrate", kind, "--quiet", "-o",
                   path("c")})
                  .exit,
              0);
    const Outcome said = run({"inspect", path("c")});
    EXPECT_NE(said.out.find("weights of the scores before the calibration"), std::string::npos) << said.out;
    EXPECT_NE(said.out.find(kind == "platt" ? "log-odds are a g + b" : "rises with g"), std::string::npos)
        << said.out;
  }
  ASSERT_EQ(run({"fit", notes, "--target", "class", "--model", "svm", "--calibrate", "platt", "--quiet", "-o",
                 path("c")})
                .exit,
            0);
  const Json reduction = run({"inspect", path("c"), "--json"}).json()["reduction"];
  EXPECT_GT(reduction["slope"][0].get<double>(), 0);
  EXPECT_EQ(reduction["offset"].size(), 1U);
  ASSERT_EQ(run({"fit", notes, "--target", "class", "--model", "svm", "--quiet", "-o", path("s")}).exit, 0);
  EXPECT_EQ(run({"inspect", path("s")}).out.find("calibration"), std::string::npos);
}

TEST_F(Multiclass, MistakesAreExplainedWithCodeTwo) {
  for (const auto& [words, message] :
       {std::pair{Words{"--multiclass", "ovo", "--decision", "max"}, "decides by unanimous, vote, sum"},
        {Words{"--multiclass", "none"}, "joint, ovr, ovo, ecoc"},
        {Words{"--multiclass", "ovr", "--trace", path("t.jsonl")}, "--trace shows one fit"},
        {Words{"--code", "dense"}, "--multiclass ecoc"}}) {
    Words all{"fit", iris_, "--target", "class"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.exit, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
  const Outcome regression = run({"fit", data_file("diabetes.csv"), "--target", "target", "--model", "ridge",
                                  "--task", "regression", "--calibrate", "platt"});
  EXPECT_EQ(regression.exit, 2);
}

}  // namespace
}  // namespace discern::cli_test::multiclass_test
