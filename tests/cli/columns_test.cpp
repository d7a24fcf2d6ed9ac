// What happens to the columns and rows of a table as people have it: identifiers and constants are left out with a
// note, rows without a target too, rare texts are pooled, and `predict` carries the identifiers through.
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::columns_test {
namespace {

// A list of passengers: who, where, and whether they survived, made with a small generator of its own.
std::string passengers(int rows, bool unlabelled = false) {
  std::string text = "PassengerId,Survived,Pclass,Name,Sex,Age,Ticket,Fare,Cabin,Embarked,Ship\n";
  std::uint64_t state = 20;
  const auto draw = [&](std::uint64_t n) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state >> 33) % n);
  };
  const char* const sexes[] = {"male", "female"};
  const char* const ports[] = {"S", "C", "Q"};
  for (int i = 1; i <= rows; ++i) {
    const int sex = draw(2), pclass = 1 + draw(3), chance = draw(10);
    const bool survived = chance < (sex == 1 ? 8 : 2) - pclass + 2;
    text += std::to_string(i) + ',' +
            (unlabelled && i % 20 == 3 ? ""
             : survived                ? "1"
                                       : "0") +
            ',' + std::to_string(pclass) + ",\"Name" + std::to_string(i) + ", Mr. " +
            std::to_string(draw(900)) + "\"," + sexes[sex] + ',' +
            (draw(5) == 0 ? "" : std::to_string(1 + draw(70))) + ",A/" + std::to_string(10000 + i * 7) + ',' +
            std::to_string(draw(9000)) + ".25," + (draw(3) == 0 ? "C" + std::to_string(i) : "") + ',' +
            ports[draw(3)] + ",Titanic\n";
  }
  return text;
}

class Columns : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    table_ = write("p.csv", passengers(100));
    model_ = path("m");
  }
  Outcome fit(const Words& more, const std::string& table = "") {
    Words words{"fit", table.empty() ? table_ : table, "--target", "Survived", "-o", model_};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string table_, model_;
};

bool says(const Outcome& outcome, const std::string& text) {
  return outcome.err.find(text) != std::string::npos;
}

TEST_F(Columns, IdentifiersAndConstantsAreLeftOutWithANote) {
  const Outcome told = fit({});
  ASSERT_EQ(told.exit, 0) << told.err;
  EXPECT_TRUE(says(told, "left out   PassengerId, Name, Ticket, Cabin (identifiers); Ship (constant)"))
      << told.err;
  const Json json = fit({"--json"}).json();
  EXPECT_EQ(json["features"], Json({"Pclass", "Sex=female", "Sex=male", "Age", "Fare", "Embarked=C",
                                    "Embarked=Q", "Embarked=S"}));
  EXPECT_EQ(json["left_out"], Json({"PassengerId", "Name", "Ticket", "Cabin", "Ship"}));
  EXPECT_EQ(json["notes"][0]["column"], "PassengerId");
  EXPECT_EQ(json["notes"][0]["text"], "left out as an identifier: 100 different whole numbers in 100 cells");
  // The model needs none of them.
  const std::string later = write("later.csv", "Pclass,Sex,Age,Fare,Embarked\n1,male,22,8,S\n");
  EXPECT_EQ(run({"predict", model_, later}).exit, 0);
}

TEST_F(Columns, AreBroughtBackByKeepAllAndByNamingThem) {
  const Json all = fit({"--keep-all", "--json"}).json();
  EXPECT_GT(all["n_features"], 200);
  EXPECT_FALSE(all.contains("left_out") || all.contains("notes"));
  EXPECT_EQ(fit({"--features", "PassengerId,Age", "--json"}).json()["features"],
            Json({"PassengerId", "Age"}));
}

TEST_F(Columns, EveryCommandThatFitsTellsTheSame) {
  const std::string note = "left out   PassengerId, Name, Ticket, Cabin (identifiers); Ship (constant)";
  for (const Words& words :
       {Words{"cv", table_, "--target", "Survived", "--folds", "3"},
        Words{"compare", table_, "--target", "Survived", "--folds", "3", "--models", "lda,logistic"},
        Words{"path", table_, "--target", "Survived", "--points", "5", "--folds", "3"},
        Words{"separable", table_, "--target", "Survived"},
        Words{"project", table_, "--target", "Survived"}}) {
    const Outcome told = run(words);
    ASSERT_EQ(told.exit, 0) << words[0] << told.err;
    EXPECT_TRUE(says(told, note)) << words[0] << '\n' << told.err;
    Words for_programs = words;
    for_programs.emplace_back("--json");
    const Json json = run(for_programs).json();
    EXPECT_EQ(json["left_out"].size(), 5U) << words[0];
    EXPECT_FALSE(json.contains("rows_without_target")) << words[0];
  }
}

TEST_F(Columns, ThatAloneTellTheTargetAreWarnedOf) {
  std::string text = "boat,size,y\n";
  for (int i = 0; i < 60; ++i)
    text += std::string(i % 2 == 0 ? "taken" : "none") + ',' + std::to_string(std::sin(i)) + ',' +
            (i % 2 == 0 ? "yes" : "no") + '\n';
  const std::string table = write("leak.csv", text);
  const std::string warning =
      "possible leak: 'boat' alone tells y of every row; if it is not known before y is, leave it out with "
      "--ignore";
  EXPECT_TRUE(says(run({"fit", table, "--target", "y"}), warning));
  EXPECT_TRUE(says(run({"cv", table, "--target", "y"}), warning));
  const Json json = run({"fit", table, "--target", "y", "--json"}).json();
  EXPECT_EQ(json["warnings"][0], warning);
  EXPECT_FALSE(says(run({"fit", table, "--target", "y", "--ignore", "boat"}), "possible leak"));
}

TEST_F(Columns, RowsWithoutATargetAreLeftOutAndCounted) {
  const std::string table = write("some.csv", passengers(100, true));
  const Outcome told = fit({}, table);
  ASSERT_EQ(told.exit, 0) << told.err;
  EXPECT_TRUE(says(told, "note       5 rows without a value of Survived are left out")) << told.err;
  const Json json = fit({"--json"}, table).json();
  EXPECT_EQ(json["n_samples"], 95);
  EXPECT_EQ(json["rows_without_target"], 5);
  const Json judged = run({"evaluate", model_, table, "--json"}).json();
  EXPECT_EQ(judged["rows_without_target"], 5);
  for (const char* command : {"cv", "compare", "path"})
    EXPECT_EQ(
        run({command, table, "--target", "Survived", "--folds", "3", "--json"}).json()["rows_without_target"],
        5)
        << command;
  // The rows keep their numbers: 3, 23, ... are not among them.
  const std::string out = path("out.csv");
  ASSERT_EQ(run({"cv", table, "--target", "Survived", "--predictions", out}).exit, 0);
  const auto lines = lines_of(read_file(out));
  ASSERT_EQ(lines.size(), 96U);
  EXPECT_EQ(lines[2].substr(0, 2), "2,");
  EXPECT_EQ(lines[3].substr(0, 2), "4,");
  EXPECT_EQ(lines[95].substr(0, 4), "100,");
  // From a stream, too.
  const Json streamed =
      run({"fit", "-", "--target", "Survived", "--features", "Pclass,Sex", "--stream", "--json"},
          {read_file(table), {}, ""})
          .json();
  EXPECT_EQ(streamed["n_samples"], 95);
  EXPECT_EQ(streamed["rows_without_target"], 5);
}

TEST_F(Columns, ATableWithoutAnyTargetIsRefused) {
  const Outcome told = run({"fit", write("none.csv", "a,y\n1,\n2,\n"), "--target", "y"});
  EXPECT_EQ(told.exit, 1);
  EXPECT_TRUE(says(told, "no row has a value in this column, the target")) << told.err;
}

TEST_F(Columns, RowsWithMissingCellsAreLeftOutOnRequest) {
  const Json json = fit({"--missing", "drop", "--json"}).json();
  const int left = json["n_samples"].get<int>(), dropped = json["rows_with_missing"].get<int>();
  EXPECT_EQ(left + dropped, 100);
  EXPECT_GT(dropped, 5);  // of Age; the missing cells of Cabin, which is left out, do not count
  EXPECT_LT(dropped, 45);
  EXPECT_TRUE(says(fit({"--missing", "drop"}), " rows with a missing cell are left out"));
  // Later rows with missing cells are answered with the fill values of the others.
  const std::string later = write("later.csv", "Pclass,Sex,Age,Fare,Embarked\n1,male,,8,S\n");
  const Outcome said = run({"predict", model_, later});
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_TRUE(says(said, "missing values were filled in, 1 cell: Age 1")) << said.err;
}

TEST_F(Columns, MissingCellsGetIndicatorsOnRequest) {
  const Json json = fit({"--missing", "indicator", "--json"}).json();
  EXPECT_EQ(json["features"].back(), "missing(Age)");
  const std::string shown = run({"inspect", model_}).out;
  EXPECT_NE(shown.find("with an indicator each of 1 column"), std::string::npos) << shown;
  EXPECT_EQ(run({"cv", table_, "--target", "Survived", "--missing", "indicator"}).exit, 0);
  EXPECT_EQ(run({"fit", table_, "--target", "Survived", "--stream", "--missing", "indicator"}).exit, 2);
}

TEST_F(Columns, RareTextsAreOne) {
  std::string text = "town,size,y\n";
  for (int i = 0; i < 80; ++i)
    text += (i % 10 == 0 ? "Hamlet" + std::to_string(i) : std::string(i % 2 == 0 ? "Bonn" : "Ulm")) + ',' +
            std::to_string(std::sin(i)) + ',' + (i * 7 % 3 == 0 ? "yes" : "no") + '\n';
  const std::string table = write("towns.csv", text);
  const Json json = run({"fit", table, "--target", "y", "--rare", "5", "-o", model_, "--json"}).json();
  EXPECT_EQ(json["features"], Json({"town=Bonn", "town=Ulm", "town=other", "size"}));
  EXPECT_EQ(json["facts"]["rare_levels"], 8);
  // What was pooled and what is new count alike, and neither is unknown.
  const Outcome said =
      run({"predict", model_, write("new.csv", "town,size\nHamlet0,0.5\nKiel,0.5\nBonn,0.5\n"), "--output",
           "scores", "--unseen", "error"});
  ASSERT_EQ(said.exit, 0) << said.err;
  const auto lines = lines_of(said.out);
  EXPECT_EQ(lines[1], lines[2]);
  EXPECT_NE(lines[1], lines[3]);
  const std::string shown = run({"inspect", model_}).out;
  EXPECT_NE(shown.find("3 levels, other for all others"), std::string::npos) << shown;
  EXPECT_EQ(run({"cv", table, "--target", "y", "--rare", "5"}).exit, 0);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--stream", "--rare", "5"}).exit, 2);
  EXPECT_EQ(run({"fit", table, "--target", "y", "--rare", "many"}).exit, 2);
}

TEST_F(Columns, KeptColumnsStandBeforeThePredictionAsTheyWere) {
  ASSERT_EQ(fit({"--features", "Pclass,Sex,Age"}).exit, 0);
  const std::string rows =
      "id,Sex,Age,Name,Pclass\n"
      "007,male,NA,\"Doe, \"\"Jo\"\"\",1\n"
      "1.50,female,,=x,2\n"
      "?,male,3e1,,3\n";
  const std::string table = write("k.csv", rows);
  const Outcome some = run({"predict", model_, table, "--keep", "id,Age,Name"});
  ASSERT_EQ(some.exit, 0) << some.err;
  const auto lines = lines_of(some.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "id,Age,Name,prediction");
  EXPECT_EQ(lines[1].substr(0, 21), "007,NA,\"Doe, \"\"Jo\"\"\",");
  EXPECT_EQ(lines[2].substr(0, 9), "1.50,,=x,");
  EXPECT_EQ(lines[3].substr(0, 7), "?,3e1,,");
  const auto all = lines_of(run({"predict", model_, table, "--keep", "all", "--output", "proba"}).out);
  EXPECT_EQ(all[0], "id,Sex,Age,Name,Pclass,prediction,p(0),p(1)");
  EXPECT_EQ(all[3].substr(0, 14), "?,male,3e1,,3,");
  // The predictions are those without; a stream says the same, and so does a file.
  const auto plain = lines_of(run({"predict", model_, table}).out);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(lines[i].substr(lines[i].rfind(',') + 1), plain[i]);
  EXPECT_EQ(run({"predict", model_, "-", "--keep", "id,Age,Name"}, {rows, {}, ""}).out, some.out);
  ASSERT_EQ(run({"predict", model_, table, "--keep", "id,Age,Name", "-o", path("out.csv")}).exit, 0);
  EXPECT_EQ(read_file(path("out.csv")), some.out);
  const Json json = run({"predict", model_, table, "--keep", "id", "--json"}).json();
  EXPECT_EQ(json["id"], Json({"007", "1.50", "?"}));
  const auto safe = lines_of(run({"predict", model_, table, "--keep", "Name", "--safe-csv"}).out);
  EXPECT_EQ(safe[2].substr(0, 4), "'=x,");
}

TEST_F(Columns, KeptColumnsThatAreNotThereOrMeanTwoThingsAreRefused) {
  ASSERT_EQ(fit({"--features", "Pclass,Sex,Age"}).exit, 0);
  const std::string table = write("k.csv", "prediction,Sex,Age,Pclass\n1,male,3,1\n");
  const Outcome absent = run({"predict", model_, table, "--keep", "who"});
  EXPECT_EQ(absent.exit, 2);
  EXPECT_TRUE(says(absent, "no column 'who'; the columns are: prediction, Sex, Age, Pclass")) << absent.err;
  const Outcome twice = run({"predict", model_, table, "--keep", "all"});
  EXPECT_EQ(twice.exit, 2);
  EXPECT_TRUE(says(twice, "the input has a column 'prediction', and so has the output")) << twice.err;
}

TEST_F(Columns, KeptCellsOfManyRowsStayInTheirOrder) {
  ASSERT_EQ(fit({"--features", "Pclass,Sex,Age"}).exit, 0);
  const std::string large = write("large.csv", passengers(30000));
  const auto lines = lines_of(run({"predict", model_, large, "--keep", "PassengerId"}).out);
  ASSERT_EQ(lines.size(), 30001U);
  const auto streamed =
      lines_of(run({"predict", model_, "-", "--keep", "PassengerId"}, {read_file(large), {}, ""}).out);
  EXPECT_EQ(streamed, lines);
  for (std::size_t i = 1; i < lines.size(); ++i)
    ASSERT_EQ(lines[i].substr(0, lines[i].find(',')), std::to_string(i));
}

TEST_F(Columns, KeptCellsComeFromOtherFormatsToo) {
  ASSERT_EQ(fit({"--features", "Pclass,Sex,Age"}).exit, 0);
  const std::string database = path("p.sqlite");
  ASSERT_EQ(run({"convert", table_, database}).exit, 0);
  const auto lines = lines_of(run({"predict", model_, database, "--keep", "PassengerId,Name"}).out);
  ASSERT_EQ(lines.size(), 101U);
  EXPECT_EQ(lines[0], "PassengerId,Name,prediction");
  EXPECT_EQ(lines[7].substr(0, 9), "7,\"Name7,");
}

TEST_F(Columns, ImagesKeepTheirConstantPixels) {
  const Json json =
      run({"fit", data_file("digits.csv"), "--target", "class", "--model", "lda", "--json"}).json();
  EXPECT_EQ(json["n_features"], 64);
  EXPECT_FALSE(json.contains("left_out"));
}

}  // namespace
}  // namespace discern::cli_test::columns_test
