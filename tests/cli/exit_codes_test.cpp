// Exit codes: 0 done, 1 the data or the model is at fault, 2 the command line is, 3 not converged under
// --strict. Errors are one line on standard error, results alone go to standard output.
#include "harness.hpp"

namespace discern::cli_test::exit_codes_test {
namespace {

// Refused with that code, one line that contains `words`, and nothing on standard output.
void expect_refusal(const Outcome& outcome, int code, const Words& words) {
  EXPECT_EQ(outcome.exit, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("discern: error: ")) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  for (const std::string& word : words)
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
}

using ExitCode = InFolder;

TEST_F(ExitCode, IsZeroAfterEveryCommand) {
  const std::string iris = data_file("iris.csv"), model = path("m");
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--model", "lda", "-o", model}).exit, 0);
  EXPECT_EQ(run({"predict", model, iris}).exit, 0);
  EXPECT_EQ(run({"evaluate", model, iris}).exit, 0);
  EXPECT_EQ(run({"inspect", model}).exit, 0);
  EXPECT_EQ(run({"generate", "xor", "--rows", "10"}).exit, 0);
  EXPECT_EQ(run({"convert", iris, path("iris.tsv")}).exit, 0);
  EXPECT_EQ(run({"models"}).exit, 0);
}

TEST_F(ExitCode, IsTwoForAnUnknownCommandWithTheNearest) {
  expect_refusal(run({"evalute", "m", "d"}), 2, {"'evalute'", "did you mean 'evaluate'?"});
}

TEST_F(ExitCode, IsTwoForAnUnknownFlagWithTheNearest) {
  expect_refusal(run({"fit", data_file("iris.csv"), "--taget", "class"}), 2,
                 {"'--taget'", "did you mean '--target'?"});
}

TEST_F(ExitCode, IsTwoForAFlagOfAnotherCommandAndNamesIt) {
  expect_refusal(run({"inspect", "m", "--separation", "3"}), 2, {"'--separation'", "`discern generate`"});
}

TEST_F(ExitCode, IsTwoWithoutACommand) { EXPECT_EQ(run({}).exit, 2); }

TEST_F(ExitCode, IsTwoForAMissingArgument) { expect_refusal(run({"predict", "m"}), 2, {"DATA is missing"}); }

TEST_F(ExitCode, IsTwoForOneArgumentTooMany) {
  expect_refusal(run({"inspect", "a", "b"}), 2, {"unexpected argument 'b'"});
}

TEST_F(ExitCode, IsTwoForAMissingTargetAndTheColumnsAreListed) {
  expect_refusal(run({"fit", data_file("iris.csv")}), 2,
                 {"--target", "sepal_length_cm", "petal_width_cm", "class"});
}

TEST_F(ExitCode, IsTwoForABasisOfNothing) {
  for (const char* command : {"fit", "cv", "separable", "project"})
    expect_refusal(run({command, data_file("iris.csv"), "--target", "class", "--basis", ""}), 2,
                   {"--basis: expected", "poly:2", "got ''"});
}

TEST_F(ExitCode, IsTwoForAFlagWithoutItsValue) {
  const std::string iris = data_file("iris.csv");
  expect_refusal(run({"fit", iris, "--target"}), 2, {"--target needs a value"});
  expect_refusal(run({"fit", iris, "--target", "--model", "lda"}), 2, {"--target needs a value"});
  expect_refusal(run({"fit", iris, "--target="}), 2, {"--target="});
}

TEST_F(ExitCode, IsTwoForAFlagGivenTwice) {
  expect_refusal(run({"fit", data_file("iris.csv"), "--target", "a", "--target", "b"}), 2,
                 {"--target", "2 times"});
}

TEST_F(ExitCode, IsTwoForAValueThatIsNoChoice) {
  expect_refusal(run({"fit", data_file("iris.csv"), "--target", "class", "--model", "logistc"}), 2,
                 {"--model", "'logistc'", "did you mean 'logistic'?"});
}

TEST_F(ExitCode, IsTwoForAnOptionThatTheModelLacksAndNamesItsOwn) {
  expect_refusal(
      run({"fit", data_file("iris.csv"), "--target", "class", "--model", "lda", "--max-iter", "5"}), 2,
      {"--max-iter", "lda", "--tol"});
}

TEST_F(ExitCode, IsTwoForANumberOutOfRange) {
  const std::string iris = data_file("iris.csv");
  expect_refusal(run({"fit", iris, "--target", "class", "--l2", "-1"}), 2, {"--l2", "0 or more", "'-1'"});
  expect_refusal(run({"fit", iris, "--target", "class", "--l2", "1,5"}), 2, {"--l2", "'1,5'"});
  expect_refusal(run({"fit", iris, "--target", "class", "--threads", "two"}), 2, {"--threads", "'two'"});
}

TEST_F(ExitCode, IsTwoForFlagsThatExcludeEachOther) {
  const std::string iris = data_file("iris.csv");
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--header", "--no-header"}).exit, 2);
  EXPECT_EQ(run({"fit", iris, "--target", "class", "--standardize", "--no-standardize"}).exit, 2);
}

TEST_F(ExitCode, IsTwoWhenTheResultWouldOverwriteItsSource) {
  const std::string table = write("t.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
  expect_refusal(run({"fit", table, "--target", "y", "--model", "lda", "-o", table}), 2, {"overwrite"});
  EXPECT_EQ(read_file(table), "x,y\n1,a\n2,b\n3,a\n4,b\n");
}

TEST_F(ExitCode, IsTwoForRegressionWithAModelThatOnlyClassifies) {
  expect_refusal(
      run({"fit", data_file("iris.csv"), "--target", "class", "--model", "lda", "--task", "regression"}), 2,
      {"lda"});
}

TEST_F(ExitCode, IsOneForAFileThatIsNotThere) {
  expect_refusal(run({"fit", path("none.csv"), "--target", "y"}), 1, {path("none.csv")});
  expect_refusal(run({"inspect", path("none")}), 1, {path("none")});
}

TEST_F(ExitCode, IsOneForAFileThatIsNotThereWhateverItsNameEndsWith) {
  expect_refusal(run({"fit", path("mistyped"), "--target", "class"}), 1, {"mistyped", "No such file"});
}

TEST_F(ExitCode, SaysOnceThatAFitDidNotConverge) {
  const Outcome outcome = run({"fit", data_file("breast_cancer_wdbc.csv"), "--target", "class", "--l2", "0"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_NE(outcome.err.find("separated"), std::string::npos);
  std::size_t warnings = 0;
  for (const std::string& line : lines_of(outcome.err))
    warnings += line.starts_with("discern: warning") ? 1 : 0;
  EXPECT_EQ(warnings, 1U) << outcome.err;
}

TEST_F(ExitCode, IsOneForAFileThatIsNoModel) {
  expect_refusal(run({"inspect", data_file("iris.csv")}), 1, {"iris.csv"});
}

TEST_F(ExitCode, IsThreeUnderStrictWhenTheFitDoesNotConvergeAndNothingIsWritten) {
  const std::string wdbc = data_file("breast_cancer_wdbc.csv");
  const Words words{"fit", wdbc, "--target", "class", "--max-iter", "2", "-o", path("m")};
  Words strict = words;
  strict.push_back("--strict");
  expect_refusal(run(strict), 3, {"not converged"});
  EXPECT_TRUE(entries().empty());

  const Outcome lenient = run(words);
  EXPECT_EQ(lenient.exit, 0);
  EXPECT_NE(lenient.err.find("discern: warning: not converged"), std::string::npos) << lenient.err;
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["converged"], false);
}

TEST_F(ExitCode, QuietSaysNothingWhenAllIsWell) {
  const Outcome fit =
      run({"fit", data_file("iris.csv"), "--target", "class", "--model", "lda", "--quiet", "-o", path("m")});
  EXPECT_EQ(fit.exit, 0);
  EXPECT_EQ(fit.out, "");
  EXPECT_EQ(fit.err, "");
}

}  // namespace
}  // namespace discern::cli_test::exit_codes_test
