#include "discern/io/libsvm/libsvm.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/table/write.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::libsvm_test {
namespace {

Table parse(const std::string& text, const ReadOptions& options = {}) {
  const auto owner = std::make_shared<std::string>(text);
  return parse_libsvm(FileContent(owner, *owner), "a.svm", options);
}

Error error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was accepted: " << text;
  return Error(Code::usage, "was accepted");
}

std::string what(const std::string& text) { return error_of(text).what(); }

TEST(Libsvm, ReadsRowsAndLabelsAsSpelled) {
  const Table table = parse("+1 1:0.5 3:-2\n-1 2:1e3\n+1\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(table.schema.size(), 3);
  EXPECT_EQ(table.schema.name(2), "x3");
  EXPECT_TRUE(std::holds_alternative<SparseMatrix<float>>(table.x));
  EXPECT_EQ(stored_entries(table.x), 3);
  EXPECT_EQ(cell(table.x, 0, 0), 0.5);
  EXPECT_EQ(cell(table.x, 0, 2), -2);
  EXPECT_EQ(cell(table.x, 1, 1), 1000);
  const SideColumn* label = table.find_side("label");
  ASSERT_NE(label, nullptr);
  EXPECT_EQ(label->levels, (std::vector<std::string>{"-1", "+1"}));
  EXPECT_EQ(label->values, (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(label->noticed.level_line, (std::vector<Index>{2, 1}));
}

TEST(Libsvm, CommentsBlanksCarriageReturnsAndByteOrderMarkAreFine) {
  const Table plain = parse("1 1:2 2:3\n2 2:4\n");
  for (const char* text :
       {"\xEF\xBB\xBF"
        "1 1:2 2:3\n2 2:4\n",
        "1 1:2 2:3\r\n2 2:4\r\n", "1 1:2 2:3\n2 2:4", "# title: a:b\n\n1 1:2 2:3 # c 5:6\n  \n2 2:4#x\n\n",
        "  1  1:2\t2:3  \n2 2:4 \r\n"})
    expect_equal(parse(text), plain);
}

TEST(Libsvm, LineNumbersCountCommentsAndBlankLines) {
  EXPECT_EQ(error_of("# one\n\n1 1:1\n1 0:1\n").place().line, 4);
  EXPECT_EQ(error_of("# one\n\n1 1:1\n1 0:1\n").place().file, "a.svm");
}

TEST(Libsvm, IndexZeroIsRefusedWithItsLine) {
  EXPECT_EQ(what("1 1:1\n1 0:1\n"), "a.svm:2: indices start at 1, found '0:1'");
  EXPECT_EQ(what("1 00:1\n"), "a.svm:1: indices start at 1, found '00:1'");
}

TEST(Libsvm, NegativeIndexIsRefusedWithItsLine) {
  EXPECT_EQ(what("1 1:1\n1 2:1\n1 -3:1\n"), "a.svm:3: indices start at 1, found '-3:1'");
}

TEST(Libsvm, UnsortedIndicesAreRefusedWithTheirLine) {
  EXPECT_EQ(what("1 1:1\n1 5:1 3:1\n"), "a.svm:2: column 'x3': indices must increase, found 3 after 5");
}

TEST(Libsvm, DuplicateIndicesAreRefusedWithTheirLine) {
  EXPECT_EQ(what("1 1:1\n1 5:1 5:2\n"), "a.svm:2: column 'x5': the index 5 appears twice in the row");
}

TEST(Libsvm, AnIndexOfTwoThousandMillionsIsReadSparse) {
  const Table table = parse("1 2000000000:3\n0 1:2 2147483647:1\n");
  EXPECT_EQ(table.schema.size(), 2147483647);
  EXPECT_EQ(stored_entries(table.x), 3);
  const auto& x = std::get<SparseMatrix<float>>(table.x);
  EXPECT_EQ(x.columns[0], 1999999999U);
  EXPECT_EQ(x.columns[2], 2147483646U);
}

TEST(Libsvm, IndicesBeyondTheLimitAreRefused) {
  EXPECT_EQ(what("1 2147483648:3\n"), "a.svm:1: the largest index is 2147483647, found '2147483648:3'");
  EXPECT_EQ(what("1 9223372036854775808:3\n"),
            "a.svm:1: the largest index is 2147483647, found '9223372036854775808:3'");
  EXPECT_EQ(what("1 " + std::string(400, '9') + ":3\n").substr(0, 41),
            "a.svm:1: the largest index is 2147483647,");
}

TEST(Libsvm, CsvIsRefusedNamingTheFormatSeen) {
  EXPECT_EQ(what("5.1,3.5,1.4,0.2,setosa\n"),
            "a.svm:1: this looks like CSV, not LIBSVM: expected 'label index:value ...', found "
            "'5.1,3.5,1.4,0.2,setosa'");
  for (const char* text : {"a,b,c\n1,2,3\n", "1;2;3\n", "1\t2\t3\n", "1 2 3\n", "\"a\",\"b\"\r\n1,2\r\n"})
    EXPECT_NE(what(text).find("this looks like CSV"), std::string::npos) << text << what(text);
}

TEST(Libsvm, RankingGroupsAndSeveralLabelsAreRefusedByName) {
  EXPECT_EQ(what("1 qid:3 1:1\n"), "a.svm:1: ranking groups are not supported, found 'qid:3'");
  EXPECT_EQ(what("1,2 1:1\n"),
            "a.svm:1: column 'label': several labels in a row are not supported, found '1,2'");
}

TEST(Libsvm, BadValuesAreRefusedWithLineAndColumn) {
  for (const std::string value :
       {"nan", "inf", "-inf", "1e400", "0x10", "1,5", "3.2abc", "", "1:2", "--1", "1e"}) {
    const Error error = error_of("1 1:1\n1 2:1 7:" + value + "\n");
    EXPECT_EQ(error.place().line, 2) << value;
    EXPECT_EQ(error.place().column, "x7") << value;
    EXPECT_EQ(error.message().substr(0, 24), "expected a number, found") << value;
  }
}

TEST(Libsvm, MalformedEntriesAreRefused) {
  EXPECT_EQ(what("1 1:1 abc\n"), "a.svm:1: expected index:value, found 'abc'");
  EXPECT_EQ(what("1 1:1 a:1\n"), "a.svm:1: expected an index before the colon, found 'a:1'");
  EXPECT_EQ(what("1 1:1 :1\n"), "a.svm:1: expected an index before the colon, found ':1'");
  EXPECT_EQ(what("1:1 2:1\n"), "a.svm:1: column 'label': expected a label, found '1:1'");
  EXPECT_EQ(error_of(std::string("1 1:1\n1 2:1\0 3:1\n", 18)).place().line, 2);
  EXPECT_EQ(error_of("1 1:1\r2 1:1\n").place().line, 1);
}

TEST(Libsvm, AFileWithoutRowsOrEntriesIsRefused) {
  for (const char* text : {"", "\n\n", "# only a comment\n"})
    EXPECT_EQ(what(text), "a.svm: the file holds no rows");
  EXPECT_EQ(error_of("1\n2\n").code(), Code::data);
}

TEST(Libsvm, LabelsAreNumbersWhenAskedFor) {
  ReadOptions options;
  options.side = {{"label", false, true}};
  const Table table = parse("0.5 1:1\n-2e3 1:1\n", options);
  EXPECT_FALSE(table.side[0].text);
  EXPECT_EQ(table.side[0].values, (std::vector<double>{0.5, -2000}));
  EXPECT_EQ(std::string(error_of("abc 1:1\n", options).what()),
            "a.svm:1: column 'label': expected a number, found 'abc'");
}

TEST(Libsvm, AnotherSideColumnIsAUsageError) {
  ReadOptions options;
  options.side = {{"income", true, true}};
  EXPECT_EQ(error_of("1 1:1\n", options).code(), Code::usage);
  options.side[0].required = false;
  EXPECT_EQ(parse("1 1:1\n", options).side.size(), 1U);
}

TEST(Libsvm, EntriesBeyondTheExpectedColumnsAreSkippedAndCounted) {
  const Schema expected = Schema::numbered(3);
  ReadOptions options;
  options.expected = &expected;
  const Table table = parse("1 1:1 4:1 5:1\n2 9:1\n3 3:1\n", options);
  EXPECT_EQ(table.schema.size(), 3);
  EXPECT_EQ(stored_entries(table.x), 2);
  EXPECT_EQ(table.skipped_entries, 3);
  EXPECT_EQ(cell(table.x, 2, 2), 1);
  EXPECT_EQ(parse("1 1:1\n", options).schema.size(), 3);
}

TEST(Libsvm, ChosenColumnsKeepTheirNames) {
  ReadOptions options;
  options.features = {"x2", "x4"};
  const Table table = parse("1 1:1 2:2 4:4\n2 3:1\n", options);
  ASSERT_EQ(table.schema.size(), 2);
  EXPECT_EQ(table.schema.name(1), "x4");
  EXPECT_EQ(cell(table.x, 0, 1), 4);
  EXPECT_EQ(stored_entries(table.x), 2);
}

TEST(Libsvm, ZerosInTheFileStay) {
  const Table table = parse("1 1:0 3:0\n");
  EXPECT_EQ(stored_entries(table.x), 2);
  EXPECT_EQ(table.schema.size(), 3);
}

TEST(Libsvm, ValuesAreDoubleWhereFloatWouldLose) {
  std::string text;
  for (int i = 0; i < 30000; ++i) text += "1 1:0.5 2:2 3:1\n";
  EXPECT_TRUE(std::holds_alternative<SparseMatrix<float>>(parse(text).x));
  // Beyond the sampled stretches, so that the guess is wrong.
  std::string late = text;
  late.replace(late.find("0.5", late.size() * 9 / 16), 3, "0.1");
  const Table table = parse(late);
  ASSERT_TRUE(std::holds_alternative<SparseMatrix<double>>(table.x));
  const auto& x = std::get<SparseMatrix<double>>(table.x);
  EXPECT_NE(std::find(x.values.begin(), x.values.end(), 0.1), x.values.end());
}

// Many pieces of a megabyte, with comments and blank lines that leave gaps to close.
std::string many_pieces(bool gaps) {
  std::string text;
  for (int i = 0; i < 150000; ++i) {
    if (gaps && i % 1000 == 7) text += "# a comment: 1:2\n\n";
    text += i % 3 == 0 ? "a" : i % 3 == 1 ? "b" : "+1";
    for (int k = 1; k < 4; ++k)
      text += " " + std::to_string(k * 1000 + i % 1000) + ":" + std::to_string((i * 37 + k) % 1000) + ".25";
    text += "\n";
  }
  return text;
}

// Entries behind a blank are taken two at a time where nothing is special, those behind a tab one at a time.
// Only in the middle of a file, so there are other rows on both sides.
TEST(Libsvm, EntriesTakenInPairsAreThoseTakenOneByOne) {
  const std::string others = "1 1:0.125 2:3 7:-4.5\n2 3:1 4:2.25 5:0.5 6:8\n";
  const auto both = [&](const std::string& row) {
    std::string tabs = row;
    std::replace(tabs.begin() + 2, tabs.end(), ' ', '\t');
    return std::pair(others + row + "\n" + others, others + tabs + "\n" + others);
  };
  for (const char* row :
       {"1 1:2", "1 1:2 2:3", "1 1:2 2:3 3:4", "1 1:-0.5 20:0.25 300:1e3 4000:5 50000:6",
        "1  1:2 2:3  3:4 4:5 ", "1 1:2 2:0.1 3:4", "1 1:2 2:3 # 4:5 6:7", "1 1:123456789012345678 2:3 3:4",
        "1 1:2 2:3 60001:4", "1 1:2. 2:.5 3:+4 4:5", "1 00000000001:2 2:3 3:4"}) {
    const auto [blanks, tabs] = both(row);
    expect_equal(parse(blanks), parse(tabs));
  }
  for (const char* row :
       {"1 1:2 1:3", "1 2:2 1:3", "1 1:2 2:3 3:4 3:5", "1 1:2 2:", "1 1: 2:3", "1 1:2 2:x", "1 1:2:3 4:5",
        "1 1:2 :3", "1 0:2 1:3", "1 1:2 2", "1 1:2 2147483648:3", "1 1:2 2:nan"}) {
    const auto [blanks, tabs] = both(row);
    EXPECT_EQ(what(blanks), what(tabs)) << row;
  }
  Schema narrow = Schema::numbered(3);
  ReadOptions options;
  options.expected = &narrow;
  const auto [blanks, tabs] = both("1 1:2 2:3 3:4 9:5 10:6");
  EXPECT_EQ(parse(blanks, options).skipped_entries, parse(tabs, options).skipped_entries);
  expect_equal(parse(blanks, options), parse(tabs, options));
}

TEST(Libsvm, OneThreadAndTwoGiveTheSame) {
  const std::string text = many_pieces(true);
  Table one, two;
  with_threads(1, [&] { one = parse(text); });
  with_threads(2, [&] { two = parse(text); });
  const auto& a = std::get<SparseMatrix<float>>(one.x);
  const auto& b = std::get<SparseMatrix<float>>(two.x);
  ASSERT_EQ(one.rows(), 150000);
  EXPECT_TRUE(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end()));
  EXPECT_TRUE(std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end()));
  EXPECT_TRUE(std::equal(a.starts.begin(), a.starts.end(), b.starts.begin(), b.starts.end()));
  EXPECT_EQ(one.side[0].values, two.side[0].values);
  EXPECT_EQ(one.side[0].levels, (std::vector<std::string>{"+1", "a", "b"}));
}

TEST(Libsvm, GapsBetweenPiecesAreClosed) {
  const Table with = parse(many_pieces(true)), without = parse(many_pieces(false));
  const auto& a = std::get<SparseMatrix<float>>(with.x);
  const auto& b = std::get<SparseMatrix<float>>(without.x);
  EXPECT_TRUE(std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end()));
  EXPECT_TRUE(std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end()));
  EXPECT_TRUE(std::equal(a.starts.begin(), a.starts.end(), b.starts.begin(), b.starts.end()));
  EXPECT_EQ(with.side[0].values, without.side[0].values);
}

// How much room they need is guessed from the beginning of the file, and float from samples of it.
TEST(Libsvm, DenserRowsAndLongerNumbersThanTheBeginningHasAreReadInFull) {
  std::string text;
  while (text.size() < 1300000) text += "a 1:0.50000000000000000000\n";
  const Index sparse = static_cast<Index>(text.size()) / 27;
  while (text.size() < 3000000) text += "b 1:1 2:2 3:3 4:4 5:5\n";
  const Index rows = sparse + (static_cast<Index>(text.size()) - 27 * sparse) / 22;
  for (const bool inexact : {false, true}) {
    const Table table = parse(text + (inexact ? "a 5:0.1\n" : "a 5:0.25\n"));
    ASSERT_EQ(table.rows(), rows + 1);
    EXPECT_EQ(stored_entries(table.x), sparse + 5 * (rows - sparse) + 1);
    EXPECT_EQ(std::holds_alternative<SparseMatrix<double>>(table.x), inexact);
    EXPECT_EQ(cell(table.x, sparse - 1, 0), 0.5);
    EXPECT_EQ(cell(table.x, sparse, 4), 5);
    EXPECT_EQ(cell(table.x, rows - 1, 3), 4);
    EXPECT_EQ(cell(table.x, rows, 4), inexact ? 0.1 : 0.25);
    EXPECT_EQ(table.find_side("label")->values[static_cast<std::size_t>(sparse)], 1);
  }
}

TEST(Libsvm, TheFirstOfSeveralFaultsIsReported) {
  std::string text = many_pieces(false);
  text.insert(text.find('\n', text.size() / 3) + 1, "1 5:x\n");
  const Index line =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(":x")), '\n') + 1;
  text.insert(text.find('\n', text.size() / 2) + 1, "1 6:y\n");
  text += "1 0:1\n";
  for (int threads = 1; threads <= 2; ++threads)
    with_threads(threads, [&] {
      const Error error = error_of(text);
      EXPECT_EQ(error.place().line, line);
      EXPECT_EQ(error.place().column, "x5");
    });
}

TEST(Libsvm, AMonitorCanStopTheReading) {
  ReadOptions options;
  options.monitor = [](const Progress&) { return false; };
  EXPECT_EQ(error_of(many_pieces(false), options).code(), Code::interrupted);
}

TEST(Libsvm, TheProgressReachesTheWholeFile) {
  const std::string text = many_pieces(false);
  std::atomic<std::int64_t> furthest{0};
  ReadOptions options;
  options.monitor = [&](const Progress& progress) {
    if (progress.done > furthest) furthest = progress.done;
    EXPECT_EQ(progress.total, static_cast<std::int64_t>(text.size()));
    return true;
  };
  parse(text, options);
  EXPECT_EQ(furthest, static_cast<std::int64_t>(text.size()));
}

RC_GTEST_PROP(Libsvm, WritesWhatItReadsBack, ()) {
  const auto rows = *rc::gen::inRange(1, 8);
  const auto doubles = *rc::gen::arbitrary<bool>();
  std::vector<double> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> starts{0};
  std::vector<double> labels;
  for (int i = 0; i < rows; ++i) {
    const auto set = *rc::gen::container<std::set<std::uint32_t>>(rc::gen::inRange(0U, 2000000U));
    for (const auto j : set) {
      columns.push_back(j);
      const double value = *rc::gen::arbitrary<double>();
      values.push_back(!std::isfinite(value) || value == 0 ? 1.5
                       : doubles                           ? value
                                                           : std::ldexp(std::floor(value), -3));
      if (!std::isfinite(values.back()) || values.back() == 0) values.back() = 2;
    }
    starts.push_back(static_cast<std::int64_t>(values.size()));
    labels.push_back(*rc::gen::inRange(0, 2));
  }
  RC_PRE(!columns.empty());
  Table table;
  const Index cols = static_cast<Index>(*std::max_element(columns.begin(), columns.end())) + 1;
  bool floats = true;
  for (const double v : values) floats = floats && fits_float(v);
  table.schema = Schema::numbered(cols);
  if (floats)
    table.x = SparseMatrix<float>{Buffer<float>(std::vector<float>(values.begin(), values.end())),
                                  Buffer(columns), Buffer(starts), rows, cols};
  else
    table.x = SparseMatrix<double>{Buffer(values), Buffer(columns), Buffer(starts), rows, cols};
  table.side = {{"label", true, {"no", "yes"}, labels, {}}};
  const ScratchFolder folder;
  write_libsvm(table, folder.path("a.svm"));
  const Table back = read_libsvm(folder.path("a.svm"), {});
  RC_ASSERT(back.x.index() == table.x.index());
  std::visit(
      [&](const auto& found) {
        if constexpr (requires { found.columns; }) {
          RC_ASSERT(std::equal(values.begin(), values.end(), found.values.begin(), found.values.end()));
          RC_ASSERT(std::equal(columns.begin(), columns.end(), found.columns.begin(), found.columns.end()));
          RC_ASSERT(std::equal(starts.begin(), starts.end(), found.starts.begin(), found.starts.end()));
        }
      },
      back.x);
  for (int i = 0; i < rows; ++i) {
    const auto& label = back.side[0];
    RC_ASSERT(label.levels[static_cast<std::size_t>(label.values[static_cast<std::size_t>(i)])] ==
              table.side[0].levels[static_cast<std::size_t>(labels[static_cast<std::size_t>(i)])]);
  }
}

TEST(Libsvm, ReadsACompressedFile) {
  const ScratchFolder folder;
  const Table table = parse("+1 1:0.5 3:-2\n-1 2:1e3\n");
  for (const char* name : {"a.svm.gz", "a.svm.zst"}) {
    write_table(table, folder.path(name));
    expect_equal(read_table(folder.path(name)), table);
  }
}

TEST(Libsvm, WhatTheFormatCannotHoldIsNotWritten) {
  const ScratchFolder folder;
  const auto refused = [&](const Table& table) {
    const auto result = attempt([&] { return write_libsvm(table, folder.path("a.svm")), 0; });
    return !result.ok() && result.error().code() == Code::usage && folder.entries() == 0;
  };
  Table table = parse("1 1:1 2:1\n2 1:1\n");
  const Table good = table;
  table.side.clear();
  EXPECT_TRUE(refused(table));
  table = good;
  table.side[0].levels = {"a b", "c"};
  EXPECT_TRUE(refused(table));
  table = good;
  table.side[0].values[1] = NAN;
  EXPECT_TRUE(refused(table));
  table = good;
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{1, NAN, 3, 4}), 2, 2};
  EXPECT_TRUE(refused(table));
  table.schema = Schema({{"a", false, {}}, {"b", true, {"u", "v"}}});
  EXPECT_TRUE(refused(table));
}

TEST(Libsvm, ReadAsCsvIsRefusedNamingTheFormatSeen) {
  const ScratchFolder folder;
  for (const char* name : {"a.csv", "a.tsv", "a.csv.gz"}) {
    FileWriter writer(folder.path(name));
    writer.write("1 3:0.5 4:1\n-1 2:1\n");
    writer.commit();
    const auto result = attempt([&] { return read_table(folder.path(name)); });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), Code::data);
    EXPECT_NE(result.error().message().find("this looks like LIBSVM"), std::string::npos);
  }
}

TEST(Libsvm, IsRecognised) {
  EXPECT_TRUE(looks_like_libsvm("1 3:0.5 4:1\n"));
  EXPECT_TRUE(looks_like_libsvm("# c\n-1\n+1 3:0.5 4:1\r\n1 1:nan\n"));
  EXPECT_TRUE(looks_like_libsvm("2 qid:1 1:1\n"));
  for (const char* text : {"", "a,b\n1,2\n", "1\n2\n", "time\n10:30 1:2\n", "2020-01-01 10:30\n", "1 3:a\n",
                           "1,3:0.5\n", "x 1:2\n", "1 2 3\n"})
    EXPECT_FALSE(looks_like_libsvm(text)) << text;
}

}  // namespace
}  // namespace discern::libsvm_test
