// discern describe: a table at a glance.
#include <algorithm>

#include "harness.hpp"

namespace discern::cli_test::describe_test {
namespace {

constexpr const char* people =
    "name,age,sex,fare,lived\n"
    "Ann,30,f,1.5,yes\nBob,,m,0.5,no\nCid,40,m,0.25,no\nDot,20,f,2.5,Yes\nEve,50,f,3,yes\nFay,60,,1,no\n";

class Describe : public InFolder {
 protected:
  static Json column(const Json& told, const std::string& name) {
    for (const Json& one : told["columns"])
      if (one["name"] == name) return one;
    ADD_FAILURE() << "no column " << name;
    return {};
  }
};

TEST_F(Describe, JsonHasExactlyThePromisedKeys) {
  const Json told = run({"describe", write("t.csv", people), "--json"}).json();
  Words keys;
  for (const auto& [key, value] : told.items()) keys.push_back(key);
  EXPECT_EQ(keys, (Words{"n_samples", "n_features", "text_features", "missing", "target", "measures",
                         "columns", "left_out", "sparse", "notes", "seconds"}));
  EXPECT_EQ(told["n_samples"], 6);
  EXPECT_EQ(told["n_features"], 5);
  EXPECT_EQ(told["missing"], 2);
  EXPECT_TRUE(told["target"].is_null());
  const Json age = column(told, "age");
  EXPECT_EQ(age["type"], "number");
  EXPECT_EQ(age["missing"], 1);
  EXPECT_EQ(age["distinct"], 5);
  EXPECT_DOUBLE_EQ(age["median"].get<double>(), 40);
  EXPECT_DOUBLE_EQ(age["q1"].get<double>(), 30);
  EXPECT_FALSE(age.contains("association"));
  const Json sex = column(told, "sex");
  EXPECT_EQ(sex["type"], "text");
  EXPECT_EQ(sex["levels"][0], Json({{"level", "f"}, {"rows", 3}}));
}

TEST_F(Describe, TellsWhatEachColumnSaysOfTheTarget) {
  const std::string table = write("t.csv", people);
  const Json told = run({"describe", table, "--target", "lived", "--json"}).json();
  EXPECT_EQ(told["measures"], Json({{"numbers", "eta_squared"}, {"texts", "cramers_v"}}));
  EXPECT_EQ(told["n_features"], 4);
  // "Yes" and "yes" are two labels, so there are three classes; the file is read as it is.
  EXPECT_EQ(told["target"]["classes"].size(), 3U);
}

TEST_F(Describe, OfTwoClassesShowsTheAucBesideEachColumn) {
  const std::string table = write("t.csv", "x,t,y\n1,a,-\n2,b,-\n3,a,+\n2.5,b,-\n2.2,a,+\n4,a,+\n");
  const Outcome outcome = run({"describe", table, "--target", "y"});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const Json told = run({"describe", table, "--target", "y", "--json"}).json();
  EXPECT_EQ(told["target"]["positive"], "+");
  EXPECT_NEAR(column(told, "x")["association"].get<double>(), 8.0 / 9, 1e-12);
  for (const char* word : {"AUC", "0.889", "positive", "50.00 %", "strongest", "most frequent"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << outcome.out;
  EXPECT_NE(outcome.err.find("6 rows, 2 columns"), std::string::npos) << outcome.err;
  // The bars of a histogram are blocks, one for each of the bins.
  EXPECT_NE(outcome.out.find("\u2588"), std::string::npos);
}

TEST_F(Describe, LinesAreAlignedWhateverTheNames) {
  const std::string table = write("t.csv", "größe,b,a much longer name than the others\n1,2,3\n4,5,6\n");
  const Outcome outcome = run({"describe", table});
  std::vector<std::size_t> places;  // of the second column, in characters
  for (const std::string& line : lines_of(outcome.out)) {
    const std::string before = line.substr(0, line.find("whole"));
    if (before.size() == line.size()) continue;
    places.push_back(static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    })));
  }
  ASSERT_EQ(places.size(), 3U) << outcome.out;
  EXPECT_EQ(places[0], places[1]);
  EXPECT_EQ(places[0], places[2]);
}

TEST_F(Describe, ARegressionHasCorrelations) {
  const Json told = run({"describe", data_file("diabetes.csv"), "--target", "target", "--json"}).json();
  EXPECT_EQ(told["target"]["task"], "regression");
  EXPECT_EQ(told["measures"]["numbers"], "pearson");
  // cor(bmi, target) of the diabetes data, as in every textbook that uses them
  EXPECT_NEAR(column(told, "bmi")["association"].get<double>(), 0.5864501, 1e-6);
}

TEST_F(Describe, ASparseTableIsSummedUpAndTheRestLeftOut) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text +=
        (i % 2 == 0 ? "+1 " : "-1 ") + std::to_string(1 + i % 5) + ":1 " + std::to_string(200 + i) + ":2\n";
  const std::string file = write("t.svm", text);
  const Json told = run({"describe", file, "--json"}).json();
  EXPECT_EQ(told["columns"].size(), 100U);
  EXPECT_EQ(told["left_out"], 139);
  EXPECT_EQ(told["sparse"]["entries"], 80);
  EXPECT_EQ(told["sparse"]["empty_columns"], 194);
  EXPECT_EQ(told["target"]["positive"], "+1");
  const Outcome people_read = run({"describe", file});
  EXPECT_NE(people_read.out.find("and 139 more columns; --all describes every one"), std::string::npos);
  EXPECT_EQ(run({"describe", file, "--all", "--json"}).json()["columns"].size(), 239U);
}

TEST_F(Describe, RefusesWhatIsOfATargetThatIsNotGiven) {
  const std::string table = write("t.csv", people);
  EXPECT_EQ(run({"describe", table, "--task", "regression"}).exit, 2);
  EXPECT_EQ(run({"describe", table, "--positive", "yes"}).exit, 2);
  EXPECT_EQ(run({"describe", table, "--target", "nothing"}).exit, 2);
  EXPECT_EQ(run({"describe", table, "--target", "lived", "--positive", "yes"}).exit, 2);  // of three classes
}

TEST_F(Describe, HostileTextsMoveNoCursor) {
  const std::string table = write("t.csv", "\x1b[31mred,b\nx\x1b[2J,1\ny,2\nx\x1b[2J,3\n");
  const Outcome outcome = run({"describe", table});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace discern::cli_test::describe_test
