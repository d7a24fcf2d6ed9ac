#include "discern/io/csv/csv.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern::csv_test {
namespace {

Table read(const std::string& text, const ReadOptions& options = {}, std::size_t chunk = csv_chunk_bytes) {
  const auto owner = std::make_shared<std::string>(text);
  return read_csv_text(FileContent(owner, *owner), "a.csv", options, chunk);
}

// The message of the Error that reading gives, or "" when it gives none.
std::string error_of(const std::string& text, const ReadOptions& options = {}, Code code = Code::data) {
  try {
    read(text, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "";
}

double cell(const Table& table, Index row, Index column) {
  return std::visit(
      [&](const auto& x) { return static_cast<double>(x.values[row * column_count(table.x) + column]); },
      table.x);
}

std::string text_cell(const Table& table, Index row, Index column) {
  return table.schema.column(column).levels.at(static_cast<std::size_t>(cell(table, row, column)));
}

std::vector<std::string> names(const Table& table) {
  std::vector<std::string> result;
  for (Index j = 0; j < table.schema.size(); ++j) result.push_back(table.schema.name(j));
  return result;
}

using Names = std::vector<std::string>;

TEST(Csv, ReadsNumbersAndNames) {
  const Table table = read("a,b,c\n1,2.5,-3\n4,5e2,.5\n");
  EXPECT_EQ(names(table), (Names{"a", "b", "c"}));
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(cell(table, 0, 1), 2.5);
  EXPECT_EQ(cell(table, 1, 1), 500);
  EXPECT_EQ(cell(table, 1, 2), 0.5);
  EXPECT_TRUE(table.noticed.empty());
}

TEST(Csv, KeepsFloatOnlyWhereItLosesNothing) {
  EXPECT_TRUE(std::holds_alternative<DenseMatrix<float>>(read("a,b\n1,2.5\n-3,16777216\n").x));
  EXPECT_TRUE(std::holds_alternative<DenseMatrix<double>>(read("a,b\n1,2.5\n-3,16777217\n").x));
  EXPECT_TRUE(std::holds_alternative<DenseMatrix<double>>(read("a,b\n1,0.1\n-3,4\n").x));
}

TEST(Csv, TurnsToDoubleWhenAValueAfterTheSampleNeedsIt) {
  std::string text = "a,b\n";
  while (text.size() < 1200000) text += "1,2\n";
  const Table table = read(text + "0.1,3\n");
  ASSERT_TRUE(std::holds_alternative<DenseMatrix<double>>(table.x));
  EXPECT_EQ(cell(table, table.rows() - 1, 0), 0.1);
  EXPECT_EQ(cell(table, 0, 1), 2);
}

// Acceptance: what a file may do wrong, and what is said then.

TEST(Csv, RefusesInfinitiesAndNumbersOutOfRangeWithLineAndColumn) {
  EXPECT_EQ(error_of("a,b\n1,2\n-Inf,4\n"),
            "a.csv:3: column 'a': expected a number, found '-Inf'; infinite values cannot be used");
  EXPECT_EQ(error_of("a,b\n1,2\n1e400,4\n"),
            "a.csv:3: column 'a': expected a number, found '1e400', which is outside the range of double "
            "precision (1.8e308)");
}

TEST(Csv, RefusesTextInAColumnThatMustBeOfNumbers) {
  ReadOptions options;
  options.numeric = {"a"};
  EXPECT_EQ(error_of("a,b\n1,2\n0x1A,4\n", options),
            "a.csv:3: column 'a': expected a number, found '0x1A'; hexadecimal is not read, write the number "
            "in decimal");
  EXPECT_EQ(error_of("a,b\n1,2\n3.2abc,4\n", options),
            "a.csv:3: column 'a': expected a number, found '3.2abc'");
  EXPECT_EQ(error_of("a;b\n1,5;2\n1.5;3\n", options),
            "a.csv:3: column 'a': expected a number written like 1234,5, found '1.5'");
}

// A cell behind the sample changes the kind or the form of its column.
TEST(Csv, AColumnIsWhatAllOfItsCellsMakeOfIt) {
  std::string rows = "a,b,c\n";
  while (rows.size() < 1200000) rows += "1,2,\"3,5\"\n";
  const auto lines = std::count(rows.begin(), rows.end(), '\n');
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      const Table table = read(rows + "1,oops,\"4,25\"\n7.5,2,6\n", {}, 4096);
      EXPECT_FALSE(table.schema.categorical(0));
      EXPECT_EQ(table.schema.column(1).levels, (Names{"2", "oops"}));
      EXPECT_EQ(cell(table, 0, 2), 3.5);
      EXPECT_EQ(cell(table, table.rows() - 2, 2), 4.25);
      ASSERT_EQ(table.notes.size(), 2U);
      EXPECT_EQ(table.notes[0].column, "b");
      EXPECT_EQ(table.notes[0].text,
                fmt::format("mixes numbers and text: read as text (line {}: 'oops')", lines + 1));
      EXPECT_EQ(table.notes[1].text, "decimal comma");
      const Table later = read(rows + "1,2,\"4.000,25\"\n", {}, 4096);
      EXPECT_EQ(cell(later, later.rows() - 1, 2), 4000.25);
      EXPECT_EQ(cell(later, 0, 2), 3.5);
      const Table text = read(rows + "1,2,4.25\n", {}, 4096);
      EXPECT_TRUE(text.schema.categorical(2));
    });
}

TEST(Csv, ColumnsOfAModelKeepTheirForm) {
  NumberForm price;
  price.group = ',';
  price.unit = "$";
  const Schema schema({{"price", false, {}, price}, {"plain", false, {}, {}}});
  ReadOptions options;
  options.expected = &schema;
  const Table table = read("plain,price\n\"1,5\",\"$1,234\"\n\"2,25\",7\n", options);
  EXPECT_EQ(cell(table, 0, 1), 1234);
  EXPECT_EQ(cell(table, 1, 1), 7);
  EXPECT_EQ(cell(table, 0, 0), 1.5);
  EXPECT_EQ(error_of("plain,price\n1,$5\n2,€7\n", options),
            "a.csv:3: column 'price': expected a number written like $1,234.5, found '€7'");
  EXPECT_EQ(error_of("plain,price\n2024-01-01,$5\n", options),
            "a.csv:2: column 'plain': expected a number, found '2024-01-01'");
  // Marks that are named win over those of the training.
  options.forms.decimal = ',';
  EXPECT_EQ(cell(read("plain,price\n1,\"$1,25\"\n", options), 0, 1), 1.25);
}

TEST(Csv, RowsThatCannotBeReadAreLeftOutWhenAskedFor) {
  ReadOptions options;
  options.bad_rows = BadRows::skip;
  options.numeric = {"v"};
  std::string text = "t,v\n";
  for (int i = 0; i < 5000; ++i)
    text += i % 1000 == 500   ? "x\n"
            : i % 1000 == 501 ? "y,word\n"
            : i % 1000 == 502 ? "\"q\"z,1\n"
                              : "\"a\nb\",1\n";
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      const Table table = read(text, options, 512);
      EXPECT_EQ(table.rows(), 5000 - 15);
      EXPECT_EQ(table.unread.count, 15);
      EXPECT_EQ(table.unread.first, "a.csv:1002: expected 2 fields, found 1");
      EXPECT_EQ(table.schema.column(0).levels, (Names{"a\nb"}));
      EXPECT_EQ(table.noticed[1].missing, 0);
    });
  EXPECT_EQ(error_of("t,v\nx\ny\n", options),
            "a.csv: no row can be read; the first: a.csv:2: expected 2 fields, found 1");
  EXPECT_EQ(error_of("t,v\nx,1\n\"y,2\n", options), "a.csv:3: the quote that opens here is never closed");
}

TEST(Csv, ReadsNumbersBelowTheSmallestDoubleAsZero) {
  EXPECT_EQ(cell(read("a,b\n1e-400,1\n2,3\n"), 0, 0), 0);
}

TEST(Csv, RefusesRaggedRowsWithTheCounts) {
  EXPECT_EQ(error_of("a,b,c\n1,2,3\n4,5\n6,7,8\n"), "a.csv:3: expected 3 fields, found 2");
  EXPECT_EQ(error_of("a,b,c\n1,2,3\n4,5,6,7\n"), "a.csv:3: expected 3 fields, found 4");
  EXPECT_EQ(error_of("a,b,c\n1,2,3\n4,5,6\n7"), "a.csv:4: expected 3 fields, found 1");
}

TEST(Csv, RefusesAnUnclosedQuoteAtTheLineWhereItOpens) {
  EXPECT_EQ(error_of("a,b\n1,x\n2,\"y\n3,z\n"), "a.csv:3: the quote that opens here is never closed");
  EXPECT_EQ(error_of("\"a,b\n1,x\n"), "a.csv:1: the quote that opens here is never closed");
  EXPECT_EQ(error_of("a,\"b\"c\n1,x\n"),
            "a.csv:1: text follows a closing quote; a quote inside quotes is written twice");
  EXPECT_EQ(error_of("a,b\n1,\"x\"y\n"),
            "a.csv:2: text follows a closing quote; a quote inside quotes is written twice");
}

TEST(Csv, RefusesAnEmbeddedNul) {
  using namespace std::string_literals;
  EXPECT_EQ(error_of("a,b\n1,2\n3,\0\n"s), "a.csv:3: the line holds a NUL byte; is this a text file?");
  EXPECT_EQ(error_of("a,\0\n1,2\n"s), "a.csv:1: the line holds a NUL byte; is this a text file?");
  EXPECT_EQ(error_of("a,b\n1,\"x\n\0\"\n"s), "a.csv:3: the line holds a NUL byte; is this a text file?");
  EXPECT_EQ(error_of("\xFF\xFE"
                     "a\0,\0"s),
            "a.csv:1: the file is in UTF-16; save it as UTF-8");
}

TEST(Csv, ReadsCrlfBomAndAMissingLastLineEnd) {
  for (const char* text :
       {"a,b\r\n1,2\r\n3,4\r\n",
        "\xEF\xBB\xBF"
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4", "a,b\n\n1,2\n\r\n   \n3,4\n\n", "a,b\n1,2\n3,4\r"}) {
    const Table table = read(text);
    EXPECT_EQ(names(table), (Names{"a", "b"})) << text;
    ASSERT_EQ(table.rows(), 2) << text;
    EXPECT_EQ(cell(table, 0, 1), 2) << text;
    EXPECT_EQ(cell(table, 1, 1), 4) << text;
  }
}

TEST(Csv, RefusesAnEmptyFileAndAHeaderWithoutRows) {
  for (const char* text : {"", "\n", "\r\n\n", "\xEF\xBB\xBF", "  \n"})
    EXPECT_EQ(error_of(text), "a.csv: the file is empty") << text;
  EXPECT_EQ(error_of("a,b\n"), "a.csv:1: only a header, no rows");
  EXPECT_EQ(error_of("a,b\n\n\n"), "a.csv:1: only a header, no rows");
  EXPECT_EQ(error_of("a,b"), "a.csv:1: only a header, no rows");
}

TEST(Csv, ReportsTheFirstErrorOfTheFileWhateverTheThreads) {
  ReadOptions options;
  options.numeric = {"b"};
  std::string text = "a,b\n";
  for (int i = 0; i < 3000; ++i)
    text += i == 700 ? "1,x\n" : i == 650 ? "1\n" : i > 2000 ? "oops\n" : "1,2\n";
  for (const int threads : {1, 2, 4})
    with_threads(threads, [&] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        try {
          read(text, options, 64);
          FAIL();
        } catch (const Error& error) {
          EXPECT_STREQ(error.what(), "a.csv:652: expected 2 fields, found 1");
        }
      }
    });
}

// Quoting.

TEST(Csv, QuotedCellsKeepSeparatorsLineEndsQuotesAndBlanks) {
  const Table table =
      read("name,v\n\"a, b\",1\n\"line\nend\",2\n\"say \"\"hi\"\"\",3\n\" padded \",4\n  bare  ,5\n");
  ASSERT_EQ(table.rows(), 5);
  EXPECT_EQ(text_cell(table, 0, 0), "a, b");
  EXPECT_EQ(text_cell(table, 1, 0), "line\nend");
  EXPECT_EQ(text_cell(table, 2, 0), "say \"hi\"");
  EXPECT_EQ(text_cell(table, 3, 0), " padded ");
  EXPECT_EQ(text_cell(table, 4, 0), "bare");
  EXPECT_EQ(table.noticed[0].level_line.size(), 5U);
  EXPECT_EQ(cell(table, 4, 1), 5);
}

TEST(Csv, AQuoteInsideAnUnquotedCellIsAnOrdinaryCharacter) {
  const Table table = read("name,v\n5\" pipe,1\nsix \"q\" x,2\n");
  EXPECT_EQ(text_cell(table, 0, 0), "5\" pipe");
  EXPECT_EQ(text_cell(table, 1, 0), "six \"q\" x");
}

TEST(Csv, NumbersInQuotesAreNumbers) {
  const Table table = read("a,b\n\"1\",\"2.5\"\n \"3\" ,\" 4\"\n");
  EXPECT_EQ(cell(table, 0, 1), 2.5);
  EXPECT_EQ(cell(table, 1, 0), 3);
}

TEST(Csv, LineNumbersCountLineEndsInsideQuotes) {
  ReadOptions options;
  options.numeric = {"v"};
  EXPECT_EQ(error_of("t,v\n\"a\nb\nc\",1\n\nx,oops\ny,2\nz,3\n", options),
            "a.csv:6: column 'v': expected a number, found 'oops'");
  EXPECT_EQ(error_of("t,v\n\"a\nb\nc\",oops\nx,1\nz,2\n", options),
            "a.csv:4: column 'v': expected a number, found 'oops'");
}

// Detection.

TEST(Csv, DetectsTheSeparator) {
  for (const std::string separator : {",", ";", "\t", "|", " "}) {
    const std::string s = separator;
    const Table table = read("a" + s + "b" + s + "c\n1" + s + "2" + s + "3\n4" + s + "5" + s + "6\n");
    EXPECT_EQ(names(table), (Names{"a", "b", "c"})) << "separator '" << s << "'";
    EXPECT_EQ(cell(table, 1, 1), 5);
  }
  EXPECT_EQ(names(read("a b;c, d\n1;2\n3;4\n")), (Names{"a b", "c, d"}));
  EXPECT_EQ(names(read("\"a;b;c\",d\n1,2\n3,4\n")), (Names{"a;b;c", "d"}));
  EXPECT_EQ(read("39, State-gov, 77516\n50, Self emp, 83311\n").schema.size(), 3);
}

TEST(Csv, SeparatorOptionOverridesDetection) {
  ReadOptions options;
  options.separator = '#';
  const Table table = read("a,x#b\n1#2\n", options);
  EXPECT_EQ(names(table), (Names{"a,x", "b"}));
  options.separator = '"';
  EXPECT_EQ(error_of("a,b\n1,2\n", options, Code::usage),
            "a.csv: a quote or a line end cannot separate fields");
}

TEST(Csv, ARunOfBlanksSeparatesOnce) {
  const Table table = read("  1   2.5 3\n 4  5   6  \n7\t8 9\n");
  ASSERT_EQ(table.rows(), 3);
  ASSERT_EQ(table.schema.size(), 3);
  EXPECT_EQ(cell(table, 1, 2), 6);
  EXPECT_EQ(cell(table, 2, 1), 8);
}

TEST(Csv, ReadsFilesOfOneColumn) {
  const Table table = read("v\n1\n\n2\n3\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(cell(table, 2, 0), 3);
  const Table words = read("town\nNew York\nParis\nSan Jose del Monte\n\"\"\nNA\n");
  ASSERT_EQ(words.rows(), 5);
  EXPECT_EQ(text_cell(words, 2, 0), "San Jose del Monte");
  EXPECT_EQ(words.noticed[0].missing, 2);
  EXPECT_EQ(words.noticed[0].first_missing_line, 5);
}

TEST(Csv, DetectsTheHeader) {
  EXPECT_EQ(names(read("1,2\n3,4\n")), (Names{"x1", "x2"}));
  EXPECT_TRUE(read("1,2\n3,4\n").schema.is_numbered());
  EXPECT_EQ(names(read("a,2\nb,4\nc,5\n")), (Names{"x1", "x2"}));
  EXPECT_EQ(names(read("kind,size\nred,small\nblue,small\nred,big\n")), (Names{"kind", "size"}));
  EXPECT_EQ(names(read("red,small\nblue,small\nred,big\n")), (Names{"x1", "x2"}));
  EXPECT_EQ(read("5\n").rows(), 1);
}

TEST(Csv, HeaderOptionOverridesDetection) {
  ReadOptions options;
  options.header = true;
  EXPECT_EQ(names(read("1,2\n3,4\n", options)), (Names{"1", "2"}));
  options.header = false;
  EXPECT_EQ(read("a,b\nc,d\n", options).rows(), 2);
}

TEST(Csv, NamesEmptyHeaderCellsByPositionAndMakesDuplicatesUnique) {
  EXPECT_EQ(names(read("a,,c\n1,2,3\n")), (Names{"a", "x2", "c"}));
  const Table table = read("a,b,a\n1,2,3\n");
  EXPECT_EQ(names(table), (Names{"a", "b", "a.1"}));
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(table.notes[0].text, "column 3 is the second named 'a'");
}

// Types and missing cells.

TEST(Csv, MissingCellsAreNanAndCounted) {
  const Table table = read("a,b,t\n1,,x\nNA,2,?\n3, . ,\n4,5,\"NA\"\n");
  ASSERT_EQ(table.rows(), 4);
  EXPECT_TRUE(std::isnan(cell(table, 0, 1)));
  EXPECT_TRUE(std::isnan(cell(table, 1, 0)));
  EXPECT_TRUE(std::isnan(cell(table, 3, 2)));
  ASSERT_EQ(table.noticed.size(), 3U);
  EXPECT_EQ(table.noticed[0].missing, 1);
  EXPECT_EQ(table.noticed[0].first_missing_line, 3);
  EXPECT_EQ(table.noticed[1].missing, 2);
  EXPECT_EQ(table.noticed[1].first_missing_line, 2);
  EXPECT_EQ(table.noticed[2].missing, 3);
  EXPECT_EQ(table.schema.column(2).levels, (Names{"x"}));
}

TEST(Csv, AColumnIsNumericWhenAllOfItIsNumbers) {
  EXPECT_TRUE(read("a,b\nx,1\ny,2\n3,4\n").schema.categorical(0));
  EXPECT_TRUE(read("a,b\nx,1\n2,2\n3,4\n").schema.categorical(0));
  EXPECT_FALSE(read("a,b\n,1\n,2\n").schema.categorical(0));
}

TEST(Csv, TypeOptionsOverrideInference) {
  ReadOptions options;
  options.categorical = {"a", "2"};
  const Table table = read("a,b,c\n10,007,1\n9,7,2\n", options);
  EXPECT_EQ(table.schema.column(0).levels, (Names{"9", "10"}));
  EXPECT_EQ(text_cell(table, 0, 1), "007");
  EXPECT_FALSE(table.schema.categorical(2));
  options.categorical = {};
  options.numeric = {"t"};
  EXPECT_EQ(error_of("t,v\nx,1\ny,2\n", options), "a.csv:2: column 't': expected a number, found 'x'");
  options.categorical = {"t"};
  EXPECT_NE(error_of("t,v\nx,1\n", options, Code::usage).find("both numeric and categorical"),
            std::string::npos);
  options.categorical = {"nope"};
  EXPECT_EQ(error_of("t,v\n1,1\n", options, Code::usage), "a.csv: no column 'nope'; the columns are: t, v");
}

TEST(Csv, AColumnEmptyInTheSampleIsDecidedByItsFirstValue) {
  std::string rows = "a,late,never\n";
  while (rows.size() < 1200000) rows += "1,,\n";
  const Table words = read(rows + "2,word,\n3,other,\n");
  EXPECT_TRUE(words.schema.categorical(1));
  EXPECT_EQ(words.schema.column(1).levels, (Names{"other", "word"}));
  EXPECT_EQ(text_cell(words, words.rows() - 2, 1), "word");
  EXPECT_FALSE(words.schema.categorical(2));
  const Table numbers = read(rows + "2,7.5,\n");
  EXPECT_FALSE(numbers.schema.categorical(1));
  EXPECT_EQ(cell(numbers, numbers.rows() - 1, 1), 7.5);
  const Table mixed = read(rows + "2,7.5,\n3,word,\n");
  EXPECT_EQ(mixed.schema.column(1).levels, (Names{"7.5", "word"}));
}

TEST(Csv, LevelsAreSortedAndRememberTheirFirstLine) {
  const Table table = read("t,v\nb,1\na,2\nb,3\nc,4\na,5\n");
  EXPECT_EQ(table.schema.column(0).levels, (Names{"a", "b", "c"}));
  EXPECT_EQ(table.noticed[0].level_line, (std::vector<Index>{3, 2, 5}));
}

// Choosing columns.

TEST(Csv, SideColumnsStandApart) {
  ReadOptions options;
  options.side = {{"y", true, true}, {"w", false, true}, {"absent", true, false}};
  const Table table = read("a,y,w,b\n1,10,0.5,2\n3,9,,4\n5,,2,6\n", options);
  EXPECT_EQ(names(table), (Names{"a", "b"}));
  ASSERT_EQ(table.side.size(), 2U);
  const SideColumn& y = table.side[0];
  EXPECT_TRUE(y.text);
  EXPECT_EQ(y.levels, (Names{"9", "10"}));
  EXPECT_EQ(y.values[0], 1);
  EXPECT_TRUE(std::isnan(y.values[2]));
  EXPECT_EQ(y.noticed.missing, 1);
  EXPECT_EQ(y.noticed.first_missing_line, 4);
  EXPECT_EQ(table.side[1].values[2], 2);
  EXPECT_EQ(cell(table, 2, 1), 6);
  options.side = {{"nope", true, true}};
  EXPECT_EQ(error_of("a,b\n1,2\n", options, Code::usage), "a.csv: no column 'nope'; the columns are: a, b");
  options.side = {{"a", false, true}};
  EXPECT_EQ(error_of("a,b\nx,2\n", options), "a.csv:2: column 'a': expected a number, found 'x'");
}

TEST(Csv, ColumnsWithoutNamesCountAllColumnsOfTheFile) {
  ReadOptions options;
  options.side = {{"2", true, true}};
  const Table table = read("1,2,3\n4,5,6\n", options);
  EXPECT_EQ(names(table), (Names{"x1", "x3"}));
  options.side = {{"x3", true, true}};
  EXPECT_TRUE(read("1,2,3\n4,5,6\n", options).schema.is_numbered());
}

TEST(Csv, SkippedColumnsAreNotParsedButStillCount) {
  ReadOptions options;
  options.ignore = {"bad"};
  const Table table = read("a,bad,b\n1,nan,2\n3,4,5\n6,x,7\n", options);
  EXPECT_EQ(names(table), (Names{"a", "b"}));
  EXPECT_EQ(cell(table, 2, 1), 7);
  EXPECT_EQ(error_of("a,bad,b\n1,nan,2\n3,4\n", options), "a.csv:3: expected 3 fields, found 2");
  EXPECT_NE(error_of("a,bad,b\n1,\"x,2\n3,4,5\n", options), "");
  options.ignore = {};
  options.features = {"b"};
  EXPECT_EQ(names(read("a,bad,b\n1,nan,2\n", options)), (Names{"b"}));
}

TEST(Csv, ExpectedColumnsAreReadWithTheirTypesAndOthersSkipped) {
  const Schema schema({{"zip", true, {"1"}}, {"v", false, {}}});
  ReadOptions options;
  options.expected = &schema;
  const Table table = read("v,extra,zip\n1,nan,007\n2,x,12\n", options);
  EXPECT_EQ(names(table), (Names{"v", "zip"}));
  EXPECT_EQ(text_cell(table, 0, 1), "007");
  EXPECT_EQ(error_of("v,zip\nword,1\nother,2\n", options),
            "a.csv:2: column 'v': expected a number, found 'word'");
  const Schema numbered = Schema::numbered(2);
  options.expected = &numbered;
  EXPECT_EQ(names(read("1,2,3\n4,5,6\n", options)), (Names{"x1", "x2"}));
}

// Threads, chunks, interruption.

TEST(Csv, TheMonitorSeesTheBytesAndCanStopTheReading) {
  std::string text = "a,b\n";
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  std::atomic<std::int64_t> most = 0;
  ReadOptions options;
  options.monitor = [&](const Progress& progress) {
    EXPECT_EQ(progress.total, static_cast<std::int64_t>(text.size()));
    std::int64_t before = most;
    while (progress.done > before && !most.compare_exchange_weak(before, progress.done)) {
    }
    return true;
  };
  read(text, options, 256);
  EXPECT_GT(most, 3900);
  options.monitor = [](const Progress& progress) { return progress.done < 1000; };
  try {
    read(text, options, 256);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::interrupted);
  }
}

TEST(Csv, TooManyColumnsAreRefusedWithoutReadingThemAll) {
  for (const bool header : {false, true}) {
    ReadOptions options;
    options.header = header;
    const std::string text = "\n" + std::string(10'000'000, ',') + "\n1\n";
    const std::clock_t start = std::clock();
    const auto result = attempt([&] { return read(text, options); });
    ASSERT_FALSE(result.ok());
    EXPECT_STREQ(
        result.error().what(),
        "a.csv:2: there are more than 1000000 columns; for so many, use a sparse format such as LIBSVM");
    EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC);
  }
}

}  // namespace
}  // namespace discern::csv_test
