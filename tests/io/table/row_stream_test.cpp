// Text as it arrives: bytes from a pipe, and rows with a bad cell among them.
#include "discern/io/table/row_stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <thread>

#include "discern/base/error.hpp"
#include "discern/io/file/byte_stream.hpp"
#include "discern/io/file/compression.hpp"
#include "tests/io/file/scratch_folder.hpp"

namespace discern::row_stream_test {
namespace {

std::string compressed(Compression kind, const std::string& text) {
  std::string bytes;
  const auto sink = [&](std::string_view some) { bytes += some; };
  const auto compressor = make_compressor(kind);
  compressor->write(text, sink);
  compressor->finish(sink);
  return bytes;
}

// Bytes that are there may not make any of the text yet: who has something to do must not wait for it.
TEST(ByteStream, IsReadyWhenThereIsTextNotWhenThereAreBytes) {
  const ScratchFolder folder;
  for (const auto& [kind, name] :
       {std::pair(Compression::gzip, "pipe.gz"), std::pair(Compression::zstd, "pipe.zst")}) {
    const std::string path = folder.path(name), text = "x,y\n1,2\n";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const int writer = ::open(path.c_str(), O_RDWR);
    const std::string bytes = compressed(kind, text);
    const auto write = [&](std::string_view some) {
      ASSERT_EQ(::write(writer, some.data(), some.size()), static_cast<ssize_t>(some.size()));
    };
    ByteStream stream(path, {});
    EXPECT_FALSE(stream.ready());
    write(std::string_view(bytes).substr(0, 5));
    EXPECT_FALSE(stream.ready()) << name;
    write(std::string_view(bytes).substr(5));
    EXPECT_TRUE(stream.ready()) << name;
    std::string read(100, ' ');
    read.resize(stream.read(read.data(), read.size()));
    EXPECT_EQ(read, text) << name;
    EXPECT_FALSE(stream.ready()) << name;
    ::close(writer);
    EXPECT_TRUE(stream.ready()) << name;
    EXPECT_EQ(stream.read(read.data(), read.size()), 0U) << name;
  }
}

TEST(ByteStream, DamageIsAnErrorOfTheReadAndNotOfTheQuestion) {
  const ScratchFolder folder;
  std::string bytes = compressed(Compression::gzip, std::string(1000, 'a') + "some text");
  bytes[bytes.size() - 12] ^= 0x55;
  ByteStream stream(folder.file("a.gz", bytes), {});
  EXPECT_TRUE(stream.ready());
  std::string read(5000, ' ');
  EXPECT_THROW(while (stream.read(read.data(), read.size()) > 0){}, Error);
}

struct Taken {
  Index rows = 0;
  std::string error;
};
Taken take(const std::string& path, ReadOptions options) {
  Taken taken;
  try {
    RowStream(path, options).for_each([&](const Table& table) {
      taken.rows += table.rows();
      return true;
    });
  } catch (const Error& error) {
    taken.error = error.what();
  }
  return taken;
}

TEST(RowStream, RowsBeforeABadCellAreTaken) {
  const ScratchFolder folder;
  std::string csv = "x,y\n", sparse;
  for (int i = 0; i < 500; ++i) {
    csv += i == 300 ? "5,oops\n" : "1,2\n";
    sparse += i == 200 ? "1 3:1 2:1\n" : i == 100 ? "# no row\n" : "1 1:2\n";
  }
  ReadOptions options;
  const std::string table = folder.file("a.csv", csv);
  const Schema numbers({{"x", false, {}}, {"y", false, {}}});
  options.expected = &numbers;
  const Taken some = take(table, options);
  EXPECT_EQ(some.rows, 300);
  EXPECT_EQ(some.error, table + ":302: column 'y': expected a number, found 'oops'");
  options.expected = nullptr;
  const std::string lines = folder.file("a.svm", sparse);
  const Taken others = take(lines, options);
  EXPECT_EQ(others.rows, 199);
  EXPECT_EQ(others.error, lines + ":201: column 'x2': indices must increase, found 2 after 3");
}

TEST(RowStream, ABadCellInTheFirstRowLeavesNoRows) {
  const ScratchFolder folder;
  const Taken none = take(folder.file("a.svm", "1 1:x\n1 1:1\n"), {});
  EXPECT_EQ(none.rows, 0);
  EXPECT_NE(none.error.find("a.svm:1:"), std::string::npos) << none.error;
}

// A pipe that somebody else fills in small steps.
Taken take_from_pipe(const ScratchFolder& folder, const std::string& text, const ReadOptions& options) {
  const std::string path = folder.path("pipe.csv");
  EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    constexpr std::size_t step = 16384;
    const int pipe = ::open(path.c_str(), O_WRONLY);
    for (std::size_t k = 0; k < text.size(); k += step)
      if (::write(pipe, text.data() + k, std::min(step, text.size() - k)) < 0)
        break;  // nobody reads any more
    ::close(pipe);
  });
  const Taken taken = take(path, options);
  writer.join();
  ::unlink(path.c_str());
  return taken;
}

// A quoted text with line ends, and one without: both must be looked at once, not again with every read.
TEST(RowStream, ARowTakesTimeInProportionToItsLength) {
  const ScratchFolder folder;
  const auto seconds = [&](const std::string& cell) {
    const std::clock_t start = std::clock();
    const Taken taken = take_from_pipe(folder, "x,t\n1,a\n2,\"" + cell + "\"\n3,b\n", {});
    EXPECT_EQ(taken.error, "");
    EXPECT_EQ(taken.rows, 3);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  for (const std::string line : {"some words\n", "some words "}) {
    std::string cell;
    while (cell.size() < 2'000'000) cell += line;
    const double once = seconds(cell);
    EXPECT_LT(seconds(cell + cell + cell + cell + cell + cell + cell + cell), 20 * once + 0.2) << line;
  }
}

TEST(RowStream, ARowThatIsTooLongIsAnErrorAtTheLineWhereItBegins) {
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  const ScratchFolder folder;
  ReadOptions options;
  options.max_record = 1'000'000;
  const std::string message =
      ": the row that begins here is longer than 1000000 bytes; if no quote is left open, --max-record "
      "allows "
      "more";
  std::string rows = "x,t\n";
  for (int i = 0; i < 5000; ++i) rows += "1,a\n";
  for (const std::string& start : {rows + "7,\"never closed\n", rows + "7,a line without an end "}) {
    const Taken taken = take_from_pipe(folder, start + std::string(8'000'000, 'z'), options);
    EXPECT_EQ(taken.rows, 5000);
    EXPECT_EQ(taken.error, folder.path("pipe.csv") + ":5002" + message);
  }
  const Taken first = take_from_pipe(folder, "x,t\n" + std::string(8'000'000, 'z'), options);
  EXPECT_EQ(first.error, folder.path("pipe.csv") + ":2" + message);
  std::signal(SIGPIPE, previous);
}

// Rows that quotes keep open at the end of what has arrived are whole when the rest comes.
TEST(RowStream, QuotedLineEndsMayBeAnywhere) {
  const ScratchFolder folder;
  std::string text = "n,t\n";
  Index rows = 0;
  for (; text.size() < 3'000'000; ++rows)
    text += "1,\"" + std::string(static_cast<std::size_t>(rows * 7919 % 30000), 'a') + "\n\"\"b\n\n\"\n" +
            "2,c\n";
  text += "oops,d\n";
  const Taken taken = take_from_pipe(folder, text, {});
  EXPECT_EQ(taken.rows, 2 * rows);
  EXPECT_EQ(taken.error,
            folder.path("pipe.csv") + ":" + std::to_string(5 * rows + 2) +
                ": column 'n': expected a number, found 'oops'; if the column holds text, name it in "
                "`categorical`");
}

}  // namespace
}  // namespace discern::row_stream_test
