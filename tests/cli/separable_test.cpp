// discern separable: verdicts with proofs that a program can check.
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::separable_test {
namespace {

class Separable : public InFolder {
 protected:
  std::string xor_file() { return write("xor.csv", "x1,x2,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n"); }
};

TEST_F(Separable, ProvesThatXorIsNot) {
  const Outcome said = run({"separable", xor_file(), "--target", "y", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const Json object = said.json();
  EXPECT_EQ(object["separable"], false);
  const Json& proof = object["certificate"];
  EXPECT_EQ(proof["kind"], "common-point");
  EXPECT_EQ(proof["value"], 0.0);
  EXPECT_EQ(proof["positive"], Json::parse(R"([{"row":2,"share":0.5},{"row":3,"share":0.5}])"));
  EXPECT_EQ(proof["negative"], Json::parse(R"([{"row":1,"share":0.5},{"row":4,"share":0.5}])"));
}

TEST_F(Separable, FindsThePlaneThatProductsMakePossible) {
  const Json object =
      run({"separable", xor_file(), "--target", "y", "--basis", "products:2", "--json"}).json();
  EXPECT_EQ(object["separable"], true);
  EXPECT_EQ(object["features"], (Words{"x1", "x2", "x1*x2"}));
  const double corners[4][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}};
  const double signs[4] = {-1, 1, 1, -1};
  double norm = 0, least = 1e9;
  for (const Json& w : object["weights"]) norm += w.get<double>() * w.get<double>();
  for (int i = 0; i < 4; ++i) {
    double g = object["bias"];
    for (std::size_t j = 0; j < 3; ++j) g += object["weights"][j].get<double>() * corners[i][j];
    least = std::min(least, signs[i] * g);
  }
  EXPECT_NEAR(least / std::sqrt(norm), object["margin"], 1e-12);
  EXPECT_NEAR(object["margin"], 1 / std::sqrt(24.0), 1e-12);  // w = (2, 2, -4)
  EXPECT_NEAR(object["mistake_bound"],
              std::pow(object["radius"].get<double>() / object["margin"].get<double>(), 2), 1e-9);
  EXPECT_LE(object["certificate"]["value"], 1e-9);
}

TEST_F(Separable, TellsPeopleTheVerdictAndTheProof) {
  const Outcome said = run({"separable", data_file("iris.csv"), "--target", "class"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_NE(said.out.find("versicolor (50 rows) against setosa (50 rows)"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("in the units of the file"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("not separable"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("the same point"), std::string::npos) << said.out;
  EXPECT_NE(said.err.find("3 verdicts"), std::string::npos) << said.err;
  const Outcome digits = run({"separable", data_file("digits.csv"), "--target", "class"});
  EXPECT_EQ(lines_of(digits.out).size(), 47U) << digits.out;
}

TEST_F(Separable, JudgesEachAgainstTheRestOnRequest) {
  const Json object =
      run({"separable", data_file("iris.csv"), "--target", "class", "--multiclass", "ovr", "--json"}).json();
  EXPECT_EQ(object["separable"], false);
  ASSERT_EQ(object["pairs"].size(), 3U);
  EXPECT_EQ(object["pairs"][0]["separable"], true);
  EXPECT_EQ(object["pairs"][0]["negative"], nullptr);
  EXPECT_EQ(object["pairs"][1]["separable"], false);
}

TEST_F(Separable, StatesWhatTheMarginIsMeasuredIn) {
  const Words base{"separable", data_file("breast_cancer_wdbc.csv"), "--target", "class", "--json"};
  Words standardized = base;
  standardized.emplace_back("--standardize");
  const Json own = run(base).json(), other = run(standardized).json();
  EXPECT_EQ(own["standardized"], false);
  EXPECT_EQ(other["standardized"], true);
  EXPECT_NEAR(own["margin"], 4.137136843e-05, 1e-13);  // by this program; the gap proves it
  EXPECT_NEAR(other["margin"], 0.001399846807, 1e-11);
  EXPECT_LE(own["certificate"]["value"], 1e-9);
}

TEST_F(Separable, RefusesWhatItCannotJudge) {
  EXPECT_EQ(run({"separable", xor_file()}).exit, 2);
  EXPECT_EQ(run({"separable", xor_file(), "--target", "nothing"}).exit, 2);
  const Outcome one = run({"separable", write("one.csv", "x,y\n1,a\n2,a\n"), "--target", "y"});
  EXPECT_EQ(one.exit, 1);
  EXPECT_NE(one.err.find("expected at least two classes"), std::string::npos) << one.err;
  EXPECT_EQ(
      run({"separable", write("gap.csv", "x,y\n1,a\n,b\n3,b\n"), "--target", "y", "--missing", "error"}).exit,
      1);
}

}  // namespace
}  // namespace discern::cli_test::separable_test
