// Ctrl-C: a fit ends with the model so far, everything else leaves its files as they were; exit code 130.
#include <signal.h>

#include <chrono>
#include <thread>

#include "harness.hpp"

namespace discern::cli_test::interrupt_test {
namespace {

class Interrupt : public InFolder {
 protected:
  // A fit that takes a few seconds: it cannot reach a tolerance of zero.
  Words long_fit() {
    EXPECT_EQ(run({"generate", "gaussians", "--rows", "12000", "--features", "30", "--classes", "20",
                   "--noise", "0.2", "-o", path("d.csv"), "--quiet"})
                  .exit,
              0);
    return {"fit", path("d.csv"), "--target", "class", "--tol", "0", "--threads", "1", "-o", path("m")};
  }
};

TEST_F(Interrupt, StopsAFitWithTheModelSoFar) {
  Running fit(long_fit());
  ASSERT_TRUE(fit.wait_for("iteration")) << fit.err();
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_NE(fit.err().find("interrupted"), std::string::npos) << fit.err();
  EXPECT_EQ(entries(), (Words{"d.csv", "m"}));
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["converged"], false);
}

// The centres so far serve, and the weights behind them are more than none. Placing them takes five times as
// long as nothing is shown of it.
TEST_F(Interrupt, OfTheCentresOfABasisLeavesAModelThatPredicts) {
  Words words = long_fit();
  words.insert(words.end(), {"--basis", "rbf:200:em"});
  Running fit(words);
  ASSERT_TRUE(fit.wait_for("placing centres")) << fit.err();
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_NE(fit.err().find("interrupted: this is the model so far"), std::string::npos) << fit.err();
  EXPECT_EQ(entries(), (Words{"d.csv", "m"}));
  EXPECT_GT(run({"evaluate", path("m"), path("d.csv"), "--json"}).json()["accuracy"], 0.15);
}

TEST_F(Interrupt, WritesNoModelUnderStrict) {
  Words words = long_fit();
  words.push_back("--strict");
  Running fit(words);
  ASSERT_TRUE(fit.wait_for("iteration")) << fit.err();
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_EQ(entries(), Words{"d.csv"});
}

TEST_F(Interrupt, WhileReadingLeavesNothing) {
  Running fit({"fit", "-", "--target", "y", "-o", path("m")});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // it waits for input for ever
  fit.signal(SIGINT);
  EXPECT_EQ(fit.wait(), 130);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Interrupt, OfAPathPrintsThePointsSoFarAndLeavesItsFileAsItWas) {
  write("p.csv", "as it was");
  Words words = long_fit();
  words[0] = "path";
  words[5] = "1e-9";  // of --tol: so that points end
  words[words.size() - 2] = "--csv";
  words.back() = path("p.csv");
  Running path_run(words);
  ASSERT_TRUE(path_run.wait_for("following the path")) << path_run.err();
  path_run.signal(SIGINT);
  EXPECT_EQ(path_run.wait(), 130);
  EXPECT_NE(path_run.err().find("interrupted"), std::string::npos) << path_run.err();
  EXPECT_NE(path_run.err().find("points so far"), std::string::npos) << path_run.err();
  EXPECT_EQ(entries(), (Words{"d.csv", "p.csv"}));
  EXPECT_EQ(read_file(path("p.csv")), "as it was");
}

TEST_F(Interrupt, OfACrossValidationLeavesNothing) {
  Words words = long_fit();
  words[0] = "cv";
  words[words.size() - 2] = "--predictions";
  Running cv(words);
  ASSERT_TRUE(cv.wait_for("cross-validating")) << cv.err();
  cv.signal(SIGINT);
  EXPECT_EQ(cv.wait(), 130);
  EXPECT_EQ(entries(), Words{"d.csv"});
}

TEST_F(Interrupt, ProgressIsShownOnATerminalAndWipedAway) {
  Running fit(long_fit());
  ASSERT_TRUE(fit.wait_for("objective"));
  fit.signal(SIGINT);
  fit.wait();
  EXPECT_NE(fit.err().find("\r\x1b[2K"), std::string::npos);
}

}  // namespace
}  // namespace discern::cli_test::interrupt_test
