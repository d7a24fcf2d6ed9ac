// discern losses: formulas, numbers and a picture of the error functions.
#include <cmath>
#include <functional>
#include <map>

#include "harness.hpp"

namespace discern::cli_test::losses_test {
namespace {

struct ClosedForm {
  std::function<double(double)> value, slope;
};

double logistic(double m) { return 1 / (1 + std::exp(-m)); }

const std::map<std::string, ClosedForm> closed_forms = {
    {"0-1", {[](double m) { return m < 0 ? 1 : 0; }, [](double) { return 0; }}},
    {"squared", {[](double m) { return (1 - m) * (1 - m) / 2; }, [](double m) { return m - 1; }}},
    {"perceptron", {[](double m) { return std::max(0.0, -m); }, [](double m) { return m < 0 ? -1 : 0; }}},
    {"hinge", {[](double m) { return std::max(0.0, 1 - m); }, [](double m) { return m < 1 ? -1 : 0; }}},
    {"squared-hinge",
     {[](double m) { return m < 1 ? (1 - m) * (1 - m) : 0; },
      [](double m) { return m < 1 ? -2 * (1 - m) : 0; }}},
    {"logistic",
     {[](double m) { return std::log(1 + std::exp(-m)); }, [](double m) { return -logistic(-m); }}},
    {"scaled-logistic",
     {[](double m) { return std::log2(1 + std::exp(-m)); },
      [](double m) { return -logistic(-m) / std::log(2.0); }}},
    {"tanh-unit",
     {[](double m) { return std::pow(1 - std::tanh(m), 2) / 2; },
      [](double m) { return -(1 - std::tanh(m)) / std::pow(std::cosh(m), 2); }}},
    {"logistic-unit",
     {[](double m) { return std::pow(1 - logistic(m), 2) / 2; },
      [](double m) { return -(1 - logistic(m)) * logistic(m) * logistic(-m); }}},
};

TEST(Losses, JsonHoldsTheClosedFormsAtTheMarginsAskedFor) {
  const Outcome said = run({"losses", "--from", "-3", "--to", "1.5", "--steps", "9", "--json"});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const Json json = said.json();
  ASSERT_EQ(json["margins"].size(), 10U);
  ASSERT_EQ(json["losses"].size(), closed_forms.size());
  for (const Json& loss : json["losses"]) {
    const ClosedForm& expected = closed_forms.at(loss["name"]);
    EXPECT_FALSE(loss["formula"].get<std::string>().empty());
    ASSERT_EQ(loss["curvatures"].size(), 10U);
    for (std::size_t i = 0; i < 10; ++i) {
      const double m = json["margins"][i];
      EXPECT_NEAR(m, -3 + 0.5 * static_cast<double>(i), 1e-15);
      EXPECT_NEAR(loss["values"][i], expected.value(m), 1e-14) << loss["name"] << " at " << m;
      EXPECT_NEAR(loss["slopes"][i], expected.slope(m), 1e-14) << loss["name"] << " at " << m;
    }
  }
}

TEST(Losses, TheScaledLogisticIsOneOnTheBoundaryAndNeverBelowZeroOne) {
  const Json json = run({"losses", "--json", "--steps", "40"}).json();
  const Json& scaled = json["losses"][6];
  ASSERT_EQ(scaled["name"], "scaled-logistic");
  for (std::size_t i = 0; i < json["margins"].size(); ++i) {
    if (json["margins"][i] == 0) {
      EXPECT_NEAR(scaled["values"][i], 1, 1e-15);
    }
    EXPECT_GE(scaled["values"][i], json["losses"][0]["values"][i]);
  }
}

std::vector<std::string> part_of(const std::string& text, const std::string& title) {
  std::vector<std::string> part;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (line.empty()) inside = false;
    if (inside) part.push_back(line);
    if (line.starts_with(title)) inside = true;
  }
  return part;
}

TEST(Losses, TheTableOfValuesEndsItsColumnsInOnePlace) {
  const Outcome said = run({"losses"});
  ASSERT_EQ(said.exit, 0);
  const auto table = part_of(said.out, "values");
  ASSERT_EQ(table.size(), 2U + 9U);
  for (const std::string& line : table) {
    EXPECT_LE(line.size(), 96U) << line;
    EXPECT_EQ(line.size(), table.back().size()) << line;
  }
  // Every column of every row of numbers ends where the name in the heading does.
  for (std::size_t i = 2; i < table.size(); ++i)
    for (std::size_t at = 0; at + 1 < table[1].size(); ++at)
      if (table[1][at] != ' ' && table[1][at + 1] == ' ') {
        EXPECT_TRUE(table[i][at] != ' ' && table[i][at + 1] == ' ') << table[1] << '\n' << table[i];
      }
  EXPECT_NE(table[2].find("-2  1.0000   4.5000"), std::string::npos) << table[2];
}

TEST(Losses, ThePictureIsAsciiAndHasAPlaceForEachLoss) {
  const Outcome said = run({"losses"});
  for (const char c : said.out) ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << said.out;
  const auto picture = part_of(said.out, "picture");
  ASSERT_EQ(picture.size(), 19U + 2U) << said.out;  // up to 3, where the hinge is at -2
  for (const std::string& line : picture) EXPECT_LE(line.size(), 72U) << line;
  EXPECT_EQ(picture.front().substr(0, 5), "  3 +") << picture.front();
  EXPECT_EQ(picture[18].substr(0, 5), "  0 +") << picture[18];
  EXPECT_EQ(picture[19], "    +" + std::string(67, '-'));
  EXPECT_EQ(picture[20].size(), 72U);
  EXPECT_EQ(picture[20].substr(picture[20].size() - 2), " 2");
  EXPECT_EQ(picture[20].substr(0, 8), "     -2 ");
  // At -2 the marks stand at their values, in sixths: hinge 3, scaled logistic 3.07, perceptron and logistic
  // near 2, tanh unit 1.93, 0-1 at 1.
  const auto first_column = [&](std::size_t row) { return picture[row].size() > 5 ? picture[row][5] : ' '; };
  EXPECT_EQ(first_column(0), 'h');
  EXPECT_EQ(first_column(12), '0');
  std::string all;
  for (std::size_t row = 0; row < 19; ++row) all += picture[row];
  for (const char mark : std::string("0sphqlLtu")) EXPECT_NE(all.find(mark), std::string::npos) << mark;
}

class LossesFile : public InFolder {};

TEST_F(LossesFile, HoldsAColumnForEachLossAndCanBeReadBack) {
  const Outcome said = run({"losses", "--steps", "4", "-o", path("losses.csv")});
  ASSERT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_NE(said.err.find("9 losses at 5 margins, written to"), std::string::npos) << said.err;
  const std::string csv = read_file(path("losses.csv"));
  const auto lines = lines_of(csv);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0],
            "m,0-1,squared,perceptron,hinge,squared-hinge,logistic,scaled-logistic,tanh-unit,logistic-unit");
  EXPECT_TRUE(lines[1].starts_with("-2,1,4.5,2,3,9,")) << lines[1];
  EXPECT_EQ(run({"losses", "--steps", "4", "-o", "-"}).out, csv);
  EXPECT_EQ(entries(), (Words{"losses.csv"}));
}

TEST(Losses, RefusesMarginsThatDoNotGrow) {
  const Outcome said = run({"losses", "--from", "2", "--to", "2"});
  EXPECT_EQ(said.exit, 2);
  EXPECT_NE(said.err.find("--from 2: must be below --to"), std::string::npos) << said.err;
  EXPECT_EQ(run({"losses", "--steps", "0"}).exit, 2);
  EXPECT_EQ(run({"losses", "--json", "-o", "-"}).exit, 2);
}

TEST(Losses, AreFiniteAtMarginsOfAnySize) {
  for (const Json& loss : run({"losses", "--from", "-1e12", "--to", "1e12", "--json"}).json()["losses"])
    for (const char* key : {"values", "slopes", "curvatures"})
      for (const Json& number : loss[key]) EXPECT_TRUE(number.is_number()) << loss["name"];
  EXPECT_EQ(run({"losses", "--from", "-1e12", "--to", "1e12"}).exit, 0);
}

}  // namespace
}  // namespace discern::cli_test::losses_test
