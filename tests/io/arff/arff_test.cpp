#include "discern/io/arff/arff.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern::arff_test {
namespace {

Table read(const std::string& text, const ReadOptions& options = {}, std::size_t chunk = csv_chunk_bytes) {
  const auto owner = std::make_shared<std::string>(text);
  return read_arff_text(FileContent(owner, *owner), "a.arff", options, chunk);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
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

const std::string weather =
    "% a comment\n@RELATION weather\n\n@attribute 'out look' {sunny, 'over cast', rainy}\n"
    "@attribute temperature REAL\n@ATTRIBUTE humidity integer\n@attribute note string\n@attribute \"play\" "
    "{yes,no}\n"
    "\n@data\n";

TEST(Arff, ReadsNumbersNominalsStringsCommentsAndMissing) {
  const Table table =
      read(weather +
           "sunny,85,85,first,no\n% between\n'over cast', 83.5 ,86,'it\\'s',yes\n\nrainy,?,96,\"a, b\",?\n");
  ASSERT_EQ(table.rows(), 3);
  EXPECT_EQ(table.schema.name(0), "out look");
  EXPECT_EQ(table.schema.name(4), "play");
  EXPECT_EQ(text_cell(table, 1, 0), "over cast");
  EXPECT_EQ(cell(table, 1, 1), 83.5);
  EXPECT_TRUE(std::isnan(cell(table, 2, 1)));
  EXPECT_EQ(text_cell(table, 1, 3), "it's");
  EXPECT_EQ(text_cell(table, 2, 3), "a, b");
  EXPECT_TRUE(std::isnan(cell(table, 2, 4)));
  EXPECT_EQ(table.noticed[1].missing, 1);
  EXPECT_EQ(table.noticed[1].first_missing_line, 15);
  EXPECT_EQ(table.noticed[0].level_line, (std::vector<Index>{13, 15, 11}));
}

TEST(Arff, OnlyAQuestionMarkWithoutQuotesIsMissing) {
  const Table table =
      read("@relation r\n@attribute a {NA,'?',.}\n@attribute b numeric\n@data\nNA,1\n'?',2\n.,3\n?,4\n");
  EXPECT_EQ(text_cell(table, 0, 0), "NA");
  EXPECT_EQ(text_cell(table, 1, 0), "?");
  EXPECT_EQ(text_cell(table, 2, 0), ".");
  EXPECT_EQ(table.noticed[0].missing, 1);
}

TEST(Arff, RefusesAValueThatIsNotDeclared) {
  EXPECT_EQ(error_of(weather + "sunny,1,2,x,no\nfoggy,1,2,x,no\n"),
            "a.arff:12: column 'out look': 'foggy' is not among the declared values");
}

TEST(Arff, RefusesDatesAndUnknownTypesByName) {
  EXPECT_EQ(error_of("@relation r\n@attribute when date 'yyyy'\n@data\n1\n"),
            "a.arff:2: column 'when': attributes of type date are not supported");
  EXPECT_EQ(error_of("@relation r\n@attribute a number\n@data\n1\n"),
            "a.arff:2: column 'a': expected numeric, string or {values}, found 'number'");
}

TEST(Arff, RefusesWhatIsNotArffOrHoldsNoRows) {
  EXPECT_EQ(error_of(""), "a.arff: the file is empty");
  EXPECT_EQ(error_of("a,b\n1,2\n"), "a.arff:1: expected @relation, @attribute or @data, found 'a,b'");
  EXPECT_EQ(error_of("@relation r\n@attribute a numeric\n"), "a.arff: there is no @data line");
  EXPECT_EQ(error_of("@relation r\n@attribute a numeric\n@data\n% nothing\n"),
            "a.arff: only a header, no rows");
  EXPECT_EQ(error_of("@relation r\n@data\n1\n"), "a.arff:2: @data comes before any @attribute");
  EXPECT_EQ(error_of("@relation r\n@attribute a {x,y\n@data\nx\n"),
            "a.arff:2: column 'a': the list of values ends without '}'");
  EXPECT_EQ(error_of("@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n"),
            "a.arff: two columns have the name 'a' (numbers 1 and 2)");
}

TEST(Arff, BadCellsAndRaggedRowsAreNamed) {
  EXPECT_EQ(
      error_of("@relation r\n@attribute a numeric\n@attribute b real\n@data\n1,2\n3,nan\n"),
      "a.arff:6: column 'b': expected a number, found 'nan'; leave the cell empty if the value is missing");
  EXPECT_EQ(error_of("@relation r\n@attribute a numeric\n@attribute b real\n@data\n1,2\n3\n"),
            "a.arff:6: expected 2 fields, found 1");
  EXPECT_EQ(error_of("@relation r\n@attribute a string\n@data\n'x\ny'\n"),
            "a.arff:4: the quote that opens here is never closed");
}

TEST(Arff, ReadsSparseRows) {
  const std::string header =
      "@relation r\n@attribute a numeric\n@attribute b {u,v}\n@attribute c numeric\n@data\n";
  const Table table = read(header + "{0 1.5, 2 3}\n{ 1 v }\n{}\n7,'v',8\n{1 ?,2 -4}\n");
  ASSERT_EQ(table.rows(), 5);
  EXPECT_EQ(cell(table, 0, 0), 1.5);
  EXPECT_EQ(text_cell(table, 0, 1), "u");
  EXPECT_EQ(cell(table, 0, 2), 3);
  EXPECT_EQ(text_cell(table, 1, 1), "v");
  EXPECT_EQ(cell(table, 2, 2), 0);
  EXPECT_EQ(cell(table, 3, 2), 8);
  EXPECT_TRUE(std::isnan(cell(table, 4, 1)));
  EXPECT_EQ(cell(table, 4, 2), -4);
  EXPECT_EQ(error_of(header + "{0 1, 3 2}\n"),
            "a.arff:6: index 3 is beyond the last of 3 attributes (they count from 0)");
  EXPECT_EQ(error_of(header + "{2 1, 0 2}\n"), "a.arff:6: index 0 follows 2; indices must increase");
  EXPECT_EQ(error_of(header + "{0 1\n"), "a.arff:6: a sparse row ends without '}'");
  EXPECT_EQ(error_of(header + "{x 1}\n"), "a.arff:6: expected an attribute's index in a sparse row");
  EXPECT_EQ(error_of(header + "{0 1} 5\n"), "a.arff:6: text follows the closing '}'");
}

TEST(Arff, BlankLinesAreNoRowsOfAOneColumnTable) {
  std::string text = "@attribute s string\n@data\n";
  for (int i = 0; i < 20; ++i) text += "word\n\n \n";
  EXPECT_EQ(read(text).rows(), 20);
}

TEST(Arff, ColumnsAreChosenAsForCsv) {
  ReadOptions options;
  options.side = {{"play", true, true}};
  options.ignore = {"note"};
  options.categorical = {"humidity"};
  const Table table = read(weather + "sunny,85,85,first,no\nrainy,70,9,x,yes\n", options);
  EXPECT_EQ(table.schema.size(), 3);
  EXPECT_EQ(table.schema.column(2).levels, (std::vector<std::string>{"9", "85"}));
  EXPECT_EQ(table.side[0].levels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(table.side[0].values, (std::vector<double>{0, 1}));
}

TEST(Arff, TheCutsMakeNoDifference) {
  std::string text = weather;
  for (int i = 0; i < 200; ++i)
    text += (i % 7 == 0 ? "% 'open\n" : "") + std::string(i % 5 == 0 ? "'over cast'" : "rainy") + ",0." +
            std::to_string(i) + ",1,s" + std::to_string(i % 13) + ",yes\n";
  const Table whole = read(text);
  ASSERT_EQ(whole.rows(), 200);
  for (const std::size_t chunk : {1U, 5U, 40U, 333U}) {
    Table cut;
    with_threads(2, [&] { cut = read(text, {}, chunk); });
    ASSERT_EQ(cut.rows(), whole.rows());
    for (Index i = 0; i < 200; ++i)
      for (Index j = 0; j < 5; ++j) ASSERT_EQ(cell(cut, i, j), cell(whole, i, j));
    EXPECT_EQ(cut.noticed[3].level_line, whole.noticed[3].level_line);
  }
}

TEST(Arff, WhatIsWrittenReadsBackAsItWas) {
  Table table;
  table.schema = Schema({{"a b", false, {}}, {"t", true, {"", "?", "NA", "it's \"x\"\n\\%", "plain"}}});
  table.x = DenseMatrix<double>{
      Buffer<double>(std::vector<double>{0.1, 0, std::nan(""), 1, 3, 2, 4, 3, 5, 4, 6, std::nan("")}), 6, 2};
  table.side = {{"y", true, {"no", "yes"}, {0, 1, 1, 1, 0, 1}, {}}};
  const std::string path = ::testing::TempDir() + "/discern-arff-test.arff";
  write_arff(table, path);
  ReadOptions options;
  options.side = {{"y", true, true}};
  const Table back = read_arff(path, options);
  std::remove(path.c_str());
  ASSERT_EQ(back.rows(), 6);
  EXPECT_EQ(back.schema.name(0), "a b");
  EXPECT_EQ(back.schema.column(1).levels, table.schema.column(1).levels);
  EXPECT_EQ(back.side[0].values, table.side[0].values);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 2; ++j) {
      const double u = cell(table, i, j), v = cell(back, i, j);
      EXPECT_TRUE(u == v || (std::isnan(u) && std::isnan(v)));
    }
}

}  // namespace
}  // namespace discern::arff_test
