#include "discern/io/sqlite/sqlite.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "discern/base/error.hpp"
#include "discern/io/table/write.hpp"
#include "tests/io/file/scratch_folder.hpp"
#include "tests/io/table/table_equality.hpp"

namespace discern::sqlite_test {
namespace {

class Sqlite : public ::testing::Test {
 protected:
  void run(const std::string& statements) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &problem), SQLITE_OK) << problem;
    sqlite3_close(database);
  }
  Table read(const ReadOptions& options = {}) { return read_table(path_, options); }
  Error error_of(const ReadOptions& options = {}) {
    const auto result = attempt([&] { return read(options); });
    if (!result.ok()) return result.error();
    ADD_FAILURE() << "was accepted";
    return Error(Code::usage, "was accepted");
  }

  ScratchFolder folder_;
  std::string path_ = folder_.path("a.sqlite");
};

TEST_F(Sqlite, ColumnsHaveTheTypesOfTheirValues) {
  run("CREATE TABLE people (age INTEGER, height REAL, town TEXT, empty);"
      "INSERT INTO people VALUES (30, 1.75, 'Ulm', NULL), (NULL, 2, 'Aue', NULL), (41, 1.5, NULL, NULL);");
  const Table table = read();
  ASSERT_EQ(table.rows(), 3);
  ASSERT_EQ(table.schema.size(), 4);
  EXPECT_EQ(table.schema.name(0), "age");
  EXPECT_FALSE(table.schema.categorical(0));
  EXPECT_TRUE(table.schema.categorical(2));
  EXPECT_EQ(table.schema.column(2).levels, (std::vector<std::string>{"Aue", "Ulm"}));
  EXPECT_EQ(cell(table.x, 0, 2), 1);
  EXPECT_EQ(cell(table.x, 0, 1), 1.75);
  EXPECT_TRUE(std::isnan(cell(table.x, 1, 0)));
  EXPECT_EQ(table.noticed[0].missing, 1);
  EXPECT_EQ(table.noticed[0].first_missing_line, 2);
  EXPECT_EQ(table.noticed[3].missing, 3);
  EXPECT_EQ(table.noticed[2].level_line, (std::vector<Index>{2, 1}));
}

TEST_F(Sqlite, AQueryGivesTheTable) {
  run("CREATE TABLE a (x); CREATE TABLE b (y); INSERT INTO a VALUES (1), (2); INSERT INTO b VALUES (5);");
  ReadOptions options;
  options.query = "SELECT x, x * y AS product FROM a, b ORDER BY x DESC;";
  const Table table = read(options);
  EXPECT_EQ(table.schema.name(1), "product");
  EXPECT_EQ(cell(table.x, 0, 1), 10);
}

TEST_F(Sqlite, SeveralTablesAreListed) {
  run("CREATE TABLE zebra (x); CREATE TABLE ant (y);");
  const Error error = error_of();
  EXPECT_EQ(error.code(), Code::usage);
  EXPECT_NE(error.message().find("(ant, zebra)"), std::string::npos) << error.message();
}

TEST_F(Sqlite, NothingToReadIsRefused) {
  run("CREATE TABLE a (x);");
  EXPECT_EQ(error_of().message(), "the table holds no rows");
  run("DROP TABLE a;");
  EXPECT_EQ(error_of().message(), "the database holds no table");
}

TEST_F(Sqlite, BlobsAndInfinitiesAreRefusedWithRowAndColumn) {
  run("CREATE TABLE a (x, y); INSERT INTO a VALUES (1, 2), (1, x'00ff');");
  EXPECT_EQ(error_of().place().line, 2);
  EXPECT_EQ(error_of().place().column, "y");
  run("DELETE FROM a; INSERT INTO a VALUES (1, 2), (1, 2), (9e999, 3);");
  EXPECT_EQ(error_of().place().line, 3);
  EXPECT_EQ(error_of().place().column, "x");
}

TEST_F(Sqlite, NumbersAmongTextsBecomeText) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (10), (2.5), (NULL), ('b'), (7), (7.0);");
  const Table table = read();
  EXPECT_EQ(table.schema.column(0).levels, (std::vector<std::string>{"10", "2.5", "7", "7.0", "b"}));
  EXPECT_EQ(cell(table.x, 4, 0), 2);
  EXPECT_TRUE(std::isnan(cell(table.x, 2, 0)));
}

TEST_F(Sqlite, TypesCanBePrescribed) {
  run("CREATE TABLE a (code, amount); INSERT INTO a VALUES (10, '1.5'), (9, '2');");
  ReadOptions options;
  options.categorical = {"code"};
  options.numeric = {"amount"};
  const Table table = read(options);
  EXPECT_EQ(table.schema.column(0).levels, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(cell(table.x, 0, 1), 1.5);
  run("INSERT INTO a VALUES (1, 'much');");
  EXPECT_STREQ(error_of(options).what(),
               (path_ + ":3: column 'amount': expected a number, found 'much'").c_str());
}

TEST_F(Sqlite, LabelsKeepTheirText) {
  run("CREATE TABLE a (x, id); INSERT INTO a VALUES (1, 9007199254740993), (2, 9007199254740992);");
  ReadOptions options;
  options.side = {{"id", true, true}};
  const Table table = read(options);
  EXPECT_EQ(table.schema.size(), 1);
  ASSERT_EQ(table.side[0].levels.size(), 2U);
  EXPECT_EQ(table.side[0].levels[static_cast<std::size_t>(table.side[0].values[0])], "9007199254740993");
}

TEST_F(Sqlite, OnlyOneReadingQueryIsAccepted) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (1);");
  const std::string before = ScratchFolder::content(path_);
  for (const char* query :
       {"DELETE FROM a", "DROP TABLE a", "SELECT * FROM a; DROP TABLE a", "SELECT nothing FROM a", "not SQL",
        ";", "ATTACH 'b' AS b", "PRAGMA user_version = 3"}) {
    ReadOptions options;
    options.query = query;
    EXPECT_EQ(error_of(options).code(), Code::usage) << query;
  }
  EXPECT_EQ(ScratchFolder::content(path_), before);
}

TEST_F(Sqlite, OtherFilesAreRefused) {
  folder_.file("a.sqlite", "a,b,c\n1,2,3\n" + std::string(2000, 'x'));
  EXPECT_EQ(error_of().code(), Code::data);
  std::filesystem::remove(path_);
  EXPECT_EQ(error_of().code(), Code::io);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Sqlite, WritesWhatItReadsBack) {
  Table table;
  table.schema = Schema({{"a \"quoted\" name", false, {}}, {"kind", true, {"o'ne", "two"}}});
  table.x = DenseMatrix<double>{Buffer(std::vector<double>{0.1, 0, 2, NAN, NAN, 1}), 3, 2};
  table.side = {{"label", true, {"no", "yes"}, {1, 0, 1}, {}}, {"weight", false, {}, {1, 2, 0.5}, {}}};
  write_table(table, path_);
  ReadOptions options;
  options.side = {{"label", true, true}, {"weight", false, true}};
  expect_equal(read(options), table);
}

TEST_F(Sqlite, ReadsACompressedDatabase) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (1), (5);");
  FileWriter writer(path_ + ".gz");
  writer.write(ScratchFolder::content(path_));
  writer.commit();
  expect_equal(read_table(path_ + ".gz"), read());
}

TEST_F(Sqlite, AMonitorCanStopTheReading) {
  run("CREATE TABLE a (x); INSERT INTO a WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      "LIMIT 200000) "
      "SELECT i FROM n;");
  ReadOptions options;
  options.monitor = [](const Progress&) { return false; };
  EXPECT_EQ(error_of(options).code(), Code::interrupted);
}

}  // namespace
}  // namespace discern::sqlite_test
