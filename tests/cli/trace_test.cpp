// --trace: the fit written down as it happens, a line of JSON an iteration.
#include <cmath>
#include <sstream>

#include "harness.hpp"

namespace discern::cli_test::trace_test {
namespace {

class Traces : public InFolder {
 protected:
  std::vector<Json> lines(const Words& more, const char* data = "iris.csv", const char* target = "class") {
    Words words{"fit",           data_file(data), "--target", target,   "--trace",
                path("t.jsonl"), "--json",        "-o",       path("m")};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    fit_ = outcome.json();
    std::vector<Json> found;
    std::istringstream text(read_file(path("t.jsonl")));
    for (std::string line; std::getline(text, line);) found.push_back(Json::parse(line));
    return found;
  }
  Json fit_;
};

TEST_F(Traces, BeginAtTheStartAndEndWithTheModelWhateverTheSolver) {
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd", "sgd", "cd", "dual-cd"}) {
    const bool stochastic = std::string(solver) == "sgd";
    const auto found =
        lines({"--solver", solver, stochastic ? "--epochs" : "--max-iter", stochastic ? "1" : "20"},
              "breast_cancer_wdbc.csv", "class");
    ASSERT_GT(found.size(), 2U) << solver;
    EXPECT_EQ(found.front()["iteration"], 0) << solver;
    for (std::size_t k = 1; k + 1 < found.size(); ++k)
      EXPECT_GT(found[k]["iteration"], found[k - 1]["iteration"]) << solver << k;
    const Json& last = found.back();
    EXPECT_EQ(last["final"], true);
    EXPECT_EQ(last["objective"], fit_["objective"]) << solver;
    const Json model = run({"inspect", path("m"), "--json"}).json();
    for (std::size_t j = 0; j < model["weights"][0].size(); ++j)
      EXPECT_DOUBLE_EQ(last["weights"][0][j].get<double>(), model["weights"][0][j].get<double>()) << solver;
  }
}

TEST_F(Traces, HaveALineForEveryIteration) {
  const std::vector<Words> fits = {{"--solver", "newton"},
                                   {"--solver", "cd"},
                                   {"--solver", "cd", "--l1", "2"},
                                   {"--solver", "dual-cd", "--max-iter", "60"},
                                   {"--model", "svm", "--solver", "dual-cd", "--l2", "0.0001"},
                                   {"--model", "svm", "--solver", "newton"},
                                   {"--model", "ho-kashyap", "--max-iter", "40"}};
  for (const Words& fit : fits) {
    const auto found = lines(fit, "breast_cancer_wdbc.csv", "class");
    std::string name;
    for (const std::string& word : fit) name += word + " ";
    const std::size_t iterations = fit_["iterations"].get<std::size_t>();
    ASSERT_GT(iterations, 2U) << name;
    // A last step may be only in the last line, which shows the model.
    for (std::size_t k = 0; k + 1 < found.size(); ++k) EXPECT_EQ(found[k]["iteration"], k) << name;
    EXPECT_GE(found.size(), iterations) << name;
    EXPECT_EQ(found.back()["iteration"], iterations) << name;
  }
}

TEST_F(Traces, OfHoKashyapShowTheSquaresFall) {
  const auto found = lines({"--model", "ho-kashyap"}, "iris.csv", "class");
  // Three problems one after the other, whose steps are counted through and whose squares add up.
  for (std::size_t k = 0; k + 1 < found.size(); ++k) EXPECT_EQ(found[k]["iteration"], k);
  EXPECT_EQ(found[0]["objective"], 75);  // a = 0: half of 150 ones
  const Json model = run({"inspect", path("m"), "--json"}).json();
  EXPECT_EQ(found.back()["weights"], model["weights"]);
}

// What a fixed step does can be computed from the lines before it: 1/2 sum (y - g)^2 falls along its
// gradient.
TEST_F(Traces, ReplayGradientDescentStepByStep) {
  write("line.csv", "x,y\n0,1\n1,3\n2,2\n");
  const Outcome outcome = run({"fit", path("line.csv"), "--target", "y", "--task", "regression", "--model",
                               "least-squares", "--solver", "gd", "--learning-rate", "0.1", "--max-iter", "4",
                               "--no-standardize", "--trace", path("t.jsonl")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::istringstream text(read_file(path("t.jsonl")));
  std::vector<Json> found;
  for (std::string line; std::getline(text, line);) found.push_back(Json::parse(line));
  ASSERT_EQ(found.size(), 6U);  // the start, four steps, the model
  const double x[] = {0, 1, 2}, y[] = {1, 3, 2};
  for (std::size_t k = 0; k < 4; ++k) {
    const double w = found[k]["weights"][0][0], b = found[k]["bias"][0];
    double dw = 0, db = 0, value = 0;
    for (int i = 0; i < 3; ++i) {
      const double off = w * x[i] + b - y[i];
      dw += off * x[i];
      db += off;
      value += 0.5 * off * off;
    }
    EXPECT_NEAR(found[k]["objective"], value, 1e-12);
    EXPECT_NEAR(found[k + 1]["weights"][0][0], w - 0.1 * dw, 1e-12);
    EXPECT_NEAR(found[k + 1]["bias"][0], b - 0.1 * db, 1e-12);
    EXPECT_EQ(found[k + 1]["step"], 0.1);
  }
}

TEST_F(Traces, NameTheRowsOnTheWrongSide) {
  write("and.csv", "a,b,y\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n");
  run({"fit", path("and.csv"), "--target", "y", "--model", "logistic", "--l2", "0.001", "--trace",
       path("t.jsonl")});
  std::istringstream text(read_file(path("t.jsonl")));
  std::string first, line, last;
  std::getline(text, first);
  while (std::getline(text, line)) last = line;
  // At zero every score is 0, which counts as the positive class.
  EXPECT_EQ(Json::parse(first)["wrong"], Json({1, 2, 3}));
  EXPECT_EQ(Json::parse(first)["mistakes"], 3);
  EXPECT_EQ(Json::parse(last)["mistakes"], 0);
  EXPECT_TRUE(Json::parse(last)["wrong"].empty());
}

TEST_F(Traces, ShowEveryNthIterationAndTheLast) {
  const auto all = lines({"--solver", "gd", "--max-iter", "20"});
  const auto some = lines({"--solver", "gd", "--max-iter", "20", "--trace-every", "7"});
  EXPECT_EQ(all.size(), 22U);
  ASSERT_EQ(some.size(), 4U);  // 0, 7, 14, the model
  EXPECT_EQ(some[1], all[7]);
  EXPECT_EQ(some.back(), all.back());
}

TEST_F(Traces, ProjectManyWeightsOnDirectionsOfTheSeed) {
  const Words wide{"--basis", "poly:8", "--model", "ridge"};  // 494 features, three scores
  const auto found = lines(wide);
  const Json& last = found.back();
  EXPECT_FALSE(last.contains("weights"));
  EXPECT_EQ(last["projection"][0].size(), 8U);
  EXPECT_EQ(lines(wide).back(), last);
}

TEST_F(Traces, ShowTheSumOfKernelsGrowEpochByEpoch) {
  write("xor.csv", "a,b,y\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n");
  const Outcome outcome = run({"fit", path("xor.csv"), "--target", "y", "--model", "kernel-perceptron",
                               "--kernel", "poly:2", "--trace", path("t.jsonl")});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  std::istringstream text(read_file(path("t.jsonl")));
  std::vector<Json> found;
  for (std::string line; std::getline(text, line);) found.push_back(Json::parse(line));
  ASSERT_GT(found.size(), 2U);
  EXPECT_EQ(found.front()["support"], 0);
  for (std::size_t k = 0; k + 1 < found.size(); ++k) EXPECT_EQ(found[k]["iteration"], k);
  EXPECT_EQ(found.back()["mistakes"], 0);
  EXPECT_EQ(found.back()["coefficients"][0].size(), found.back()["support"].get<std::size_t>());
}

TEST_F(Traces, DoNotChangeTheModel) {
  lines({"--solver", "sgd"});
  const std::string traced = read_file(path("m"));
  run({"fit", data_file("iris.csv"), "--target", "class", "--solver", "sgd", "-o", path("m")});
  EXPECT_EQ(read_file(path("m")), traced);
}

TEST_F(Traces, AreRefusedWithoutAFileOrOverTheModel) {
  const Outcome alone = run({"fit", data_file("iris.csv"), "--target", "class", "--trace-every", "2"});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_NE(alone.err.find("--trace"), std::string::npos);
  const Outcome same =
      run({"fit", data_file("iris.csv"), "--target", "class", "--trace", path("m"), "-o", path("m")});
  EXPECT_EQ(same.exit, 2) << same.err;
  EXPECT_TRUE(entries().empty());
}

}  // namespace
}  // namespace discern::cli_test::trace_test
