// discern fit: what it reports and what its options do.
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::fit_test {
namespace {

Words keys_of(const Json& object) {
  Words keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

// x separates a from b but for one row each; c has missing cells.
constexpr const char* small =
    "x,colour,c,w,y\n"
    "1,red,3,1,a\n2,blue,,1,a\n3,red,5,2,b\n2.5,green,1,1,a\n4,blue,4,1,b\n5,green,,1,b\n1.5,red,2,1,b\n3.5,"
    "red,2,3,a\n";

using Fit = InFolder;

TEST_F(Fit, WritesTheSameModelWhenNobodyHearsOfIt) {
  const std::string iris = data_file("iris.csv");
  ASSERT_EQ(run({"fit", iris, "--target", "class", "-o", path("told")}).exit, 0);
  const Outcome quiet = run({"fit", iris, "--target", "class", "--quiet", "-o", path("quiet")});
  ASSERT_EQ(quiet.exit, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  EXPECT_EQ(read_file(path("quiet")), read_file(path("told")));
}

TEST_F(Fit, JsonHasExactlyThePromisedKeys) {
  const Outcome fit = run({"fit", data_file("iris.csv"), "--target", "class", "--json"});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(lines_of(fit.out).size(), 1U);
  const Json json = fit.json();
  EXPECT_EQ(keys_of(json),
            (Words{"model", "task", "classes", "features", "n_samples", "n_features", "solver", "objective",
                   "iterations", "converged", "certificate", "stages", "train", "warnings", "seconds"}));
  EXPECT_EQ(keys_of(json["stages"][0]), (Words{"solver", "iterations", "certificate"}));
  EXPECT_EQ(keys_of(json["certificate"]), (Words{"kind", "value"}));
  EXPECT_EQ(keys_of(json["seconds"]), (Words{"read", "fit", "total"}));
  EXPECT_EQ(json["model"], "logistic");
  EXPECT_EQ(json["task"], "classification");
  EXPECT_EQ(json["classes"], (Words{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(json["n_samples"], 150);
  EXPECT_EQ(json["n_features"], 4);
  EXPECT_EQ(json["converged"], true);
  EXPECT_LE(json["certificate"]["value"].get<double>(), 1e-8);
  EXPECT_GT(json["train"]["accuracy"].get<double>(), 0.95);
  EXPECT_NEAR(json["train"]["accuracy"].get<double>() + json["train"]["error"].get<double>(), 1, 1e-15);
}

TEST_F(Fit, JsonOfARegressionHasItsOwnMetrics) {
  const Outcome fit = run({"fit", data_file("nist/Norris.csv"), "--target", "y", "--model", "least-squares",
                           "--task", "regression", "--json"});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  const Json json = fit.json();
  EXPECT_EQ(json["task"], "regression");
  EXPECT_EQ(json["classes"], Json::array());
  EXPECT_EQ(keys_of(json["train"]), (Words{"rmse", "mae", "r2"}));
  EXPECT_NEAR(json["train"]["r2"].get<double>(), 0.999993745883712, 1e-12);  // NIST's certified value
}

TEST_F(Fit, TellsPeopleAboutDataModelAndCertificate) {
  const Outcome fit = run({"fit", write("t.csv", small), "--target", "y", "--ignore", "w"});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.out, "");
  for (const char* words : {"8 rows", "imputed", "2 cells: c 2", "logistic", "converged",
                            "relative gradient norm", "training", "accuracy", "positive"})
    EXPECT_NE(fit.err.find(words), std::string::npos) << words << "\n" << fit.err;
  EXPECT_EQ(fit.err.find('\x1b'), std::string::npos) << "no colours unless on a terminal";
}

// One of the classes is separated from the others: the gradient vanishes, and there is no minimum.
TEST_F(Fit, AGradientThatVanishesAtNoMinimumIsNotSaidToBeWithinTheTolerance) {
  const Outcome fit = run({"fit", data_file("iris.csv"), "--target", "class", "--l2", "0", "-o", path("m")});
  const Outcome inspect = run({"inspect", path("m")});
  for (const std::string& text : {fit.out + fit.err, inspect.out}) {
    EXPECT_NE(text.find("not converged: relative gradient norm"), std::string::npos) << text;
    EXPECT_NE(text.find(" at no minimum"), std::string::npos) << text;
    EXPECT_EQ(text.find("<="), std::string::npos) << text;
  }
}

TEST_F(Fit, MissingErrorRefusesTheFirstMissingCellByLineAndColumn) {
  const Outcome fit =
      run({"fit", write("t.csv", small), "--target", "y", "--missing", "error", "-o", path("m")});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("t.csv:3: column 'c'"), std::string::npos) << fit.err;
  EXPECT_EQ(entries(), Words{"t.csv"});
}

TEST_F(Fit, MissingErrorNamesTheCellThatComesFirstInTheFileWhateverItsColumn) {
  const std::string table = write("t.csv", "x,z,y\n1,?,a\n2,3,b\n,4,a\n");
  const Outcome fit = run({"fit", table, "--target", "y", "--missing", "error"});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("t.csv:2: column 'z'"), std::string::npos) << fit.err;
  ASSERT_EQ(run({"fit", table, "--target", "y", "-o", path("m")}).exit, 0);
  const Outcome predict = run({"predict", path("m"), table, "--missing", "error"});
  EXPECT_NE(predict.err.find("t.csv:2: column 'z'"), std::string::npos) << predict.err;
}

TEST_F(Fit, ValuesThatCannotBeSquaredAreRefusedInClearWords) {
  const Outcome fit = run({"fit", write("t.csv", "x,y\n1e200,a\n2e200,b\n3e200,a\n"), "--target", "y"});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("column 'x': the values spread over more than 1e150, expected between"),
            std::string::npos)
      << fit.err;
}

TEST_F(Fit, NoEncodeRefusesATextColumnByName) {
  const Outcome fit = run({"fit", write("t.csv", small), "--target", "y", "--no-encode"});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("colour"), std::string::npos) << fit.err;
}

TEST_F(Fit, FeaturesAndIgnoreChooseColumns) {
  const std::string table = write("t.csv", small);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--features", "x,w", "--json"}).json()["features"],
            (Words{"x", "w"}));
  EXPECT_EQ(run({"fit", table, "--target", "y", "--ignore", "colour", "--ignore", "c,w", "--json"})
                .json()["features"],
            Words{"x"});
  const Outcome unknown = run({"fit", table, "--target", "y", "--features", "x,nope"});
  EXPECT_NE(unknown.exit, 0);
  EXPECT_NE(unknown.err.find("nope"), std::string::npos);
}

TEST_F(Fit, CategoricalReadsNumbersAsText) {
  const std::string table = write("t.csv", small);
  const Json json =
      run({"fit", table, "--target", "y", "--features", "w", "--categorical", "w", "--json"}).json();
  EXPECT_EQ(json["n_features"], 3) << json["features"];
}

TEST_F(Fit, NumericRefusesTextByLine) {
  const Outcome fit = run({"fit", write("t.csv", small), "--target", "y", "--numeric", "colour"});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("t.csv:2: column 'colour'"), std::string::npos) << fit.err;
}

TEST_F(Fit, AMissingTargetColumnIsNamed) {
  const Outcome fit = run({"fit", write("t.csv", small), "--target", "z"});
  EXPECT_NE(fit.exit, 0);
  EXPECT_NE(fit.err.find("'z'"), std::string::npos) << fit.err;
}

TEST_F(Fit, PositiveDecidesWhichClassAScoreAboveZeroMeans) {
  const std::string table = write("t.csv", small);
  const Words words{"fit", table, "--target", "y", "--features", "x", "--quiet", "-o"};
  const auto fit = [&](const std::string& model, const Words& more) {
    Words all = words;
    all.push_back(path(model));
    all.insert(all.end(), more.begin(), more.end());
    ASSERT_EQ(run(all).exit, 0);
  };
  fit("b", {});
  fit("a", {"--positive", "a"});
  const Json b = run({"inspect", path("b"), "--json"}).json(),
             a = run({"inspect", path("a"), "--json"}).json();
  EXPECT_EQ(b["positive"], "b");
  EXPECT_EQ(a["positive"], "a");
  EXPECT_EQ(a["classes"], b["classes"]);
  EXPECT_NEAR(a["weights"][0][0].get<double>(), -b["weights"][0][0].get<double>(), 1e-9);
  EXPECT_EQ(run({"predict", path("a"), table}).out, run({"predict", path("b"), table}).out);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--positive", "zebra"}).exit, 2);
}

TEST_F(Fit, TheClassThatSaysYesIsPositiveAndTheSummarySaysWhy) {
  const std::string table = write("t.csv", "x,y\n1,-\n2,-\n3,+\n2.5,-\n2.2,+\n4,+\n");
  const Outcome fit = run({"fit", table, "--target", "y", "-o", path("m")});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_NE(fit.err.find("positive, as its name says"), std::string::npos) << fit.err;
  const Json by_name = run({"inspect", path("m"), "--json"}).json();
  EXPECT_EQ(by_name["positive"], "+");
  EXPECT_EQ(by_name["classes"], Json({"+", "-"}));
  EXPECT_GT(by_name["weights"][0][0].get<double>(), 0);

  const Outcome other = run({"fit", table, "--target", "y", "--positive", "-", "-o", path("n")});
  EXPECT_EQ(other.err.find("as its name says"), std::string::npos) << other.err;
  EXPECT_EQ(run({"inspect", path("n"), "--json"}).json()["positive"], "-");
  EXPECT_EQ(run({"predict", path("m"), table}).out, run({"predict", path("n"), table}).out);

  const Outcome stream = run({"fit", table, "--target", "y", "--stream", "-o", path("s")});
  EXPECT_NE(stream.err.find("(positive, as its name says"), std::string::npos) << stream.err;
  const Json streamed = run({"inspect", path("s"), "--json"}).json();
  EXPECT_EQ(streamed["positive"], "+");
  EXPECT_GT(streamed["weights"][0][0].get<double>(), 0);
}

TEST_F(Fit, ALabelMayBeANegativeNumber) {
  const std::string table = write("t.csv", "x,y\n1,-1\n2,-1\n3,1\n2.5,1\n4,1\n3.5,-1\n");
  const Outcome fit = run({"fit", table, "--target", "y", "--positive", "-1", "--json"});
  EXPECT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.json()["classes"], (Words{"-1", "1"}));
}

// A weight of 2 is the row twice, a weight of 0 is no row.
TEST_F(Fit, SampleWeightsCountAsRepeatedRows) {
  const std::string weighted = write("w.csv", "x,w,y\n1,2,a\n2,1,b\n3,0,a\n4,3,b\n0,1,a\n2.5,1,a\n");
  const std::string repeated = write("r.csv", "x,y\n1,a\n1,a\n2,b\n4,b\n4,b\n4,b\n0,a\n2.5,a\n");
  for (const char* model : {"logistic", "least-squares"}) {
    ASSERT_EQ(
        run({"fit", weighted, "--target", "y", "--model", model, "--sample-weight", "w", "-o", path("1")})
            .exit,
        0);
    ASSERT_EQ(run({"fit", repeated, "--target", "y", "--model", model, "-o", path("2")}).exit, 0);
    const Json one = run({"inspect", path("1"), "--json"}).json(),
               two = run({"inspect", path("2"), "--json"}).json();
    EXPECT_NEAR(one["weights"][0][0].get<double>(), two["weights"][0][0].get<double>(), 1e-9) << model;
    EXPECT_NEAR(one["bias"][0].get<double>(), two["bias"][0].get<double>(), 1e-9) << model;
  }
}

TEST_F(Fit, NegativeOrAllZeroSampleWeightsAreRefused) {
  const std::string table = write("w.csv", "x,z,n,y\n1,0,1,a\n2,0,-1,b\n3,0,1,a\n");
  EXPECT_EQ(run({"fit", table, "--target", "y", "--sample-weight", "z"}).exit, 1);
  const Outcome negative = run({"fit", table, "--target", "y", "--sample-weight", "n"});
  EXPECT_EQ(negative.exit, 1);
  EXPECT_NE(negative.err.find("w.csv"), std::string::npos) << negative.err;
}

TEST_F(Fit, ClassWeightsMoveTheBoundary) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 40; ++i) rows += std::to_string(i) + (i % 10 == 9 || i > 36 ? ",rare\n" : ",common\n");
  const std::string table = write("t.csv", rows);
  const auto recall = [&](const Words& more) {
    Words words{"fit", table, "--target", "y", "-o", path("m")};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).exit, 0);
    return run({"evaluate", path("m"), table, "--json"}).json()["per_class"]["rare"]["recall"].get<double>();
  };
  const double plain = recall({}), balanced = recall({"--class-weight", "balanced"});
  EXPECT_GT(balanced, plain);
  EXPECT_EQ(recall({"--class-weight", "rare=1000"}), 1);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--class-weight", "nope=2"}).exit, 2);
}

TEST_F(Fit, BasisSolvesXor) {
  ASSERT_EQ(run({"generate", "xor", "--rows", "200", "--noise", "0.2", "-o", path("xor.csv")}).exit, 0);
  const auto accuracy = [&](const Words& more) {
    Words words{"fit", path("xor.csv"), "--target", "class", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words).json()["train"]["accuracy"].get<double>();
  };
  EXPECT_LT(accuracy({}), 0.8);
  EXPECT_EQ(accuracy({"--basis", "products:2"}), 1);
}

TEST_F(Fit, TheSummarySaysWhatABasisLeavesAsItIs) {
  const std::string table = write("t.csv", small);
  const auto told = [&](const std::string& basis) {
    return run({"fit", table, "--target", "y", "--features", "x,colour,c", "--basis", basis}).err;
  };
  EXPECT_NE(told("products:2").find("products: 3 features of 2 features; as it was: colour (text)"),
            std::string::npos)
      << told("products:2");
  const std::string named = told("products:2(colour,x)");
  EXPECT_NE(named.find("products: 7 features of 4 features\n"), std::string::npos) << named;
  EXPECT_NE(told("sqrt(x)").find("sqrt: 1 feature of 1 feature\n"), std::string::npos) << told("sqrt(x)");
}

TEST_F(Fit, ReferenceChoosesTheLevelThatOthersAreComparedWith) {
  const std::string table = write("t.csv", small);
  const Words fit{"fit",      table,     "--target", "y",       "--features",
                  "x,colour", "--quiet", "-o",       path("m"), "--reference"};
  const auto with = [&](const std::string& reference) {
    Words words = fit;
    words.push_back(reference);
    return run(words);
  };
  ASSERT_EQ(with("colour=green").exit, 0);
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["features"],
            Json({"x", "colour=blue", "colour=red"}));
  // The file spells its levels in another order than the model keeps them.
  EXPECT_EQ(run({"predict", path("m"), table}).exit, 0);
  const Outcome refused = with("colour=pink");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find(
                "--reference: the column 'colour' has no level 'pink'; its levels are blue, green, red"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(with("x=1").exit, 2);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--stream", "--reference", "colour=red"}).exit, 2);
}

TEST_F(Fit, ALogarithmOfZeroNamesItsRowAndColumn) {
  const std::string table = write("t.csv", "x,y\n1,a\n0,b\n3,a\n");
  const Outcome refused = run({"fit", table, "--target", "y", "--basis", "log"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(
      refused.err.find(
          "column 'x': row 2: found 0, of which there is no logarithm (--basis log); log1p(x) takes zeros"),
      std::string::npos)
      << refused.err;
  EXPECT_EQ(run({"fit", table, "--target", "y", "--basis", "log1p"}).exit, 0);
}

TEST_F(Fit, OneClassOnlyIsRefusedByName) {
  const Outcome fit = run({"fit", write("t.csv", "x,y\n1,only\n2,only\n"), "--target", "y", "-o", path("m")});
  EXPECT_EQ(fit.exit, 1);
  EXPECT_NE(fit.err.find("'only'"), std::string::npos) << fit.err;
  EXPECT_EQ(entries(), Words{"t.csv"});
}

TEST_F(Fit, WarnsWhenTheClassesLookLikeNumbersToPredict) {
  std::string rows = "x,y\n";
  for (int i = 0; i < 120; ++i) rows += std::to_string(i) + "," + std::to_string((i % 60) * 0.37) + "\n";
  const Outcome fit = run({"fit", write("t.csv", rows), "--target", "y", "--model", "least-squares"});
  EXPECT_NE(fit.err.find("--task regression"), std::string::npos) << fit.err;
}

TEST_F(Fit, TargetsWhoseSquaresNoDoubleHoldsAreRefusedByName) {
  const std::string table = write("t.csv", "x,y\n1,1\n2,-2e150\n3,1e3\n");
  for (const std::string model : {"least-squares", "mlp", "rbf-network"}) {
    const Outcome said = run({"fit", table, "--target", "y", "--task", "regression", "--model", model});
    EXPECT_EQ(said.exit, 1) << said.err;
    EXPECT_NE(said.err.find("column 'y': found the target -2e+150, expected less than 1e150"),
              std::string::npos)
        << said.err;
  }
}

// With profile intervals the table shows the likelihood-ratio test, and the stars are those of it: the p of
// NV is 0.0589 by Wald and 0.00912 by the ratio.
TEST_F(Fit, StarsFollowTheTestThatIsShown) {
  ASSERT_EQ(run({"fit", data_file("endometrial.csv"), "--target", "HG", "--firth", "--inference", "profile",
                 "--quiet", "-o", path("m")})
                .exit,
            0);
  const Outcome said = run({"inspect", path("m")});
  bool seen = false;
  for (const std::string& line : lines_of(said.out))
    if (line.find("  NV ") == 0 && line.find("0.00912") != std::string::npos) {
      seen = true;
      EXPECT_NE(line.find(" ** "), std::string::npos) << line;
    }
  EXPECT_TRUE(seen) << said.out;
  EXPECT_NE(said.out.find("of the likelihood ratio"), std::string::npos) << said.out;
}

TEST_F(Fit, ALibsvmFileNeedsNoTarget) {
  const std::string table = write("t.svm", "+1 1:0.5 3:2\n-1 2:1\n+1 1:1 3:1\n-1 2:2 3:0.1\n");
  const Outcome fit = run({"fit", table, "--json"});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.json()["n_features"], 3);
}

TEST_F(Fit, SeparatorMayBeSpelledTab) {
  const std::string table = write("t.csv", "x,1\ty\n1\ta\n2\tb\n3\ta\n4\tb\n");
  const Outcome fit = run({"fit", table, "--target", "y", "--separator", "tab", "--json"});
  ASSERT_EQ(fit.exit, 0) << fit.err;
  EXPECT_EQ(fit.json()["features"], Words{"x,1"});
}

TEST_F(Fit, InspectShowsTheWeightsInTheUnitsOfTheFile) {
  const std::string metres = write("m.csv", "length,y\n1,a\n2,a\n3,b\n4,b\n2.5,b\n3.5,a\n");
  const std::string millimetres =
      write("mm.csv", "length,y\n1000,a\n2000,a\n3000,b\n4000,b\n2500,b\n3500,a\n");
  ASSERT_EQ(run({"fit", metres, "--target", "y", "-o", path("1")}).exit, 0);
  ASSERT_EQ(run({"fit", millimetres, "--target", "y", "-o", path("2")}).exit, 0);
  const Json one = run({"inspect", path("1"), "--json"}).json(),
             two = run({"inspect", path("2"), "--json"}).json();
  EXPECT_NEAR(one["weights"][0][0].get<double>(), 1000 * two["weights"][0][0].get<double>(), 1e-9);
  EXPECT_NEAR(one["norm"][0].get<double>(), std::abs(one["weights"][0][0].get<double>()), 1e-15);
  EXPECT_NEAR(one["origin_distance"][0].get<double>(),
              one["bias"][0].get<double>() / one["norm"][0].get<double>(), 1e-12);
  const std::string text = run({"inspect", path("1")}).out;
  for (const char* word : {"length", "weights", "bias", "norm", "origin distance", "certificate"})
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}

// The library says `max_iter`; who types flags reads --max-iter, wherever the warning is shown.
TEST_F(Fit, OptionsInMessagesAreShownAsFlags) {
  const Words words{"fit", data_file("iris.csv"), "--target", "class", "--solver",
                    "gd",  "--max-iter",          "2",        "-o",    path("m")};
  const auto expect_flags = [](const std::string& text) {
    EXPECT_NE(text.find("--max-iter or --tol"), std::string::npos) << text;
    EXPECT_EQ(text.find('`'), std::string::npos) << text;
  };
  expect_flags(run(words).err);
  expect_flags(run({"inspect", path("m")}).out);
  expect_flags(run({"inspect", path("m"), "--json"}).json()["warnings"][0]);
  Words json = words;
  json.emplace_back("--json");
  expect_flags(run(json).json()["warnings"][0]);
  const Outcome refused =
      run({"fit", data_file("iris.csv"), "--target", "class", "--no-bias", "--penalize-bias"});
  EXPECT_NE(refused.err.find("--no-bias and --penalize-bias exclude each other"), std::string::npos);
  for (const Json& model : run({"models", "--json"}).json()["models"])
    EXPECT_EQ(run({"models", model["name"]}).out.find('`'), std::string::npos) << model["name"];
}

}  // namespace
}  // namespace discern::cli_test::fit_test
