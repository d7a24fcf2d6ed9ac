// Files that another program writes to, or cuts short, while they are read: always an Error that says so, and
// never a byte read or written where it should not be.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <numeric>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/binary/cache.hpp"
#include "discern/io/csv/csv.hpp"
#include "discern/io/csv/csv_parse.hpp"
#include "discern/io/file/mapped_file.hpp"
#include "discern/io/libsvm/libsvm.hpp"
#include "discern/io/libsvm/libsvm_lines.hpp"
#include "discern/io/table/read.hpp"
#include "tests/io/file/scratch_folder.hpp"

namespace discern::changing_file_test {
namespace {

using Change = std::function<void(const std::string& path)>;

std::string repeated(const std::string& line, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += line;
  return text;
}

// Writes over the file in place. The time of its last change is set by hand: that of a file that was made a
// moment ago may stay the same, as the clock of files is coarse.
void overwrite(const std::string& path, const std::string& content) {
  const int file = ::open(path.c_str(), O_WRONLY);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::pwrite(file, content.data(), content.size(), 0), static_cast<ssize_t>(content.size()));
  const timespec times[2] = {{1, 0}, {1, 0}};
  ::futimens(file, times);
  ::close(file);
}

void cut_short(const std::string& path) { ASSERT_EQ(::truncate(path.c_str(), 4096), 0); }

// What reading says when the file is changed after the first piece was read.
std::string error_when_changed(const std::string& path, const Change& change, int threads = 1) {
  ReadOptions options;
  std::atomic<bool> changed = false;
  options.monitor = [&](const Progress&) {
    if (!changed.exchange(true)) change(path);
    return true;
  };
  std::string message = "no error";
  with_threads(threads, [&] {
    try {
      read_table(path, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::io);
      EXPECT_EQ(error.place().file, path);
      message = error.message();
    }
  });
  EXPECT_TRUE(changed);
  return message;
}

constexpr const char* changed_message = "the file changed while it was read";
constexpr std::size_t megabytes = 3'000'000;  // several pieces of every reader

TEST(ChangingFile, CsvThatGetsMoreRowsBetweenTheTwoPassesIsRefused) {
  const ScratchFolder folder;
  const std::string text = "a,b\n" + repeated("1234567,1234567\n", megabytes);
  const std::string path = folder.file("a.csv", text);
  std::string more = "a,b\n" + repeated("1,2\n", text.size());
  more.resize(text.size(), '\n');
  EXPECT_EQ(error_when_changed(path, [&](const auto& p) { overwrite(p, more); }), changed_message);
}

TEST(ChangingFile, CsvThatLosesRowsBetweenTheTwoPassesIsRefused) {
  const ScratchFolder folder;
  // A number that a float does not hold comes last, so that the file is parsed twice.
  const std::string text = "a,b\n" + repeated("1,x\n2,y\n", megabytes) + "0.12345678901,x\n";
  const std::string path = folder.file("a.csv", text);
  std::string fewer = "a,b\n" + repeated("1234567,longer text\n", text.size());
  fewer.replace(fewer.size() - 20, 20, "0.12345678901,xxxxx\n");
  fewer.resize(text.size(), '\n');
  EXPECT_EQ(error_when_changed(
                path, [&](const auto& p) { overwrite(p, fewer); }, 2),
            changed_message);
}

TEST(ChangingFile, CsvWhoseTextsChangeAfterTheyWereReadIsRefused) {
  const ScratchFolder folder;
  std::string text = "a,b\n", other = "a,b\n";
  for (int i = 0; text.size() < megabytes; ++i) {
    text += fmt::format("{},text{:07}\n", i % 10, i);
    other += fmt::format("{},beta{:07}\n", i % 10, i % 1000);
  }
  const std::string path = folder.file("a.csv", text);
  EXPECT_EQ(error_when_changed(path, [&](const auto& p) { overwrite(p, other); }), changed_message);
}

TEST(ChangingFile, LibsvmThatGetsMoreRowsAndEntriesBetweenTheTwoPassesIsRefused) {
  const ScratchFolder folder;
  const std::string text = repeated("+1 1000000:1234567\n", 3 * megabytes);
  const std::string path = folder.file("a.svm", text);
  std::string more = repeated("1 1:1 2:2 3:3 4:4 5:5 6:6\n", text.size());
  more.resize(text.size(), '\n');
  EXPECT_EQ(error_when_changed(path, [&](const auto& p) { overwrite(p, more); }), changed_message);
}

TEST(ChangingFile, ArffThatChangesIsRefused) {
  const ScratchFolder folder;
  const std::string header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n";
  const std::string text = header + repeated("{0 1234567, 1 y}\n", megabytes);
  const std::string path = folder.file("a.arff", text);
  std::string more = header + repeated("1,x\n", text.size());
  more.resize(text.size(), '\n');
  EXPECT_EQ(error_when_changed(path, [&](const auto& p) { overwrite(p, more); }), changed_message);
}

TEST(ChangingFile, TextThatIsCutShortIsRefusedOnAnyNumberOfThreads) {
  const ScratchFolder folder;
  const std::string csv = "a,b\n" + repeated("1234567,1234567\n", 3 * megabytes);
  const std::string svm = repeated("+1 1:1 2:2\n", 6 * megabytes);
  for (const int threads : {1, 4}) {
    const std::string a = error_when_changed(folder.file("a.csv", csv), cut_short, threads);
    EXPECT_EQ(a, fmt::format("the file was cut short while it was read, from {} bytes to 4096", csv.size()));
    const std::string b = error_when_changed(folder.file("a.svm", svm), cut_short, threads);
    EXPECT_EQ(b, fmt::format("the file was cut short while it was read, from {} bytes to 4096", svm.size()));
  }
}

// A chunk whose text does not have the rows that were counted: what a second look at a mapped file can find.
csv::Parsed parse_counted(const std::string& text, Index counted, std::vector<double>& cells) {
  csv::Plan plan;
  for (std::size_t j = 0; j < 2; ++j) {
    csv::PlannedColumn& column = plan.columns.emplace_back();
    column.name = fmt::format("x{}", j);
    column.kind = csv::Kind::number;
    column.slot = j;
    column.may_be_text = column.may_change_form = false;
    plan.features.push_back(j);
  }
  csv::Chunk chunk;
  chunk.end = text.size();
  chunk.first_line = 1;
  chunk.rows = counted;
  const csv::Destination<double> to{cells.data(), {}};
  return csv::parse_chunk<double>(text, "a.csv", {}, plan, chunk, to);
}

TEST(ChangingFile, AChunkOfCsvWritesNoRowBeyondItsOwn) {
  const std::string text = repeated("1,2\n", 400);
  for (const Index counted : {0, 1, 37, 99}) {
    std::vector<double> cells(200, -1);
    const csv::Parsed parsed = parse_counted(text, counted, cells);
    ASSERT_TRUE(parsed.error);
    EXPECT_EQ(parsed.error->message(), changed_message);
    for (std::size_t k = static_cast<std::size_t>(2 * counted); k < cells.size(); ++k)
      ASSERT_EQ(cells[k], -1) << counted << " rows, cell " << k;
  }
}

TEST(ChangingFile, AChunkOfCsvWithFewerRowsThanCountedIsRefused) {
  std::vector<double> cells(400, -1);
  const csv::Parsed parsed = parse_counted(repeated("1,2\n", 400), 101, cells);
  ASSERT_TRUE(parsed.error);
  EXPECT_EQ(parsed.error->message(), changed_message);
}

TEST(ChangingFile, APieceOfLibsvmWritesNothingBeyondItsRoom) {
  const std::string text = repeated("1 1:1 2:2 3:3\n", 1400);  // 100 rows of 3 entries
  const auto parse = [&](Index rows, Index entries) {
    std::vector<double> values(400, -1), labels(200, -1);
    std::vector<std::uint32_t> columns(400, 0);
    std::vector<std::int64_t> ends(200, -1);
    libsvm::Piece piece;
    piece.begin = text.data();
    piece.end = text.data() + text.size();
    piece.rows = rows;
    piece.entries = entries;
    const std::string file = "a.svm";
    libsvm::PieceParser<double>(piece, {values.data(), columns.data(), ends.data(), labels.data()}, text,
                                file, false, libsvm::largest_index)
        .run();
    ASSERT_TRUE(piece.error);
    EXPECT_EQ(piece.error->message(), changed_message);
    for (auto k = static_cast<std::size_t>(entries); k < values.size(); ++k) ASSERT_EQ(values[k], -1) << k;
    for (auto k = static_cast<std::size_t>(rows); k < labels.size(); ++k) ASSERT_EQ(labels[k], -1) << k;
  };
  for (const Index rows : {0, 1, 99}) parse(rows, 300);
  for (const Index entries : {0, 1, 2, 150, 298, 299}) parse(100, entries);
}

// A dense cache of numbers stays mapped after it was read.
std::string cache_of(const ScratchFolder& folder, Index rows) {
  Table table;
  DenseMatrix<double> x{Buffer<double>(rows * 4), rows, 4};
  for (Index k = 0; k < rows * 4; ++k) x.values[k] = 1 + 1.0 / static_cast<double>(k + 3);
  table.schema = Schema::numbered(4);
  table.x = std::move(x);
  write_cache(table, folder.path("a.dcache"));
  return folder.path("a.dcache");
}

double sum_of(const Table& table) {
  const auto& x = std::get<DenseMatrix<double>>(table.x);
  std::vector<double> sums(16);
  with_threads(4, [&] {
    parallel_for(16, [&](Index k) {
      const auto* first = x.values.begin() + k * (x.values.size() / 16);
      sums[static_cast<std::size_t>(k)] = std::accumulate(first, first + x.values.size() / 16, 0.0);
    });
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

TEST(ChangingFile, ATableFromACacheThatIsCutShortReadsZerosAndNothingIsCommitted) {
  const ScratchFolder folder;
  const std::string path = cache_of(folder, 100'000);
  const Table table = read_table(path);
  cut_short(path);
  EXPECT_LT(sum_of(table), 10'000);  // most of it is gone, on several threads at once
  FileWriter writer(folder.path("out"));
  writer.write("a result");
  EXPECT_THROW(
      {
        try {
          writer.commit();
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), Code::io);
          EXPECT_EQ(error.place().file, path);
          EXPECT_TRUE(error.message().starts_with("the file was cut short")) << error.message();
          throw;
        }
      },
      Error);
  EXPECT_FALSE(std::filesystem::exists(folder.path("out")));
}

TEST(ChangingFile, ATableFromACacheThatIsWrittenToKeepsResultsFromBeingCommitted) {
  const ScratchFolder folder;
  const std::string path = cache_of(folder, 1000);
  {
    const Table table = read_table(path);
    check_mapped_files();
    overwrite(path, "x");
    EXPECT_THROW(check_mapped_files(), Error);
  }
  check_mapped_files();  // nobody uses it any more
}

TEST(ChangingFile, ReplacingAFileByANewOneDoesNotDisturbItsReaders) {
  const ScratchFolder folder;
  const std::string path = cache_of(folder, 1000);
  const Table table = read_table(path);
  const double sum = sum_of(table);
  std::filesystem::rename(folder.file("new", "something else"), path);
  EXPECT_EQ(sum_of(table), sum);
  EXPECT_NO_THROW(check_mapped_files());
}

// What is used as an index must not follow the file.
TEST(ChangingFile, IndicesOfASparseCacheAndCodesOfTextsDoNotChangeWithTheFile) {
  const ScratchFolder folder;
  const std::string svm = folder.file("a.svm", "1 1:1.5 7:2\n2 3:4\n"),
                    csv = folder.file("a.csv", "t,n\na,1\nb,2\na,3\n");
  for (const std::string& source : {svm, csv}) {
    const std::string path = folder.path("b.dcache");
    write_cache(read_table(source), path);
    const Table table = read_table(path);
    overwrite(path, std::string(static_cast<std::size_t>(std::filesystem::file_size(path)), '\x7f'));
    if (source == svm) {
      const auto& x = std::get<SparseMatrix<float>>(table.x);
      EXPECT_EQ(std::vector(x.columns.begin(), x.columns.end()), (std::vector<std::uint32_t>{0, 6, 2}));
      EXPECT_EQ(std::vector(x.starts.begin(), x.starts.end()), (std::vector<std::int64_t>{0, 2, 3}));
    } else {
      const auto& x = std::get<DenseMatrix<float>>(table.x);
      EXPECT_EQ(std::vector(x.values.begin(), x.values.end()), (std::vector<float>{0, 1, 1, 2, 0, 3}));
    }
  }
}

// Faults that are not ours go where they went before.
TEST(ChangingFileDeathTest, AFaultElsewhereStillEndsTheProcess) {
  const ScratchFolder folder;
  const std::string ours = cache_of(folder, 1000), other = folder.file("other", std::string(8192, 'x'));
  const auto touch_other = [&] {
    std::signal(SIGBUS, SIG_DFL);  // where a sanitizer has a handler of its own
    const Table table = read_table(ours);
    const int file = ::open(other.c_str(), O_RDWR);
    const auto* bytes =
        static_cast<volatile const char*>(::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file, 0));
    if (::ftruncate(file, 0) != 0) return;
    static_cast<void>(bytes[4096]);
  };
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(touch_other(), ::testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace discern::changing_file_test
