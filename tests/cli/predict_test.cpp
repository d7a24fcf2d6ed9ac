// discern predict: columns are matched by name, labels come back exactly, the CSV is as promised.
#include "harness.hpp"

namespace discern::cli_test::predict_test {
namespace {

class Predict : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    table_ = write("t.csv",
                   "size,colour,weight,y\n1,red,5,no\n2,blue,3,no\n3,red,4,yes\n4,green,1,yes\n2.5,red,2,"
                   "no\n3.5,blue,2,yes\n"
                   "1.2,green,4,yes\n3.1,red,1,no\n");
    model_ = path("m");
    ASSERT_EQ(run({"fit", table_, "--target", "y", "--quiet", "-o", model_}).exit, 0);
  }
  std::string table_, model_;
};

TEST_F(Predict, WritesOneColumnWithAHeader) {
  const Outcome said = run({"predict", model_, table_});
  ASSERT_EQ(said.exit, 0) << said.err;
  const auto lines = lines_of(said.out);
  ASSERT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines[0], "prediction");
  for (std::size_t i = 1; i < lines.size(); ++i)
    EXPECT_TRUE(lines[i] == "yes" || lines[i] == "no") << lines[i];
}

TEST_F(Predict, NamesTheColumnsOfEachOutput) {
  const auto header = [&](const std::string& what) {
    return lines_of(run({"predict", model_, table_, "--output", what}).out)[0];
  };
  EXPECT_EQ(header("labels"), "prediction");
  EXPECT_EQ(header("proba"), "prediction,p(no),p(yes)");
  EXPECT_EQ(header("scores"), "prediction,g(yes)");
  EXPECT_EQ(header("distance"), "prediction,distance");

  const std::string iris = data_file("iris.csv");
  ASSERT_EQ(run({"fit", iris, "--target", "class", "--model", "lda", "-o", model_}).exit, 0);
  const auto of_iris = [&](const std::string& what) {
    return lines_of(run({"predict", model_, iris, "--output", what}).out)[0];
  };
  EXPECT_EQ(of_iris("proba"), "prediction,p(setosa),p(versicolor),p(virginica)");
  EXPECT_EQ(of_iris("scores"), "prediction,g(setosa),g(versicolor),g(virginica)");
}

TEST_F(Predict, ProbabilitiesAddUpToOne) {
  const Json said = run({"predict", model_, table_, "--output", "proba", "--json"}).json();
  ASSERT_EQ(said["p(no)"].size(), 8U);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(said["p(no)"][i].get<double>() + said["p(yes)"][i].get<double>(), 1, 1e-12);
}

TEST_F(Predict, ARegressionWritesNumbers) {
  const std::string line = write("line.csv", "x,y\n0,1\n1,3\n2,5\n3,7\n");
  ASSERT_EQ(
      run({"fit", line, "--target", "y", "--model", "least-squares", "--task", "regression", "-o", model_})
          .exit,
      0);
  const auto lines = lines_of(run({"predict", model_, write("new.csv", "x\n10\n0.5\n")}).out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "prediction");
  EXPECT_NEAR(std::stod(lines[1]), 21, 1e-12);
  EXPECT_NEAR(std::stod(lines[2]), 2, 1e-12);
}

TEST_F(Predict, MatchesPermutedColumnsByNameToTheLastBit) {
  const std::string permuted =
      write("p.csv", "weight,y,size,colour\n5,no,1,red\n3,no,2,blue\n4,yes,3,red\n1,yes,4,green\n");
  const std::string straight = write("s.csv", "size,colour,weight\n1,red,5\n2,blue,3\n3,red,4\n4,green,1\n");
  const Words more{"--output", "proba"};
  const Outcome one = run({"predict", model_, straight, "--output", "proba"});
  const Outcome two = run({"predict", model_, permuted, "--output", "proba"});
  ASSERT_EQ(one.exit, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
}

TEST_F(Predict, SkipsFurtherColumnsWhateverTheyHold) {
  const std::string plain = write("a.csv", "size,colour,weight\n1,red,5\n2,blue,3\n");
  const std::string further =
      write("b.csv", "note,size,colour,nan,weight\nhello,1,red,NaN,5\n\"a,b\",2,blue,1e999,3\n");
  const Outcome one = run({"predict", model_, plain}), two = run({"predict", model_, further});
  EXPECT_EQ(two.exit, 0) << two.err;
  EXPECT_EQ(one.out, two.out);
}

TEST_F(Predict, RefusesAMissingColumnByName) {
  const Outcome said = run({"predict", model_, write("a.csv", "size,colour\n1,red\n")});
  EXPECT_EQ(said.exit, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("weight"), std::string::npos) << said.err;
}

TEST_F(Predict, TakesAnUnseenCategoryAsNoneOfTheKnownUnlessToldToRefuseIt) {
  const std::string odd = write("a.csv", "size,colour,weight\n1,red,5\n2,mauve,3\n3,mauve,1\n");
  const Outcome refused = run({"predict", model_, odd, "--unseen", "error", "-o", path("out.csv")});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("a.csv:3: column 'colour'"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("mauve"), std::string::npos) << refused.err;
  EXPECT_EQ(entries(), (Words{"a.csv", "m", "t.csv"}));

  const Outcome taken = run({"predict", model_, odd});
  EXPECT_EQ(taken.exit, 0) << taken.err;
  EXPECT_EQ(lines_of(taken.out).size(), 4U);
  const std::string warning =
      "warning: 2 cells hold a text that training did not have, taken as none of the known ones: colour 2";
  EXPECT_NE(taken.err.find(warning), std::string::npos) << taken.err;
  EXPECT_EQ(run({"predict", model_, odd, "--unseen", "ignore"}).out, taken.out);
  const Outcome streamed = run({"predict", model_, "-"}, {read_file(odd), {}, ""});
  EXPECT_EQ(streamed.out, taken.out);
  EXPECT_NE(streamed.err.find(warning), std::string::npos) << streamed.err;
}

TEST_F(Predict, RefusesWhatIsNoNumberInTheModelsColumns) {
  for (const char* cell : {"inf", "1e400", "0x10", "3.2abc"}) {
    const Outcome said =
        run({"predict", model_,
             write("a.csv", std::string("size,colour,weight\n1,red,5\n") + cell + ",red,5\n")});
    EXPECT_EQ(said.exit, 1) << cell;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find("a.csv:3: column 'size'"), std::string::npos) << said.err;
  }
}

TEST_F(Predict, FillsMissingCellsInOrRefusesThem) {
  const std::string table = write("a.csv", "size,colour,weight\n1,red,5\n?,red,3\n");
  const Outcome filled = run({"predict", model_, table});
  EXPECT_EQ(filled.exit, 0) << filled.err;
  const std::string said = "missing values were filled in, 1 cell: size 1";
  EXPECT_NE(filled.err.find(said), std::string::npos) << filled.err;
  const Outcome json = run({"predict", model_, table, "--json"});
  EXPECT_NE(json.err.find("warning: " + said), std::string::npos) << json.err;
  EXPECT_NE(shell("\"$discern\" predict " + model_ + " - < " + table).err.find(said), std::string::npos);
  const Outcome refused = run({"predict", model_, table, "--missing", "error"});
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("a.csv:3: column 'size'"), std::string::npos) << refused.err;
}

TEST_F(Predict, ReadsStandardInputAndGzip) {
  const std::string direct = run({"predict", model_, table_}).out;
  Settings settings;
  settings.input = read_file(table_);
  EXPECT_EQ(run({"predict", model_, "-"}, settings).out, direct);
  ASSERT_EQ(run({"convert", table_, path("t.csv.gz")}).exit, 0);
  EXPECT_EQ(run({"predict", model_, path("t.csv.gz")}).out, direct);
}

TEST_F(Predict, WritesTheSameToAFileAsToStandardOutput) {
  const std::string direct = run({"predict", model_, table_, "--output", "scores"}).out;
  ASSERT_EQ(run({"predict", model_, table_, "--output", "scores", "-o", path("o.csv")}).exit, 0);
  EXPECT_EQ(read_file(path("o.csv")), direct);
}

TEST_F(Predict, QuotesALabelThatNeedsIt) {
  const std::string table =
      write("q.csv", "x,y\n1,\"a, \"\"b\"\"\"\n2,\"a, \"\"b\"\"\"\n3,plain\n4,plain\n2.6,plain\n");
  ASSERT_EQ(run({"fit", table, "--target", "y", "--model", "lda", "-o", model_}).exit, 0);
  const Outcome said = run({"predict", model_, write("n.csv", "x\n0\n9\n"), "--output", "proba"});
  const auto lines = lines_of(said.out);
  ASSERT_EQ(lines.size(), 3U) << said.err;
  EXPECT_EQ(lines[0], "prediction,\"p(a, \"\"b\"\")\",p(plain)");
  EXPECT_TRUE(lines[1].starts_with("\"a, \"\"b\"\"\",")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("plain,")) << lines[2];
}

TEST_F(Predict, RefusesAnOutputThatTheModelDoesNotHave) {
  const std::string iris = data_file("iris.csv");
  ASSERT_EQ(run({"fit", iris, "--target", "class", "--model", "least-squares", "-o", model_}).exit, 0);
  EXPECT_EQ(run({"predict", model_, iris, "--output", "proba"}).exit, 2);
  ASSERT_EQ(run({"fit", iris, "--target", "class", "--model", "qda", "-o", model_}).exit, 0);
  EXPECT_EQ(run({"predict", model_, iris, "--output", "distance"}).exit, 2);
  EXPECT_EQ(run({"predict", model_, iris, "--output", "proba"}).exit, 0);
}

TEST_F(Predict, EndsQuietlyWhenNobodyReadsOn) {
  ASSERT_EQ(run({"generate", "linear", "--rows", "200000", "-o", path("big.csv")}).exit, 0);
  ASSERT_EQ(run({"fit", path("big.csv"), "--target", "class", "-o", model_}).exit, 0);
  const Outcome piped =
      shell("\"$discern\" predict --quiet " + model_ + " " + path("big.csv") + " | head -n 1");
  EXPECT_EQ(piped.out, "prediction\n");
  EXPECT_EQ(piped.err, "");
}

}  // namespace
}  // namespace discern::cli_test::predict_test
