// A signal ends every command within a second, in whatever it is doing: with exit code 128 + signal, without
// a temporary file, and with the target as it was or, of a fit, with a whole model in its place.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "harness.hpp"

namespace discern::cli_test::promptness_test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The promise is a second. Sanitizers slow down what is done in it.
constexpr auto limit = milliseconds(DISCERN_SLOW ? 5000 : 1000);

class Promptness : public InFolder {
 protected:
  // Small enough to be made in no time; long fits of it come from tolerances that cannot be reached.
  std::string noise(int rows) {
    generated({"generate", "gaussians", "--rows", std::to_string(rows), "--features", "8", "--classes", "3",
               "--noise", "0.3"});
    return path("d.csv");
  }
  // Factorisations of so many features take seconds, where those of fewer rows do not suffice.
  std::string wide(int rows, int features = 2000) {
    generated({"generate", "gaussians", "--rows", std::to_string(rows), "--features",
               std::to_string(features), "--classes", "3"});
    return path("d.csv");
  }
  std::string many() {
    generated({"generate", "gaussians", "--rows", "400000", "--features", "10"});
    return path("d.csv");
  }
  void generated(Words words) {
    words.insert(words.end(), {"-o", path("d.csv"), "--quiet"});
    ASSERT_EQ(run(words).exit, 0);
  }

  // Until a temporary file is there that is being written: it has more than one block.
  bool writing(Running& program) {
    while (program.alive()) {
      for (const std::string& name : entries())
        if (std::error_code gone;
            name.ends_with(".tmp") && std::filesystem::file_size(path(name), gone) > 0 && !gone)
          return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }

  void end(Running& program, int signal) {
    const auto sent = Clock::now();
    program.signal(signal);
    EXPECT_EQ(program.wait(), 128 + signal) << program.err();
    EXPECT_LT(Clock::now() - sent, limit) << program.err();
    for (const std::string& name : entries()) EXPECT_FALSE(name.ends_with(".tmp")) << name;
  }
};

struct Fit {
  std::string name;
  Words words;
  bool keeps;         // there is a model so far
  int wide_rows = 0;  // of wide data; 0: of noise
  int rows = 1500;    // of noise
};

// Without an end: steps that are too short to get anywhere, or classes that cannot be separated.
const std::vector<Fit>& fits() {
  static const std::string many = "1000000000";
  static const Words crawl{"--solver", "gd", "--learning-rate", "1e-7", "--tol", "0", "--max-iter", many};
  const auto model = [](const char* name, const Words& more = {}) {
    Words words{"--model", name};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  static const std::vector<Fit> all{
      {"perceptron", model("perceptron", {"--epochs", many}), true},
      {"kernel_perceptron", model("kernel-perceptron", {"--kernel", "linear", "--epochs", many}), true},
      {"least_squares", model("least-squares", crawl), true},
      {"ho_kashyap", model("ho-kashyap", {"--tol", "0", "--max-iter", many}), true},
      {"logistic", model("logistic", crawl), true},
      {"logistic_sgd", model("logistic", {"--solver", "sgd", "--epochs", many, "--tol", "0"}), true},
      {"svm", model("svm", {"--solver", "sgd", "--epochs", many, "--tol", "0"}), true},
      {"mlp", model("mlp", {"--solver", "sgd", "--epochs", many}), true},
      // So many rows that the centres of a second are few, and the least squares of these are quick.
      {"rbf_network", model("rbf-network", {"--basis", "poly:2", "--centers", "3900", "--placement", "ols"}),
       true, 0, 4000},
      {"lda", model("lda", {"--keep-statistics"}), false, 150},  // which are those of all features
      {"fisher", model("fisher"), false, 2100},
      {"qda", model("qda", {"--shrinkage", "0.5"}), false, 150},
  };
  return all;
}

class PromptFit : public Promptness, public ::testing::WithParamInterface<Fit> {};

// The moments are spread over the beginning of the fit; what runs longer than a second does not matter.
TEST_P(PromptFit, EndsWithTheModelSoFarOrWithNothing) {
  const Fit& fit = GetParam();
  Words words{"fit",    fit.wide_rows > 0 ? wide(fit.wide_rows) : noise(fit.rows), "--target", "class", "-o",
              path("m")};
  words.insert(words.end(), fit.words.begin(), fit.words.end());
  for (const int after : {300, 700}) {
    std::remove(path("m").c_str());
    Running program(words);
    std::this_thread::sleep_for(milliseconds(after));
    end(program, after == 300 ? SIGINT : SIGTERM);
    EXPECT_TRUE(!fit.keeps || entries().size() == 2) << program.err();
    if (entries() != Words{"d.csv"}) {
      EXPECT_EQ(entries(), (Words{"d.csv", "m"}));
      EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["converged"], false);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, PromptFit, ::testing::ValuesIn(fits()),
                         [](const auto& one) { return one.param.name; });

// What has been written so far is thrown away, and what was there before stays.
class PromptWrite : public Promptness, public ::testing::WithParamInterface<std::string> {};

TEST_P(PromptWrite, LeavesTheTargetAsItWas) {
  const std::string target = write("out." + GetParam(), "as it was");
  Running convert({"convert", many(), target});
  ASSERT_TRUE(writing(convert)) << convert.err();
  end(convert, SIGINT);
  EXPECT_EQ(read_file(target), "as it was");

  Running generate({"generate", "gaussians", "--rows", "400000", "--features", "10", "-o", target});
  ASSERT_TRUE(writing(generate)) << generate.err();
  end(generate, SIGTERM);
  EXPECT_EQ(read_file(target), "as it was");
}

INSTANTIATE_TEST_SUITE_P(Formats, PromptWrite, ::testing::Values("csv", "csv.gz", "csv.zst", "arff"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_F(Promptness, WhileADatabaseIsMade) {
  const std::string target = write("out.db", "as it was");
  Running convert({"convert", many(), target});
  ASSERT_TRUE(writing(convert)) << convert.err();
  end(convert, SIGINT);
  EXPECT_EQ(read_file(target), "as it was");
}

// Predictions take longer than anything before them: every row meets every support vector.
TEST_F(Promptness, WhilePredicting) {
  const std::string noisy = noise(1500);
  ASSERT_EQ(run({"fit", noisy, "--target", "class", "--model", "kernel-perceptron", "--epochs", "1", "-o",
                 path("m")})
                .exit,
            0);
  const std::string target = write("out.csv", "as it was");
  ASSERT_EQ(run({"generate", "gaussians", "--rows", "300000", "--features", "8", "--classes", "3", "-o",
                 path("d.csv"), "--quiet"})
                .exit,
            0);
  for (const Words& words : {Words{"predict", path("m"), path("d.csv"), "-o", target},
                             Words{"evaluate", path("m"), path("d.csv")}}) {
    Running program(words);
    ASSERT_TRUE(program.wait_for("predicting")) << program.err();
    end(program, SIGTERM);
    EXPECT_EQ(read_file(target), "as it was");
  }
}

// A fit that is finished is not lost to a signal while its training rows are judged.
TEST_F(Promptness, WhileAFitIsJudgedItIsKept) {
  // Kernel densities are fitted at once, and every row meets every other when they are judged.
  generated({"generate", "gaussians", "--rows", "40000", "--features", "8", "--classes", "3"});
  Running fit({"fit", path("d.csv"), "--target", "class", "--model", "naive-bayes", "--density", "kde", "-o",
               path("m")});
  ASSERT_TRUE(fit.wait_for("predicting")) << fit.err();
  end(fit, SIGINT);
  EXPECT_EQ(entries(), (Words{"d.csv", "m"}));
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).exit, 0);
}

TEST_F(Promptness, OfWhatHasNothingToKeep) {
  // Two thirds of the rows are still more than the features.
  const std::string wide_file = wide(2100, 1300), target = write("out", "as it was");
  const std::vector<Words> commands{
      {"cv", wide_file, "--target", "class", "--model", "fisher", "--folds", "3", "--predictions", target},
      {"compare", wide_file, "--target", "class", "--models", "fisher,qda", "--folds", "3", "-o", target},
      {"project", wide_file, "--target", "class", "-o", target},
  };
  for (const Words& words : commands) {
    SCOPED_TRACE(words[0]);
    Running program(words);
    std::this_thread::sleep_for(milliseconds(400));
    end(program, SIGTERM);
    EXPECT_EQ(read_file(target), "as it was");
  }
}

TEST_F(Promptness, WhileSeparabilityIsProved) {
  generated({"generate", "gaussians", "--rows", "1500", "--features", "2000", "--classes", "3"});
  Running program({"separable", path("d.csv"), "--target", "class"});
  std::this_thread::sleep_for(milliseconds(600));
  end(program, SIGTERM);
}

TEST_F(Promptness, WhileReading) {
  write("m", "as it was");
  for (const char* command : {"fit", "cv", "compare", "path", "separable", "project", "describe"}) {
    SCOPED_TRACE(command);
    Running program({command, "-", "--target", "y"});
    program.say("a,y\n1,0\n2,1\n");
    std::this_thread::sleep_for(milliseconds(50));
    end(program, SIGINT);
  }
  EXPECT_EQ(entries(), Words{"m"});
}

// Rows come faster than they can be learned.
TEST_F(Promptness, OfAStreamKeepsTheModelSoFar) {
  const Outcome outcome =
      shell("(echo x,y; yes 1,a$'\\n'2,b) | (\"$discern\" fit - --target y --stream --quiet -o " + path("m") +
            " & sleep 0.5; kill -TERM $!; wait $!)");
  EXPECT_EQ(outcome.exit, 143) << outcome.err;
  EXPECT_EQ(entries(), Words{"m"});
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).exit, 0);
}

}  // namespace
}  // namespace discern::cli_test::promptness_test
