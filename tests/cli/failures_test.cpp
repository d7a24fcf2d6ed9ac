// A failure always says so: a line on standard error that a terminal cannot be tricked with, under --json an
// object on standard output, and the exit code.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "harness.hpp"

namespace discern::cli_test::failures_test {
namespace {

// The object alone is on standard output.
Json error_of(const Outcome& outcome, int code) {
  EXPECT_EQ(outcome.exit, code) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("discern: error: ")) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 1U) << outcome.out;
  const Json object = Json::parse(outcome.out, nullptr, false);
  if (object.is_discarded() || !object.contains("error")) {
    ADD_FAILURE() << outcome.out;
    return {{"code", ""}, {"message", ""}, {"file", ""}, {"line", 0}, {"column", ""}};
  }
  EXPECT_EQ(object.size(), 1U);
  Words keys;
  for (const auto& item : object["error"].items()) keys.push_back(item.key());
  EXPECT_EQ(keys, (Words{"code", "message", "file", "line", "column"}));
  return object["error"];
}

// Those that the help of a command lists, --name or -n.
Words flags_of(const std::string& command) {
  Words flags;
  for (const std::string& line : lines_of(run({command, "--help"}).out)) {
    if (!line.starts_with("  -")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word && word[0] == '-';) {
      if (word.back() == ',') word.pop_back();
      flags.push_back(word);
    }
  }
  return flags;
}

class Failures : public InFolder {
 protected:
  Outcome fit(const std::string& table, const Words& more = {}) const {
    Words words{"fit", table, "--target", "y", "--model", "lda"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  const std::string small = "x,y\n1,a\n2,b\n3,a\n4,b\n";
};

TEST_F(Failures, AreAnObjectUnderJson) {
  const std::string table = write("t.csv", "x,y\n1,a\n2,b\n3 meters,a\n4,b\n");
  const Json cell = error_of(fit(table, {"--numeric", "x", "--json"}), 1);
  EXPECT_EQ(cell["code"], "data");
  EXPECT_EQ(cell["file"], table);
  EXPECT_EQ(cell["line"], 4);
  EXPECT_EQ(cell["column"], "x");
  EXPECT_NE(cell["message"].get<std::string>().find("'3 meters'"), std::string::npos) << cell;

  const Json missing = error_of(fit(path("none.csv"), {"--json"}), 1);
  EXPECT_EQ(missing["code"], "io");
  EXPECT_EQ(missing["file"], path("none.csv"));
  EXPECT_TRUE(missing["line"].is_null());
  EXPECT_TRUE(missing["column"].is_null());

  EXPECT_EQ(error_of(run({"inspect", data_file("iris.csv"), "--json"}), 1)["code"], "model");
  const Words strict{
      "fit",   data_file("breast_cancer_wdbc.csv"), "--target", "class", "--max-iter", "2", "--strict",
      "--json"};
  EXPECT_EQ(error_of(run(strict), 3)["code"], "not_converged");
}

TEST_F(Failures, OfTheCommandLineAreAnObjectUnderJson) {
  for (const Words& words :
       {Words{"fit", "a.csv", "--taget", "y", "--json"}, Words{"fit", "--json"}, Words{"evalute", "--json"},
        Words{"fit", "a.csv", "--json", "--target"}, Words{"fit", "a.csv", "--json", "--threads", "two"},
        Words{"--json", "fit"}, Words{"predict", "m", "--json"}})
    EXPECT_EQ(error_of(run(words), 2)["code"], "usage") << words[0];
  // After -- it is a file's name.
  EXPECT_EQ(run({"inspect", "--", "--json"}).out, "");
}

TEST_F(Failures, QuietFailuresAreHeard) {
  const Outcome outcome = fit(path("none.csv"), {"--quiet"});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err, "");
  EXPECT_EQ(outcome.out, "");
}

// Whatever stands behind a flag of any command: it is taken, or refused with words and no "internal error".
TEST_F(Failures, NoValueOfAFlagFailsInSilence) {
  const std::string table = write("t.csv", small);
  ASSERT_EQ(fit(table, {"-o", path("m"), "--quiet"}).exit, 0);
  const std::vector<Words> commands{{"fit", table, "--target", "y"},
                                    {"predict", path("m"), table},
                                    {"evaluate", path("m"), table},
                                    {"cv", table, "--target", "y", "--folds", "2"},
                                    {"compare", table, "--target", "y", "--models", "lda"},
                                    {"path", table, "--target", "y"},
                                    {"inspect", path("m")},
                                    {"project", table, "--target", "y"},
                                    {"separable", table, "--target", "y"},
                                    {"losses"},
                                    {"demo"},
                                    {"generate", "xor"},
                                    {"convert", table, path("o.csv")},
                                    {"describe", table},
                                    {"split", table, "-o", path("a.csv"), path("b.csv")},
                                    {"models"}};
  Settings here;
  here.folder = path("");  // where the files are written that flags name
  for (const Words& command : commands) {
    for (const std::string& flag : flags_of(command[0])) {
      Words words = command;
      words.push_back(flag + "=999999999999999999999");
      const Outcome outcome = run(words, here);
      if (outcome.exit == 0) continue;
      EXPECT_TRUE(outcome.exit == 1 || outcome.exit == 2) << command[0] << flag << outcome.exit;
      EXPECT_NE(outcome.err.find("discern: error: "), std::string::npos) << command[0] << flag << outcome.err;
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << command[0] << flag << outcome.err;
    }
  }
  EXPECT_EQ(run({"models", "--json=yes"}).exit, 2);
  EXPECT_EQ(run({"models", "-q=yes"}).exit, 2);
}

TEST_F(Failures, ATraceAndAReportDoNotShareStandardOutput) {
  const Json error = error_of(fit(write("t.csv", small), {"--trace", "-", "--json"}), 2);
  EXPECT_NE(error["message"].get<std::string>().find("--trace -"), std::string::npos) << error;
}

// Text of a file that would clear the screen, set the title of the window and forge a line.
TEST_F(Failures, ControlCharactersAreShownEscaped) {
  const std::string evil = "\x1b[2J\x1b]0;owned\x07\n";
  const Outcome cell = fit(write("t.csv", "x,y\n1,a\n\"" + evil + "\",b\n"), {"--numeric", "x"});
  const Outcome column = fit(write("u.csv", "\"" + evil + "\",y\n1,a\nz,b\n"), {"--numeric", "1"});
  const Outcome file = fit(path(evil));
  const Outcome flag = fit(write("v.csv", small), {"--" + evil});
  const Outcome value = fit(write("v.csv", small), {"--threads", evil});
  const Outcome json = fit(path(evil), {"--json"});
  for (const Outcome& outcome : {cell, column, file, flag, value, json}) {
    EXPECT_NE(outcome.exit, 0);
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\x07'), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("\\x1b[2J"), std::string::npos) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  }
  EXPECT_EQ(error_of(json, 1)["file"], path(evil));
}

TEST_F(Failures, ControlCharactersAreShownEscapedInReports) {
  const std::string table =
      write("t\x1b[2J.csv", "\"x\x1b[2J\",y\n1,\"a\x1b[2J\"\n2,b\n3,\"a\x1b[2J\"\n5,b\n2,b\n");
  const std::string model = path("m\x1b[2J");
  const Outcome fitted = fit(table, {"-o", model});
  ASSERT_EQ(fitted.exit, 0) << fitted.err;
  const Outcome inspected = run({"inspect", model}), judged = run({"evaluate", model, table});
  for (const Outcome& outcome : {fitted, inspected, judged}) {
    EXPECT_EQ((outcome.out + outcome.err).find('\x1b'), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE((outcome.out + outcome.err).find("\\x1b[2J"), std::string::npos) << outcome.out << outcome.err;
  }
}

TEST_F(Failures, OfTheFileSystemAreNamed) {
  std::filesystem::create_symlink(path("loop"), path("loop"));
  const std::string longest(4200, 'n'), too_long(300, 'n');
  const std::string table = write("t.csv", small);
  for (const std::string& name : {path("loop"), path("loop") + "/x.csv", path(too_long), longest}) {
    for (const Outcome& outcome :
         {fit(name), fit(table, {"-o", name}), run({"inspect", name}), run({"convert", name, path("o.csv")}),
          run({"convert", table, name, "--to", "csv"})}) {
      EXPECT_EQ(outcome.exit, 1) << outcome.err;
      EXPECT_EQ(outcome.err.find("internal error"), std::string::npos) << outcome.err;
      EXPECT_TRUE(outcome.err.find("symbolic links") != std::string::npos ||
                  outcome.err.find("name too long") != std::string::npos)
          << outcome.err;
    }
  }
}

TEST_F(Failures, OfThreadsThatCannotBeHadAreNamed) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer wants to be loaded first";
#endif
  const Words words{"cv", data_file("digits.csv"), "--target", "class", "--model", "lda", "--threads"};
  Words many = words, one = words;
  many.push_back("4");
  one.push_back("1");
  const Outcome refused = run_without_threads(many);
  EXPECT_EQ(refused.exit, 1);
  EXPECT_NE(refused.err.find("no more threads; take fewer with --threads 1"), std::string::npos)
      << refused.err;
  EXPECT_EQ(run_without_threads(one).exit, 0);
}

TEST_F(Failures, AnUnclosedQuoteInTheHeaderIsNamed) {
  const Outcome outcome = fit(write("t.csv", "x,\"y\n1,a\n2,b\n"));
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("t.csv:1: the quote that opens here is never closed"), std::string::npos)
      << outcome.err;
}

TEST_F(Failures, OutOfMemoryNamesTheFileTheAmountAndWhatHelps) {
  ASSERT_EQ(
      run({"generate", "gaussians", "--rows", "50000", "--features", "60", "-o", path("d.csv"), "--quiet"})
          .exit,
      0);
  const Outcome outcome = shell("ulimit -v 120000; \"$discern\" fit " + path("d.csv") + " --target class");
  EXPECT_EQ(outcome.exit, 1) << outcome.err;
  for (const char* word : {"d.csv: ", " MB", "memory", "--stream"})
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << outcome.err;
}

TEST_F(Failures, AnInterruptionWhileAPipeIsOpenedIsOne) {
  ASSERT_EQ(::mkfifo(path("pipe.csv").c_str(), 0600), 0);
  for (const Words& more : {Words{}, Words{"--stream"}, Words{"--json", "--stream"}}) {
    Words words{"fit", path("pipe.csv"), "--target", "y"};
    words.insert(words.end(), more.begin(), more.end());
    Running waiting(words);
    ASSERT_TRUE(waiting.wait_for_call("257 "));  // openat
    waiting.signal(SIGINT);
    EXPECT_EQ(waiting.wait(), 130) << waiting.err();
  }
}

TEST_F(Failures, ATableForASpreadsheetRunsNoFormula) {
  std::string rows, said, safely;
  const Words labels{"=1+1", "-5", "@cmd", "+a", "-b", "plain"},
      safe_labels{"'=1+1", "-5", "'@cmd", "'+a", "'-b", "plain"};
  for (std::size_t i = 0; i < 60; ++i) {
    rows += std::to_string(10 * (i % 6)) + ',' + std::to_string(100 * (i % 6) * (i % 6) + i % 7) + ',' +
            labels[i % 6] + '\n';
    said += labels[i % 6] + '\n';
    safely += safe_labels[i % 6] + '\n';
  }
  const std::string table = write("t.csv", "x,z,y\n" + rows);
  ASSERT_EQ(run({"fit", table, "--target", "y", "--model", "lda", "--quiet", "-o", path("m")}).exit, 0);
  const Outcome as_is = run({"predict", path("m"), table, "--quiet"});
  const Outcome safe = run({"predict", path("m"), table, "--quiet", "--safe-csv"});
  const Outcome streamed =
      run({"predict", path("m"), "-", "--quiet", "--safe-csv"}, {read_file(table), {}, "", 0});
  EXPECT_EQ(as_is.out, "prediction\n" + said);
  EXPECT_EQ(safe.out, "prediction\n" + safely);
  EXPECT_EQ(streamed.out, safe.out);
  EXPECT_EQ(run({"predict", path("m"), table, "--json", "--safe-csv"}).exit, 2);
}

}  // namespace
}  // namespace discern::cli_test::failures_test
