// Text as it arrives: bytes from a pipe, and rows with a bad cell among them.
#include "discern/io/table/row_stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace
}  // namespace discern::row_stream_test
