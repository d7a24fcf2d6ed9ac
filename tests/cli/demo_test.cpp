// discern demo: every story is told, is the same every time, and says what it is there to say.
#include <cstdio>

#include "harness.hpp"

namespace discern::cli_test::demo_test {
namespace {

std::string story(const std::string& name) {
  const Outcome said = run({"demo", name});
  EXPECT_EQ(said.exit, 0) << said.err;
  EXPECT_EQ(said.err, "");
  for (const std::string& line : lines_of(said.out)) EXPECT_LE(line.size(), 90U) << line;
  return said.out;
}

void expect(const std::string& text, const Words& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
}

TEST(Demo, WithoutANameListsThem) {
  const Outcome said = run({"demo"});
  EXPECT_EQ(said.exit, 0);
  expect(said.out, {"or", "and", "xor", "separable", "outlier", "learning-rate"});
  EXPECT_EQ(run({"demo", "--json"}).json().size(), 34U);
  const Outcome wrong = run({"demo", "xro"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("xor"), std::string::npos) << wrong.err;
}

TEST(Demo, TellsTheSameStoryEveryTimeAndWithAnyNumberOfThreads) {
  for (const char* name : {"or", "and", "xor", "separable", "outlier", "learning-rate"}) {
    const std::string text = story(name);
    EXPECT_EQ(run({"demo", name, "--threads", "1"}).out, text) << name;
    const Json object = run({"demo", name, "--json"}).json();
    EXPECT_EQ(object["demo"], name);
    EXPECT_EQ(object["text"], text);
  }
}

TEST(Demo, OfOrAndAndGivesTheTruthTables) {
  const std::string either = story("or"), both = story("and");
  expect(either, {"g(x) = x1 + x2 - 0.5", "   0   0       0  -0.5       0  right",
                  "   1   1       1   1.5       1  right", "the given one, times a factor"});
  expect(both, {"g(x) = x1 + x2 - 1.5", "   0   1       0  -0.5       0  right",
                "   1   1       1   0.5       1  right", "0.3536 from the nearest corners"});
  EXPECT_EQ(either.find("wrong"), std::string::npos);
  EXPECT_EQ(both.find("wrong"), std::string::npos);
}

TEST(Demo, OfXorShowsTheProofTheLayersAndTheProduct) {
  expect(story("xor"),
         {"+ : 0.5 (0, 1) + 0.5 (1, 0)", "o : 0.5 (0, 0) + 0.5 (1, 1)", "they differ by 0.",
          "   0   1        1         0            0.5       1",
          "   1   1        1         1           -0.5       0", "g = 2 x1 + 2 x2 - 4 x1*x2 - 1",
          "   1   1      1    -1       0",
          // exp(-2) = 0.1353, exp(-1) = 0.3679
          "   0   0  0.1353       1      -0.1353       0", "   0   1  0.3679  0.3679       0.2642       1",
          "   1   1       1  0.1353      -0.1353       0"});
}

TEST(Demo, OfXorLearnsItWithTwoHiddenUnits) {
  const std::string text = story("xor");
  const std::size_t at = text.find("two layers, learned");
  ASSERT_NE(at, std::string::npos);
  std::string words = text.substr(at);
  for (char& c : words)
    if (c == '\n') c = ' ';
  expect(words, {"A 2-2-1 network with tanh units", "It gets 0 of the four corners wrong"});
}

TEST(Demo, OfOutliersHasMoreMistakesWithLeastSquares) {
  std::string text = story("outlier");
  for (char& c : text)
    if (c == '\n') c = ' ';
  const auto mistakes = [&](const std::string& model) {
    const std::size_t at = text.find("gets ", text.find(model));
    return at == std::string::npos ? -1 : std::stoi(text.substr(at + 5));
  };
  EXPECT_GT(mistakes("Least squares (s)"), mistakes("Logistic regression (l)")) << text;
  EXPECT_GE(mistakes("Logistic regression (l)"), 0) << text;
}

TEST(Demo, OfLearningRatesEndsLowWithTheGoodOneAndHighWithTheLargeOne) {
  const std::string text = story("learning-rate");
  const auto lines = lines_of(text);
  std::vector<double> last;
  double minimum = 0;
  for (const std::string& line : lines) {
    const std::size_t at = line.find("minimum is ");
    if (at != std::string::npos) minimum = std::stod(line.substr(at + 11));
    double steps = 0, small = 0, good = 0, large = 0;
    if (std::sscanf(line.c_str(), "%lf %lf %lf %lf", &steps, &small, &good, &large) == 4 && steps == 128)
      last = {small, good, large};
  }
  ASSERT_EQ(last.size(), 3U) << text;
  ASSERT_GT(minimum, 0) << text;
  EXPECT_LT(last[1], minimum + 1e-3);
  EXPECT_GT(last[0], minimum + 1e-3);
  EXPECT_GT(last[2], minimum + 1);
}

}  // namespace
}  // namespace discern::cli_test::demo_test
