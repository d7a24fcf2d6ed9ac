// Data files that are cut short or written to while a command works on them, and rows of a stream that never
// end: an error, exit code 1 and nothing left behind.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.hpp"

namespace discern::cli_test::changing_input_test {
namespace {

// The reading end of a named pipe that the program writes to.
class Pipe {
 public:
  explicit Pipe(const std::string& path) { EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0); }
  ~Pipe() { ::close(descriptor_); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  // Returns when the program has written something; what it writes beyond the pipe's buffer then waits.
  void wait_for_writing(const std::string& path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY);
    char first;
    EXPECT_EQ(::read(descriptor_, &first, 1), 1);
  }
  void read_to_end() {
    char some[65536];
    while (::read(descriptor_, some, sizeof some) > 0) {
    }
  }

 private:
  int descriptor_ = -1;
};

class ChangingInput : public InFolder {
 protected:
  // A cache that stays mapped while a command works on it: numbers, and the target apart.
  std::string cache(int rows) {
    std::string text = "y";
    for (int j = 0; j < 40; ++j) text += fmt::format(",x{}", j);
    for (int i = 0; i < rows; ++i) {
      text += fmt::format("\n{}", i * 7919 % 13 < 6 ? "a" : "b");
      for (int j = 0; j < 40; ++j) text += fmt::format(",{}", (i * (j + 3) * 31 + j * j) % 997 * 0.37);
    }
    const Outcome made = run({"convert", write("t.csv", text + "\n"), path("t.dcache"), "--target", "y"});
    EXPECT_EQ(made.exit, 0) << made.err;
    return path("t.dcache");
  }
};

TEST_F(ChangingInput, AFitOnACacheThatIsCutShortWritesNoModel) {
  const std::string data = cache(2000);
  Pipe trace(path("trace"));
  Running fit({"fit", data, "--target", "y", "--solver", "gd", "--max-iter", "3000", "--tol", "1e-15",
               "--trace", path("trace"), "-o", path("m")});
  trace.wait_for_writing(path("trace"));
  ASSERT_EQ(::truncate(data.c_str(), 8192), 0);
  trace.read_to_end();
  EXPECT_EQ(fit.wait(), 1);
  EXPECT_NE(fit.err().find("t.dcache: the file was cut short while it was read"), std::string::npos)
      << fit.err();
  EXPECT_EQ(entries(), (Words{"t.csv", "t.dcache", "trace"}));
}

TEST_F(ChangingInput, ConvertingACacheThatIsWrittenToFails) {
  const std::string data = cache(20000);
  Pipe out(path("out.csv"));
  Running convert({"convert", data, path("out.csv")});
  out.wait_for_writing(path("out.csv"));
  const int file = ::open(data.c_str(), O_WRONLY);
  const timespec times[2] = {{1, 0}, {1, 0}};  // the clock of files is too coarse for a test
  ASSERT_EQ(::pwrite(file, "x", 1, 100'000), 1);
  ASSERT_EQ(::futimens(file, times), 0);
  ::close(file);
  out.read_to_end();
  EXPECT_EQ(convert.wait(), 1);
  EXPECT_NE(convert.err().find("t.dcache: the file changed while it was read"), std::string::npos)
      << convert.err();
}

TEST_F(ChangingInput, ARowOfAStreamHasALongestLength) {
  const std::string rows = "x,y\n1,a\n2,b\n3,a\n4,b\n";
  ASSERT_EQ(run({"fit", write("t.csv", rows), "--target", "y", "-o", path("m")}).exit, 0);
  Settings endless;
  endless.input = rows + "5,\"a" + std::string(3'000'000, '\n');
  const std::string message = "standard input:6: the row that begins here is longer than 1500000 bytes";
  for (const Words& words :
       {Words{"predict", path("m"), "-", "--max-record", "1.5MB", "-o", path("out")},
        Words{"fit", "-", "--target", "y", "--stream", "--max-record", "1500k", "-o", path("n")}}) {
    const Outcome outcome = run(words, endless);
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(entries(), (Words{"m", "t.csv"}));
}

TEST_F(ChangingInput, TheLongestRowIsASizeAndForStreamsOnly) {
  const std::string data = write("t.csv", "x,y\n1,a\n2,b\n3,a\n4,b\n");
  ASSERT_EQ(run({"fit", data, "--target", "y", "-o", path("m")}).exit, 0);
  for (const char* size : {"64XB", "1kB", "-1MB", "MB", "1e99", "nan", "MiB", ""}) {
    const Outcome outcome = run({"predict", path("m"), "-", "--max-record", size});
    EXPECT_EQ(outcome.exit, 2) << size;
    EXPECT_NE(outcome.err.find("--max-record: expected a number of bytes"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run({"predict", path("m"), data, "--max-record", "2MiB"}).exit, 2);
  EXPECT_EQ(run({"fit", data, "--target", "y", "--max-record", "2MiB"}).exit, 2);
  Settings settings;
  settings.input = "x\n1\n";
  EXPECT_EQ(run({"predict", path("m"), "-", "--max-record", "2MiB"}, settings).out, "prediction\na\n");
}

}  // namespace
}  // namespace discern::cli_test::changing_input_test
