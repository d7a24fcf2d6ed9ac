// The multilayer perceptron as the command line shows it.
#include "harness.hpp"

namespace discern::cli_test::mlp_test {
namespace {

using Networks = InFolder;

const char* const xor_table = "x1,x2,class\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n";
const char* const xor_network =
    R"({"layers": [{"weights": [[1, 1], [1, 1]], "bias": [-0.5, -1.5], "activation": "step"},
                   {"weights": [[1, -1]], "bias": [-0.5]}]})";

Words fit(const std::string& data, const Words& more) {
  Words words{"fit", data, "--target", "class", "--model", "mlp"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Networks, WithGivenWeightsSolveXorAndAreShownUnitByUnit) {
  const std::string data = write("xor.csv", xor_table), weights = write("xor.json", xor_network);
  const Json json = run(fit(data, {"--weights", weights, "--json", "-o", path("m")})).json();
  EXPECT_EQ(json["solver"], "given");
  EXPECT_EQ(json["train"]["accuracy"], 1.0);
  EXPECT_EQ(json["facts"]["network"], "2-2-1");
  EXPECT_EQ(run({"predict", path("m"), data, "--output", "scores"}).out,
            "prediction,g(1)\n0,-0.5\n1,0.5\n1,0.5\n0,-0.5\n");
  const std::string text = run({"inspect", path("m")}).out;
  EXPECT_NE(text.find("v1.2 = -1.5 + 1 x1 + 1 x2"), std::string::npos) << text;
  EXPECT_NE(text.find("g = -0.5 + 1 y1.1 - 1 y1.2"), std::string::npos) << text;
}

TEST_F(Networks, GoFromInspectBackIntoFit) {
  const std::string data = write("xor.csv", xor_table);
  ASSERT_EQ(
      run(fit(data, {"--layers", "2", "--activation", "tanh", "--restarts", "20", "-o", path("a")})).exit, 0);
  const Json network = run({"inspect", path("a"), "--json"}).json()["network"];
  EXPECT_EQ(network["layers"][0]["activation"], "tanh");
  const std::string weights = write("a.json", network.dump());
  ASSERT_EQ(run(fit(data, {"--weights", weights, "--max-iter", "0", "-o", path("b")})).exit, 0);
  EXPECT_EQ(run({"predict", path("b"), data, "--output", "proba"}).out,
            run({"predict", path("a"), data, "--output", "proba"}).out);
}

TEST_F(Networks, AreTracedAndDidNotConvergeInBatches) {
  const std::string data = data_file("iris.csv");
  const Outcome said = run(fit(data, {"--layers", "5", "--solver", "sgd", "--epochs", "2", "--batch-size",
                                      "50", "--trace", path("t.jsonl"), "--strict"}));
  EXPECT_EQ(said.exit, 3) << said.err;
  EXPECT_NE(said.err.find("not converged: relative gradient norm"), std::string::npos) << said.err;
  const auto lines = lines_of(read_file(path("t.jsonl")));
  ASSERT_EQ(lines.size(), 8U);  // the start, three steps an epoch, the model
  const Json first = Json::parse(lines.front()), last = Json::parse(lines.back());
  EXPECT_EQ(last["layers"][0]["weights"].size(), 5U);
  EXPECT_EQ(last["final"], true);
  EXPECT_LT(last["objective"].get<double>(), first["objective"].get<double>());
}

TEST_F(Networks, OfSeveralStartsAreTracedStartByStart) {
  const std::string data = write("xor.csv", xor_table);
  ASSERT_EQ(
      run(fit(data, {"--layers", "2", "--restarts", "3", "--max-iter", "4", "--trace", path("t")})).exit, 0);
  int start = 0, iteration = -1;
  for (const std::string& text : lines_of(read_file(path("t")))) {
    const Json line = Json::parse(text);
    if (line.contains("final")) continue;
    const bool next = line["start"] != start;
    EXPECT_EQ(line["start"], next ? start + 1 : start) << text;
    EXPECT_EQ(line["iteration"], next ? 0 : iteration + 1) << text;
    start = line["start"];
    iteration = line["iteration"];
  }
  EXPECT_EQ(start, 3);
}

TEST_F(Networks, OfRadialUnitsAndBasesAreInspectedWithTheirCentres) {
  const std::string data = write("xor.csv", xor_table);
  const Words words{"fit", data, "--target", "class", "--no-standardize", "-o", path("m")};
  const auto basis = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(run(all).exit, 0);
    return run({"inspect", path("m"), "--json"}).json()["basis"];
  };
  const Json radial = basis({"--model", "rbf-network", "--centers", "2", "--width", "0.7"});
  ASSERT_EQ(radial.size(), 1u);
  EXPECT_EQ(radial[0]["kind"], "gaussian");
  EXPECT_EQ(radial[0]["columns"], (Json{"x1", "x2"}));
  EXPECT_EQ(radial[0]["widths"], (Json{0.7, 0.7}));
  ASSERT_EQ(radial[0]["centers"].size(), 2u);
  EXPECT_EQ(radial[0]["centers"][0].size(), 2u);
  const Json steps = basis({"--basis", "threshold:1,rbf:1"});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0], (Json{{"kind", "threshold"}, {"columns", {"x1", "x2"}}, {"points", {{1.0}, {1.0}}}}));
  EXPECT_EQ(steps[1]["columns"], (Json{"x1>=1", "x2>=1"}));
}

TEST_F(Networks, WhoseLossExplodesSayWhichRateToTryAndLeaveNoModel) {
  const Words how{"--solver", "sgd", "--update", "momentum", "--learning-rate"};
  for (const auto& [rate, next] : {std::pair{"2e3", "1"}, {"1e30", "1"}}) {
    Words words = fit(data_file("iris.csv"), how);
    words.insert(words.end(), {rate, "-o", path("m")});
    const Outcome said = run(words);
    EXPECT_EQ(said.exit, 2) << rate;
    EXPECT_NE(said.err.find("the loss explodes"), std::string::npos) << said.err;
    EXPECT_NE(said.err.find(std::string("try --learning-rate ") + next + " instead of"), std::string::npos)
        << said.err;
  }
  EXPECT_TRUE(entries().empty());
}

TEST_F(Networks, SayWhatIsWrongWithWeightsAndFlags) {
  const std::string data = write("xor.csv", xor_table);
  const Outcome missing = run(fit(data, {"--weights", path("none.json")}));
  EXPECT_EQ(missing.exit, 1);
  const Outcome bad = run(fit(data, {"--weights", write("bad.json", R"({"layers": [{"weights": [[1]]}]})")}));
  EXPECT_EQ(bad.exit, 1);
  EXPECT_NE(bad.err.find("found weights for 1 features, expected 2"), std::string::npos) << bad.err;
  EXPECT_EQ(run(fit(data, {"--layers", "2,,3"})).exit, 2);
  EXPECT_EQ(run(fit(data, {"--activation", "step"})).exit, 2);
}

}  // namespace
}  // namespace discern::cli_test::mlp_test
