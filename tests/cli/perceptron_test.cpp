// The perceptrons as the command line shows them.
#include <array>
#include <cmath>

#include "harness.hpp"

namespace discern::cli_test::perceptron_test {
namespace {

using Perceptrons = InFolder;

const char* const or_table = "x1,x2,class\n0,0,0\n0,1,1\n1,0,1\n1,1,1\n";
const char* const xor_table = "x1,x2,class\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n";

Words fit(const std::string& data, const Words& more) {
  Words words{"fit", data, "--target", "class", "--model", "perceptron", "--no-standardize"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Perceptrons, TellTheirMistakesTheRadiusTheMarginAndTheBound) {
  const std::string data = write("or.csv", or_table);
  const Json json = run(fit(data, {"--json", "-o", path("m")})).json();
  EXPECT_EQ(json["converged"], true);
  EXPECT_EQ(json["iterations"], 6);
  EXPECT_EQ(json["certificate"], (Json{{"kind", "training-mistakes"}, {"value", 0.0}}));
  EXPECT_EQ(json["facts"]["mistakes"], 9);
  EXPECT_NEAR(json["facts"]["radius"].get<double>(), std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(json["facts"]["margin"].get<double>(), 1.0 / 3, 1e-15);  // (1, 0): 1 / |(2, 2, -1)|
  EXPECT_NEAR(json["facts"]["mistake_bound"].get<double>(), 27, 1e-12);
  EXPECT_EQ(json["facts"]["within_bound"], true);
  EXPECT_EQ(json["facts"]["coordinates"], "features as they are with a 1 for the bias");
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["facts"], json["facts"]);
  const Outcome text = run(fit(data, {}));
  EXPECT_NE(text.err.find("training mistakes 0 after 6 iterations"), std::string::npos) << text.err;
  EXPECT_NE(text.err.find(
                "mistakes: 9, radius: 1.73205, margin: 0.333333, best margin: 0.333333, mistake bound: 27"),
            std::string::npos)
      << text.err;
  EXPECT_NE(run({"inspect", path("m")}).out.find("mistakes: 9"), std::string::npos);
}

// The corrections of the sequential perceptron on OR, worked out by hand.
TEST_F(Perceptrons, ShowEveryCorrectionInATrace) {
  const std::string data = write("or.csv", or_table);
  ASSERT_EQ(run(fit(data, {"--trace", path("t.jsonl")})).exit, 0);
  const std::vector<std::array<double, 3>> planes{{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, {1, 1, 1},
                                                  {1, 1, 0}, {1, 1, -1}, {1, 2, 0}, {1, 2, -1},
                                                  {2, 2, 0}, {2, 2, -1}, {2, 2, -1}};
  const auto lines = lines_of(read_file(path("t.jsonl")));
  ASSERT_EQ(lines.size(), planes.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Json line = Json::parse(lines[k]);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(line["weights"][0][j], planes[k][j]) << k;
    EXPECT_EQ(line["bias"][0], planes[k][2]) << k;
  }
  ASSERT_EQ(run(fit(data, {"--variant", "batch", "--trace", path("t.jsonl")})).exit, 0);
  EXPECT_EQ(lines_of(read_file(path("t.jsonl"))).size(), 6U);  // five passes and the model
}

TEST_F(Perceptrons, SayWhenTheClassesWereNotSeparated) {
  const std::string data = write("xor.csv", xor_table);
  for (const char* variant : {"batch", "sequential", "fractional", "sgd"}) {
    const Outcome lenient = run(fit(data, {"--variant", variant, "--epochs", "20"}));
    EXPECT_EQ(lenient.exit, 0) << variant;
    EXPECT_NE(lenient.err.find("warning: not separated after 20 epochs"), std::string::npos) << lenient.err;
    EXPECT_EQ(run(fit(data, {"--variant", variant, "--epochs", "20", "--strict"})).exit, 3) << variant;
  }
}

TEST_F(Perceptrons, RefuseStepsThatAreNotAboveZero) {
  const std::string data = write("or.csv", or_table);
  for (const auto& [flag, value] :
       {std::pair{"--learning-rate", "0"}, {"--learning-rate", "-1"}, {"--lambda", "0"}}) {
    const Outcome refused = run(fit(data, {flag, value, "-o", path("m")}));
    EXPECT_EQ(refused.exit, 2) << flag;
    EXPECT_NE(refused.err.find(std::string(flag) + ": expected a number above 0, got " + value),
              std::string::npos)
        << refused.err;
  }
  EXPECT_EQ(entries(), Words{"or.csv"});
}

TEST_F(Perceptrons, PredictWhatTheyLearned) {
  const std::string data = write("or.csv", or_table);
  ASSERT_EQ(run(fit(data, {"--averaged", "-o", path("m")})).exit, 0);
  EXPECT_EQ(run({"predict", path("m"), data}).out, "prediction\n0\n1\n1\n1\n");
  EXPECT_EQ(run({"predict", path("m"), data, "--output", "distance"}).exit, 0);
}

TEST_F(Perceptrons, OfKernelsSolveXorAndShowTheirSamples) {
  const std::string data = write("xor.csv", xor_table);
  const Words words{"fit",      data,     "--target", "class", "--model", "kernel-perceptron",
                    "--kernel", "poly:2", "--json",   "-o",    path("m")};
  const Json json = run(words).json();
  EXPECT_EQ(json["converged"], true);
  EXPECT_EQ(json["facts"]["within_bound"], true);
  EXPECT_EQ(run({"predict", path("m"), data}).out, "prediction\n0\n1\n1\n0\n");
  const Json inspected = run({"inspect", path("m"), "--json"}).json();
  EXPECT_EQ(inspected["support"].size(), json["facts"]["support"].get<std::size_t>());
  EXPECT_EQ(inspected["coefficients"][0].size(), inspected["support"].size());
  EXPECT_EQ(inspected["weights"], nullptr);
  EXPECT_NE(run({"inspect", path("m")}).out.find("support: "), std::string::npos);
  for (const char* output : {"distance", "proba"}) {
    const Outcome refused = run({"predict", path("m"), data, "--output", output});
    EXPECT_EQ(refused.exit, 2) << output << refused.err;
  }
}

TEST_F(Perceptrons, OfKernelsRefuseOtherKernels) {
  const std::string data = write("xor.csv", xor_table);
  const Outcome refused = run(
      {"fit", data, "--target", "class", "--model", "kernel-perceptron", "--kernel", "rbf", "-o", path("m")});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_NE(refused.err.find("--kernel: expected linear, poly:K"), std::string::npos) << refused.err;
  EXPECT_EQ(entries(), Words{"xor.csv"});
}

}  // namespace
}  // namespace discern::cli_test::perceptron_test
