// Memory that runs out: whichever allocation fails, a command ends with an error and leaves nothing, or with
// the result that it would have had.
#include <cstdlib>

#include "harness.hpp"

namespace discern::cli_test::memory_test {
namespace {

struct Case {
  std::string name;
  Words words;         // OUT stands for the file that is written, MODEL for a model of iris
  std::string output;  // its name
};

const std::vector<Case>& cases() {
  static const std::string iris = data_file("iris.csv"), wine = data_file("wine.csv");
  static const std::vector<Case> all{
      {"fit", {"fit", iris, "--target", "class", "-o", "OUT"}, "m"},
      {"fit_many_machines",
       {"fit", iris, "--target", "class", "--model", "svm", "--multiclass", "ovo", "-o", "OUT"},
       "m"},
      {"cv", {"cv", iris, "--target", "class", "--folds", "3", "--predictions", "OUT"}, "p.csv"},
      {"compare",
       {"compare", iris, "--target", "class", "--models", "lda,logistic,perceptron", "--folds", "2", "-o",
        "OUT"},
       "m"},
      {"path", {"path", iris, "--target", "class", "--points", "5", "--csv", "OUT"}, "p.csv"},
      {"predict", {"predict", "MODEL", iris, "--output", "proba", "-o", "OUT"}, "p.csv"},
      {"convert_gzip", {"convert", iris, "OUT"}, "iris.csv.gz"},
      {"convert_zstd", {"convert", iris, "OUT"}, "iris.csv.zst"},
      {"convert_sqlite", {"convert", iris, "OUT"}, "iris.db"},
      {"convert_cache", {"convert", iris, "OUT"}, "iris.dcache"},
  };
  return all;
}

// How many allocations are made to fail, spread over the run; DISCERN_EXHAUST=1: each of them.
long failures_of(long allocations) {
  constexpr long some = 30;
  return std::getenv("DISCERN_EXHAUST") != nullptr ? allocations : std::min(some, allocations);
}

class Memory : public InFolder, public ::testing::WithParamInterface<Case> {
 protected:
  Words words(const std::string& threads) {
    Words words = GetParam().words;
    for (std::string& word : words) {
      if (word == "OUT") word = path(GetParam().output);
      if (word == "MODEL") word = model();
    }
    words.insert(words.end(), {"--threads", threads});
    return words;
  }
  std::string model() {
    if (!entries().empty()) return path("model");
    EXPECT_EQ(run({"fit", data_file("iris.csv"), "--target", "class", "-o", path("model")}).exit, 0);
    return path("model");
  }

  void check(const std::string& threads, const std::string& mode) {
    const Words command = words(threads);
    const Words before = entries();
    const Outcome whole = run_failing(0, mode, command);
    ASSERT_EQ(whole.exit, 0) << whole.err;
    const std::string wanted = read_file(path(GetParam().output));
    remove(path(GetParam().output).c_str());
    const auto told = whole.err.rfind("allocations ");
    ASSERT_NE(told, std::string::npos);
    const long allocations = std::stol(whole.err.substr(told + 12)), failures = failures_of(allocations);
    for (long k = 0; k < failures; ++k) {
      const long failing = 1 + k * allocations / failures;
      SCOPED_TRACE(testing::Message()
                   << "allocation " << failing << " fails " << mode << ", threads " << threads);
      const Outcome outcome = run_failing(failing, mode, command);
      if (outcome.exit != 0) {
        EXPECT_EQ(outcome.exit, 1) << outcome.err;
        EXPECT_NE(outcome.err.find("discern: error: "), std::string::npos) << outcome.err;
      }
      // A comparison goes on without a model that there is no memory for, and says so.
      const bool left_out = outcome.out.find("memory") != std::string::npos;
      // The memory may also run out when the result is in its place and is told about.
      const bool written = entries() != before || outcome.exit == 0;
      EXPECT_TRUE(!written || left_out || read_file(path(GetParam().output)) == wanted) << outcome.err;
      remove(path(GetParam().output).c_str());
      EXPECT_EQ(entries(), before);
    }
  }
};

TEST_P(Memory, RunsOutForAMoment) {
  check("1", "once");
  check("2", "once");
}

TEST_P(Memory, RunsOutForGood) {
  check("1", "for-good");
  check("2", "for-good");
}

INSTANTIATE_TEST_SUITE_P(Commands, Memory, ::testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace discern::cli_test::memory_test
