// Nothing half-written is ever left behind, and an old file stays whole until the new one is.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "harness.hpp"

namespace discern::cli_test::files_test {
namespace {

class Files : public InFolder {
 protected:
  Words fit(const std::string& output) const {
    return {"fit", data_file("iris.csv"), "--target", "class", "--model", "lda", "--quiet", "-o", output};
  }
};

TEST_F(Files, AFullDiskIsReported) {
  const Outcome fitted = run(fit("/dev/full"));
  EXPECT_EQ(fitted.exit, 1);
  EXPECT_NE(fitted.err.find("/dev/full"), std::string::npos) << fitted.err;
  EXPECT_NE(fitted.err.find("No space left"), std::string::npos) << fitted.err;
  const Outcome generated = shell("\"$discern\" generate xor > /dev/full");
  EXPECT_EQ(generated.exit, 1);
  EXPECT_NE(generated.err.find("standard output"), std::string::npos) << generated.err;
}

TEST_F(Files, ALimitOnTheSizeOfFilesIsReported) {
  const Outcome fitted = shell("ulimit -f 1; \"$discern\" fit " + data_file("digits.csv") +
                               " --target class --model lda --quiet -o " + path("m"));
  EXPECT_EQ(fitted.exit, 1);
  EXPECT_NE(fitted.err.find("File too large"), std::string::npos) << fitted.err;
  EXPECT_TRUE(entries().empty());
}

// Otherwise the result file would get the number of standard output or error, and what is said there.
TEST_F(Files, ClosedDescriptorsDoNotLetTheSummaryIntoTheResult) {
  const std::string words = " fit " + data_file("iris.csv") + " --target class --model lda -o ";
  ASSERT_EQ(shell("\"$discern\"" + words + path("m")).exit, 0);
  const std::string model = read_file(path("m"));
  int k = 0;
  for (const char* closed : {">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    const std::string other = path("m" + std::to_string(++k));
    EXPECT_EQ(shell("\"$discern\"" + words + other + " " + closed).exit, 0) << closed;
    EXPECT_EQ(read_file(other), model) << closed;
    const std::string table = path("c" + std::to_string(k) + ".csv");
    EXPECT_EQ(shell("\"$discern\" generate xor --rows 4 -o " + table + " " + closed).exit, 0) << closed;
    EXPECT_EQ(lines_of(read_file(table)).size(), 5U) << read_file(table);
  }
}

TEST_F(Files, AResultForAClosedStandardOutputIsNotLostInSilence) {
  const Outcome outcome = shell("\"$discern\" generate xor >&-");
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
  EXPECT_EQ(shell("\"$discern\" convert - " + path("t.csv") + " --format csv <&-").exit, 1);
}

// The second waits until the first has replaced the model, and goes on from that.
TEST_F(Files, TwoRunsThatContinueOneModelLoseNoRows) {
  const std::string header = "x,y\n", rows = "1,a\n2,b\n1.5,a\n3,b\n";
  const std::string first = write("first.csv", header + rows);
  ASSERT_EQ(run({"fit", first, "--target", "y", "--stream", "--quiet", "-o", path("m")}).exit, 0);
  const Words words{"fit", "-", "--continue", path("m"), "-o", path("m")};
  Running one(words);
  one.say(header + rows);
  ASSERT_TRUE(one.wait_for_call("7 ")) << one.err();  // poll: it has the lock and waits for rows
  Running two(words);
  two.say(header + rows + rows);
  two.end_input();
  ASSERT_TRUE(two.wait_for("waiting for another fit")) << two.err();
  one.end_input();
  EXPECT_EQ(one.wait(), 0) << one.err();
  EXPECT_EQ(two.wait(), 0) << two.err();
  EXPECT_EQ(run({"inspect", path("m"), "--json"}).json()["n_samples"], 16);
}

TEST_F(Files, AFolderThatIsNotThereIsReportedBeforeTheWork) {
  const Outcome fitted = run({"fit", path("not-there.csv"), "--target", "y", "-o", path("no/such/folder/m")});
  EXPECT_EQ(fitted.exit, 1);
  EXPECT_NE(fitted.err.find("no/such/folder/m"), std::string::npos) << fitted.err;
  EXPECT_TRUE(entries().empty());
}

TEST_F(Files, AFolderIsNoModelFile) {
  EXPECT_EQ(run(fit(path(""))).exit, 1);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Files, TheOldModelStaysWholeWhenSavingFails) {
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  const std::string before = read_file(path("m"));
  ASSERT_GT(before.size(), 600U);
  Settings settings;
  settings.file_size_limit = 512;
  Words words = fit(path("m"));
  words[4] = "--model=least-squares";
  words.erase(words.begin() + 5);
  const Outcome failed = run(words, settings);
  EXPECT_EQ(failed.exit, 1) << failed.err;
  EXPECT_NE(failed.err.find(path("m")), std::string::npos) << failed.err;
  EXPECT_EQ(read_file(path("m")), before);
  EXPECT_EQ(entries(), Words{"m"});
}

TEST_F(Files, OtherOutputsLeaveNothingBehindEither) {
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  Settings settings;
  settings.file_size_limit = 512;
  EXPECT_EQ(run({"predict", path("m"), data_file("iris.csv"), "-o", path("p.csv")}, settings).exit, 1);
  EXPECT_EQ(run({"generate", "xor", "-o", path("g.csv")}, settings).exit, 1);
  EXPECT_EQ(run({"convert", data_file("iris.csv"), path("c.csv")}, settings).exit, 1);
  EXPECT_EQ(entries(), Words{"m"});
}

TEST_F(Files, TheOldModelStaysWholeWhenTheProcessIsKilled) {
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  const std::string before = read_file(path("m"));
  for (int i = 0; i < 30; ++i) {
    Running again(fit(path("m")));
    std::this_thread::sleep_for(std::chrono::microseconds(400 * i));
    again.signal(SIGKILL);
    again.wait();
    EXPECT_EQ(read_file(path("m")), before);
  }
  EXPECT_EQ(run({"inspect", path("m")}).exit, 0);
}

TEST_F(Files, AReplacedModelKeepsItsPermissions) {
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  const auto mode = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(path("m"), mode);
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  EXPECT_EQ(std::filesystem::status(path("m")).permissions(), mode);
}

TEST_F(Files, ADamagedModelIsRefusedAndNamed) {
  ASSERT_EQ(run(fit(path("m"))).exit, 0);
  const std::string whole = read_file(path("m"));
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 20) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    const Outcome refused = run({"inspect", write("flipped", flipped)});
    EXPECT_EQ(refused.exit, 1) << at;
    EXPECT_EQ(refused.out, "");
    EXPECT_NE(refused.err.find("flipped"), std::string::npos) << refused.err;
    EXPECT_EQ(run({"predict", write("cut", whole.substr(0, at)), data_file("iris.csv")}).exit, 1) << at;
  }
}

}  // namespace
}  // namespace discern::cli_test::files_test
