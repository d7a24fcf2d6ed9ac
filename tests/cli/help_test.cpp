// Help, man page and completions come from the same declarations; nothing may be missing from any.
#include <regex>
#include <set>

#include "harness.hpp"

namespace discern::cli_test::help_test {
namespace {

const std::vector<std::string> all_commands = {"fit",       "predict", "evaluate", "inspect",    "project",
                                               "separable", "losses",  "demo",     "generate",   "convert",
                                               "describe",  "split",   "models",   "completion", "man"};

std::set<std::string> long_flags(const std::string& text) {
  std::set<std::string> flags;
  const std::regex flag("(^|[ ,])(--[a-z][a-z0-9-]*)");
  for (const std::string& line : lines_of(text)) {
    if (!std::regex_search(line, std::regex("^  (-[a-zA-Z], )?--"))) continue;
    std::smatch match;
    if (std::regex_search(line, match, flag)) flags.insert(match[2]);
  }
  return flags;
}

std::set<std::string> flags_of(const std::string& command) {
  return long_flags(run({command, "--help"}).out);
}

TEST(Help, NamesEveryCommand) {
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.exit, 0);
  for (const std::string& command : all_commands)
    EXPECT_NE(help.out.find("  " + command), std::string::npos) << command;
}

TEST(Help, OfACommandGroupsItsFlagsAndEndsWithExamples) {
  const Outcome help = run({"fit", "--help"});
  EXPECT_EQ(help.exit, 0);
  EXPECT_EQ(help.err, "");
  std::size_t last = 0;
  for (const char* heading :
       {"Usage\n", "Arguments\n", "Data\n", "Model\n", "Features\n", "Output\n", "Common\n", "Examples\n"}) {
    const std::size_t at = help.out.find(heading);
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_GE(at, last) << heading;
    last = at;
  }
}

TEST(Help, HasEveryFlagThatIsPromised) {
  const auto fit = flags_of("fit");
  for (const char* flag :
       {"--target",      "--model",        "--task",          "--features",    "--ignore",
        "--categorical", "--numeric",      "--missing",       "--standardize", "--no-standardize",
        "--basis",       "--class-weight", "--sample-weight", "--positive",    "--format",
        "--separator",   "--header",       "--no-header",     "--query",       "--threads",
        "--seed",        "--json",         "--quiet",         "--strict",      "--output",
        "--l2",          "--solver",       "--tol",           "--max-iter",    "--no-bias"})
    EXPECT_TRUE(fit.contains(flag)) << flag;
  for (const char* flag : {"--rows", "--features", "--classes", "--margin", "--noise"})
    EXPECT_TRUE(flags_of("generate").contains(flag)) << flag;
  EXPECT_TRUE(flags_of("predict").contains("--output"));
  EXPECT_TRUE(flags_of("predict").contains("--unseen"));
}

TEST(Help, LinesFitAWideTerminal) {
  for (const std::string& command : all_commands)
    for (const std::string& line : lines_of(run({command, "--help"}).out))
      EXPECT_LE(line.size(), 110U) << line;
}

TEST(Help, FollowsHelpAsAWordToo) { EXPECT_EQ(run({"help", "fit"}).out, run({"fit", "--help"}).out); }

TEST(ManPage, NamesEveryCommandAndFlag) {
  const Outcome man = run({"man"});
  ASSERT_EQ(man.exit, 0);
  EXPECT_TRUE(man.out.starts_with(".TH DISCERN 1"));
  for (const std::string& command : all_commands) {
    EXPECT_NE(man.out.find(".SS " + command + "\n"), std::string::npos) << command;
    for (const std::string& flag : flags_of(command)) {
      const std::string escaped = std::regex_replace(flag, std::regex("-"), "\\-");
      EXPECT_NE(man.out.find(escaped), std::string::npos) << command << ' ' << flag;
    }
  }
}

TEST(Completion, NamesEveryCommandAndFlagInEveryShell) {
  for (const char* shell_name : {"bash", "zsh", "fish"}) {
    const Outcome script = run({"completion", shell_name});
    ASSERT_EQ(script.exit, 0);
    for (const std::string& command : all_commands) {
      EXPECT_NE(script.out.find(command), std::string::npos) << shell_name << ' ' << command;
      for (const std::string& flag : flags_of(command)) {
        const std::string spelled = std::string(shell_name) == "fish" ? "-l " + flag.substr(2) : flag;
        EXPECT_NE(script.out.find(spelled), std::string::npos) << shell_name << ' ' << command << ' ' << flag;
      }
    }
  }
}

std::string completed(const std::string& words, int at) {
  return shell("source <(\"$discern\" completion bash) && COMP_WORDS=(" + words +
               ") COMP_CWORD=" + std::to_string(at) + " && _discern && echo \"${COMPREPLY[*]}\"")
      .out;
}

TEST(Completion, OfBashCompletesCommandsFlagsAndValues) {
  EXPECT_EQ(completed("discern ev", 1), "evaluate\n");
  EXPECT_EQ(completed("discern fit --sample", 2), "--sample-weight\n");
  EXPECT_EQ(completed("discern fit --task r", 3), "regression\n");
  EXPECT_EQ(completed("discern models ld", 2), "lda\n");
  EXPECT_EQ(completed("discern predict m d --output pr", 5), "proba\n");
}

TEST(Completion, RefusesAnUnknownShell) { EXPECT_EQ(run({"completion", "tcsh"}).exit, 2); }

TEST(Version, IsOneLine) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_TRUE(std::regex_match(version.out, std::regex("discern [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << version.out;
}

TEST(Models, ListsAndExplainsEachModel) {
  const Json list = run({"models", "--json"}).json();
  ASSERT_GE(list["models"].size(), 4U);
  const std::string table = run({"models"}).out;
  for (const Json& model : list["models"]) {
    const std::string name = model["name"];
    EXPECT_NE(table.find(name), std::string::npos);
    const Outcome text = run({"models", name});
    EXPECT_EQ(text.exit, 0);
    EXPECT_NE(text.out.find("discern fit"), std::string::npos);
    for (const Json& option : model["options"])
      EXPECT_NE(text.out.find("--" + option["name"].get<std::string>()), std::string::npos);
    EXPECT_EQ(run({"models", name, "--json"}).json(), model);
  }
}

}  // namespace
}  // namespace discern::cli_test::help_test
