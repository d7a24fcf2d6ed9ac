// The result of reading CSV does not depend on threads or on where the text is cut; and what is written
// reads back as it was.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/io/csv/csv.hpp"

namespace discern::csv_chunks_test {
namespace {

Table read(const std::string& text, const ReadOptions& options, std::size_t chunk) {
  const auto owner = std::make_shared<std::string>(text);
  return read_csv_text(FileContent(owner, *owner), "a.csv", options, chunk);
}

bool same_bits(const double* a, const double* b, Index count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(double)) == 0;
}
bool same_bits(const float* a, const float* b, Index count) {
  return std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof(float)) == 0;
}

bool same(const Noticed& a, const Noticed& b) {
  return a.missing == b.missing && a.first_missing_line == b.first_missing_line &&
         a.level_line == b.level_line;
}

bool same_features(const Table& a, const Table& b) {
  if (a.x.index() != b.x.index() || a.rows() != b.rows() || a.schema.size() != b.schema.size()) return false;
  for (Index j = 0; j < a.schema.size(); ++j)
    if (a.schema.name(j) != b.schema.name(j) || a.schema.column(j).levels != b.schema.column(j).levels)
      return false;
  return std::visit(
      [&](const auto& x) {
        using Matrix = std::decay_t<decltype(x)>;
        return same_bits(x.values.data(), std::get<Matrix>(b.x).values.data(), x.values.size());
      },
      a.x);
}

bool same(const Table& a, const Table& b) {
  if (!same_features(a, b) || a.noticed.size() != b.noticed.size() || a.side.size() != b.side.size())
    return false;
  for (std::size_t j = 0; j < a.noticed.size(); ++j)
    if (!same(a.noticed[j], b.noticed[j])) return false;
  for (std::size_t k = 0; k < a.side.size(); ++k) {
    if (a.side[k].levels != b.side[k].levels || !same(a.side[k].noticed, b.side[k].noticed)) return false;
    if (!same_bits(a.side[k].values.data(), b.side[k].values.data(), a.rows())) return false;
  }
  return true;
}

// What a read gives, as a table or as the words of its error.
struct Outcome {
  Table table;
  std::string error;
};

Outcome outcome_of(const std::string& text, const ReadOptions& options, std::size_t chunk) {
  try {
    return {read(text, options, chunk), ""};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

// Rows with quoted line ends, doubled quotes, blank lines, CRLF, missing cells, and now and then a fault.
std::string awkward_text(Random& random, bool faults) {
  std::string text = random.below(2) == 0 ? "n,t,u,y\n" : "n,t,u,y\r\n";
  const auto rows = 1 + random.below(60);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const std::string cells[] = {"1", "-2.5", "", "0.123456789012345678", " 3 ", "\"4\"", "NA", "1e3"};
    const std::string words[] = {"a", "b c",      "\"d,e\"", "\"f\ng\"", "\"h\"\"i\"",
                                 "",  "\"\n\n\"", "j\"k",    "\"\"",     "\"\r\n\""};
    text += cells[random.below(8)] + "," + words[random.below(10)] + "," + words[random.below(10)] + ",";
    text += faults && random.below(40) == 0 ? "x,y" : cells[random.below(8)];
    text += faults && random.below(60) == 0 ? "\"" : "";
    text += random.below(10) == 0 ? "\r\n" : "\n";
    if (random.below(8) == 0) text += random.below(2) == 0 ? "\n" : " \n";
  }
  if (random.below(2) == 0) text.pop_back();
  return text;
}

RC_GTEST_PROP(CsvChunks, TheCutsAndTheThreadsMakeNoDifference, (std::uint64_t seed)) {
  Random random(seed);
  const std::string text = awkward_text(random, random.below(2) == 0);
  ReadOptions options;
  options.header = true;
  options.separator = ',';
  options.numeric = {"n"};
  options.categorical = {"t", "u"};
  options.side = {{"y", random.below(2) == 0, true}};
  const Outcome whole = outcome_of(text, options, csv_chunk_bytes);
  for (const int threads : {1, 2})
    with_threads(threads, [&] {
      for (const std::size_t chunk : {1U, 2U, 3U, 7U, 16U, 64U, 100U, 1000U}) {
        const Outcome cut = outcome_of(text, options, chunk);
        RC_ASSERT(cut.error == whole.error);
        if (whole.error.empty()) RC_ASSERT(same(cut.table, whole.table));
      }
    });
}

TEST(CsvChunks, LevelsBeyondTheSampleAreTheSameForEveryCut) {
  std::string text = "id,t,v\n";
  for (int i = 0; text.size() < 3000000; ++i)
    text += fmt::format("id{},{},{}\n", (i * 7919) % 100003,
                        i < 100000   ? "early"
                        : i % 3 == 0 ? "early"
                                     : "late",
                        i % 100);
  Table one, two, cut;
  with_threads(1, [&] { one = read(text, {}, csv_chunk_bytes); });
  with_threads(2, [&] { two = read(text, {}, csv_chunk_bytes); });
  with_threads(2, [&] { cut = read(text, {}, 10007); });
  EXPECT_TRUE(same(one, two));
  EXPECT_TRUE(same(one, cut));
  EXPECT_EQ(one.schema.column(1).levels, (std::vector<std::string>{"early", "late"}));
  EXPECT_GT(one.schema.column(0).levels.size(), 100000U);
  EXPECT_EQ(one.noticed[1].level_line[1], 100002);
}

TEST(CsvChunks, RowsMayBeFarShorterThanInTheSample) {
  std::string text = "a,b\n";
  for (int i = 0; i < 6000; ++i)
    text += "1.000000000000000000000000000000,2.000000000000000000000000000000\n";
  for (int i = 0; i < 100000; ++i) text += "3,4\n";
  const Table table = read(text, {}, csv_chunk_bytes);
  ASSERT_EQ(table.rows(), 106000);
  const auto& x = std::get<DenseMatrix<float>>(table.x);
  EXPECT_EQ(x.values[0], 1);
  EXPECT_EQ(x.values[x.values.size() - 1], 4);
}

TEST(CsvChunks, AQuotedCellMaySpanManyChunks) {
  std::string text = "t,v\n\"";
  for (int i = 0; i < 500; ++i) text += "line, with separator\n";
  text += "\",1\nx,2\n";
  const Table table = read(text, {}, 64);
  ASSERT_EQ(table.rows(), 2);
  EXPECT_EQ(table.schema.column(0).levels[0].size(), 500U * 21U);
  EXPECT_EQ(table.noticed[0].level_line[1], 503);
}

// Writing.

std::string temporary(const char* name) {
  return fmt::format("{}/discern-csv-{}-{}", ::testing::TempDir(), ::getpid(), name);
}

struct Removed {
  std::string path;
  ~Removed() { std::remove(path.c_str()); }
};

std::string any_text(Random& random) {
  const char* const pieces[] = {"a", "B",  ",", "\"", "\n",   "\r", " ", "\t", ";",
                                "é", "NA", "1", ".",  "\r\n", "%",  "'", "\\"};
  std::string text;
  do {
    text.clear();
    for (auto k = 1 + random.below(6); k > 0; --k) text += pieces[random.below(17)];
  } while (text == "NA" || text == ".");
  return text;
}

double any_number(Random& random) {
  double value = 0;
  const std::uint64_t bits = random.bits();
  std::memcpy(&value, &bits, sizeof value);
  const auto kind = random.below(4);
  if (kind == 0) return std::nan("");
  if (kind == 1 && std::isfinite(value)) return value;
  return kind == 2 ? static_cast<double>(random.below(1000)) : std::nearbyint(random.normal() * 1e6) / 1e6;
}

Table any_table(Random& random, Index rows) {
  const auto columns = static_cast<Index>(1 + random.below(4));
  Table table;
  std::vector<Column> schema;
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (Index j = 0; j < columns; ++j) {
    Column column{any_text(random) + std::to_string(j) + "n", random.below(2) == 0, {}};
    if (column.categorical) {
      for (auto k = 1 + random.below(5); k > 0; --k) column.levels.push_back(any_text(random));
      sort_levels(column.levels);
      column.levels.erase(std::unique(column.levels.begin(), column.levels.end()), column.levels.end());
    }
    for (Index i = 0; i < rows; ++i) {
      const auto level =
          static_cast<double>(i % static_cast<Index>(std::max<std::size_t>(column.levels.size(), 1)));
      values[static_cast<std::size_t>(i * columns + j)] = column.categorical ? level : any_number(random);
    }
    schema.push_back(std::move(column));
  }
  table.schema = Schema(std::move(schema));
  table.x = DenseMatrix<double>{Buffer<double>(std::move(values)), rows, columns};
  return table;
}

void expect_equal_values(const Table& a, const Table& b) {
  RC_ASSERT(a.rows() == b.rows());
  RC_ASSERT(a.schema.size() == b.schema.size());
  const Index cells = a.rows() * a.schema.size();
  for (Index j = 0; j < a.schema.size(); ++j) {
    RC_ASSERT(a.schema.name(j) == b.schema.name(j));
    RC_ASSERT(a.schema.column(j).levels == b.schema.column(j).levels);
  }
  const auto value = [](const Table& t, Index i) {
    return std::visit([i](const auto& x) { return static_cast<double>(x.values[i]); }, t.x);
  };
  for (Index i = 0; i < cells; ++i) {
    const double u = value(a, i), v = value(b, i);
    RC_ASSERT((std::isnan(u) && std::isnan(v)) || (u == v && std::signbit(u) == std::signbit(v)));
  }
}

RC_GTEST_PROP(CsvWrite, WhatIsWrittenReadsBackAsItWas, (std::uint64_t seed)) {
  Random random(seed);
  const Table table = any_table(random, static_cast<Index>(10 + random.below(30)));
  ReadOptions options;
  options.header = true;
  for (Index j = 0; j < table.schema.size(); ++j)
    (table.schema.categorical(j) ? options.categorical : options.numeric).push_back(table.schema.name(j));
  const Removed csv{temporary("a.csv")}, tsv{temporary("a.tsv")};
  write_csv(table, csv.path);
  options.separator = ',';
  expect_equal_values(table, read_csv(csv.path, options));
  write_tsv(table, tsv.path);
  options.separator = std::nullopt;
  expect_equal_values(table, read_tsv(tsv.path, options));
}

std::string written(const Table& table) {
  const Removed file{temporary("w.csv")};
  write_csv(table, file.path);
  return std::string(FileContent(file.path).text());
}

TEST(CsvWrite, WritesSideColumnsAfterTheFeaturesAndMissingCellsAsNothing) {
  Table table;
  table.schema = Schema({{"a", false, {}}, {"t", true, {"x", "y, z"}}});
  table.x = DenseMatrix<double>{Buffer<double>(std::vector<double>{0.1, 1, std::nan(""), 0}), 2, 2};
  table.side = {{"label", true, {"no", "yes"}, {1, std::nan("")}, {}}};
  EXPECT_EQ(written(table), "a,t,label\n0.1,\"y, z\",yes\n,x,\n");
}

TEST(CsvWrite, AMissingCellAloneInItsRowIsWrittenInQuotes) {
  Table table;
  table.schema = Schema::numbered(1);
  table.x = DenseMatrix<double>{Buffer<double>(std::vector<double>{1, std::nan("")}), 2, 1};
  EXPECT_EQ(written(table), "x1\n1\n\"\"\n");
}

TEST(CsvWrite, WritesTheZerosOfSparseRows) {
  Table table;
  table.schema = Schema::numbered(3);
  table.x = SparseMatrix<double>{Buffer<double>(std::vector<double>{5, 7}),
                                 Buffer<std::uint32_t>(std::vector<std::uint32_t>{1, 0}),
                                 Buffer<std::int64_t>(std::vector<std::int64_t>{0, 1, 2}), 2, 3};
  EXPECT_EQ(written(table), "x1,x2,x3\n0,5,0\n7,0,0\n");
}

TEST(CsvWrite, RefusesATextThatWouldBeReadBackAsMissing) {
  Table table;
  table.schema = Schema({{"t", true, {"NA"}}});
  table.x = DenseMatrix<double>{Buffer<double>(std::vector<double>{0}), 1, 1};
  const std::string path = temporary("refused.csv");
  try {
    write_csv(table, path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::data);
    EXPECT_EQ(error.message(), "the text 'NA' would be read back as a missing value");
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST(CsvWrite, LargeTablesAreWrittenInOrder) {
  constexpr Index rows = 200000;
  std::vector<double> values(rows);
  for (Index i = 0; i < rows; ++i) values[static_cast<std::size_t>(i)] = static_cast<double>(i) / 8;
  Table table;
  table.schema = Schema({{"v", false, {}}});
  table.x = DenseMatrix<double>{Buffer<double>(std::move(values)), rows, 1};
  const Removed file{temporary("large.csv")};
  with_threads(2, [&] { write_csv(table, file.path); });
  const Table back = read_csv(file.path, {});
  ASSERT_EQ(back.rows(), rows);
  ASSERT_TRUE(std::holds_alternative<DenseMatrix<float>>(back.x));
  const auto& x = std::get<DenseMatrix<float>>(back.x);
  for (Index i = 0; i < rows; ++i) ASSERT_EQ(static_cast<double>(x.values[i]), static_cast<double>(i) / 8);
}

}  // namespace
}  // namespace discern::csv_chunks_test
