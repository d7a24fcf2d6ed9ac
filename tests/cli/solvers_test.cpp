// Solvers, penalties and their certificates as the command line shows them.
#include "harness.hpp"

namespace discern::cli_test::solvers_test {
namespace {

using Solvers = InFolder;

Words fit(const Words& more) {
  Words words{"fit", data_file("breast_cancer_wdbc.csv"), "--target", "class"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(Solvers, StoppedAtTheirLimitUnderStrictExitWithThreeAndWriteNothing) {
  for (const char* solver : {"newton", "newton-cg", "lbfgs", "cg", "gd", "dual-cd"}) {
    const Outcome strict = run(fit({"--solver", solver, "--max-iter", "1", "--strict", "-o", path("m")}));
    EXPECT_EQ(strict.exit, 3) << solver << strict.err;
    EXPECT_EQ(strict.out, "") << solver;
  }
  EXPECT_EQ(run(fit({"--solver", "sgd", "--strict", "-o", path("m")})).exit, 3);
  EXPECT_EQ(run(fit({"--model", "svm", "--max-iter", "1", "--strict", "-o", path("m")})).exit, 3);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Solvers, StoppedAtTheirLimitSayConvergedFalseWithACertificateAboveTheTolerance) {
  const Json lenient = run(fit({"--solver", "gd", "--max-iter", "3", "--json"})).json();
  EXPECT_EQ(lenient["converged"], false);
  EXPECT_EQ(lenient["iterations"], 3);
  EXPECT_GT(lenient["certificate"]["value"].get<double>(), 1e-9);
  EXPECT_FALSE(lenient["warnings"].empty());
}

TEST_F(Solvers, ShowWhatAutoChoseAndWhy) {
  const Outcome outcome = run(fit({"--l1", "1"}));
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("cd (l1 leaves most weights at zero)"), std::string::npos) << outcome.err;
}

TEST_F(Solvers, TolIsTheCertificateThatCounts) {
  for (const char* tol : {"1e-3", "1e-6"}) {
    const Json json = run(fit({"--solver", "lbfgs", "--tol", tol, "--json"})).json();
    EXPECT_EQ(json["converged"], true);
    EXPECT_LE(json["certificate"]["value"].get<double>(), std::stod(tol));
    EXPECT_GT(json["certificate"]["value"].get<double>(), 1e-9);
  }
}

TEST_F(Solvers, FlagsOfOtherSolversAreRefused) {
  const Outcome outcome = run(fit({"--epochs", "5", "-o", path("m")}));
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_NE(outcome.err.find("--epochs is for --solver sgd"), std::string::npos) << outcome.err;
  EXPECT_TRUE(entries().empty());
}

TEST_F(Solvers, TheWeightsThatL1SetToZeroAreZeroInTheFile) {
  ASSERT_EQ(run(fit({"--l1", "20", "--l2", "0", "-o", path("m")})).exit, 0);
  const Json json = run({"inspect", path("m"), "--json", "--all"}).json();
  int zeros = 0;
  for (const auto& weight : json["weights"][0]) zeros += weight.get<double>() == 0 ? 1 : 0;
  EXPECT_GT(zeros, 15);
  EXPECT_LT(zeros, 30);
}

}  // namespace
}  // namespace discern::cli_test::solvers_test
