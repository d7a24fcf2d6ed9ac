#include "discern/io/sqlite/sqlite.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>

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

TEST_F(Sqlite, AQueryReachesNothingButTheData) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (1);");
  folder_.file("secret", "x");
  const std::string deep(2000, '('), end(2000, ')');
  for (const std::string& query : {
           std::string("SELECT fts3_tokenizer('simple') FROM a"),
           std::string("SELECT hex(FTS3_Tokenizer('simple')) FROM a"),
           std::string("SELECT fts3_tokenizer('simple', x'4141414141414141') FROM a"),
           std::string("SELECT load_extension('/no/such.so') FROM a"),
           std::string("SELECT rtreecheck('a') FROM a"),
           std::string("SELECT * FROM pragma_database_list"),
           std::string("SELECT * FROM pragma_table_info('a')"),
           std::string("PRAGMA database_list"),
           std::string("ATTACH '" + folder_.path("secret") + "' AS b"),
           std::string("VACUUM INTO '" + folder_.path("copy") + "'"),
           std::string("EXPLAIN DELETE FROM a"),
           std::string("UPDATE sqlite_master SET type = 'view'"),
           std::string("EXPLAIN UPDATE sqlite_master SET type = 'view'"),
           std::string("BEGIN"),
           "SELECT " + deep + "x" + end + " FROM a",
       }) {
    ReadOptions options;
    options.query = query;
    EXPECT_EQ(error_of(options).code(), Code::usage) << query.substr(0, 80);
  }
  EXPECT_EQ(folder_.entries(), 2U);
}

TEST_F(Sqlite, AValueOfAGigabyteIsRefusedBeforeItIsMade) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (1);");
  ReadOptions options;
  options.query = "SELECT length(zeroblob(100000000)) AS n FROM a";
  EXPECT_NE(error_of(options).message().find("too big"), std::string::npos) << error_of(options).message();
}

TEST_F(Sqlite, OrdinaryQueriesStayPossible) {
  run("CREATE TABLE a (x, t); INSERT INTO a VALUES (1, '2024-01-05'), (4, '2024-02-01');"
      "CREATE VIEW doubled AS SELECT 2 * x AS y FROM a;");
  for (const char* query :
       {"SELECT sqrt(x) AS root, julianday(t) AS day FROM a", "SELECT y FROM doubled",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT i FROM n",
        "SELECT x, row_number() OVER (ORDER BY x) AS rank FROM a", "SELECT value FROM json_each('[1,2]')",
        "SELECT sum(x) AS s FROM a GROUP BY t UNION SELECT 7", "SELECT x FROM a WHERE t LIKE '2024%'"}) {
    ReadOptions options;
    options.query = query;
    const auto result = attempt([&] { return read(options); });
    EXPECT_TRUE(result.ok()) << query << ": " << result.error().what();
  }
}

// What a database brings along in its schema runs nothing: a view that calls what is not harmless, and a
// virtual table.
TEST_F(Sqlite, ACraftedSchemaRunsNothing) {
  run("CREATE TABLE a (x); INSERT INTO a VALUES (1);"
      "CREATE VIEW leak AS SELECT fts3_tokenizer('simple') AS address FROM a;"
      "CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('b');");
  for (const char* query : {"SELECT * FROM leak", "SELECT * FROM words"}) {
    ReadOptions options;
    options.query = query;
    EXPECT_EQ(error_of(options).code(), Code::usage) << query;
  }
}

// A database whose newest rows are in its write-ahead log, with a connection that keeps it so.
class SqliteLog : public Sqlite {
 protected:
  void SetUp() override {
    ASSERT_EQ(sqlite3_open(path_.c_str(), &writer_), SQLITE_OK);
    write(
        "PRAGMA journal_mode = WAL; CREATE TABLE a (x); INSERT INTO a VALUES (1);"
        "PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO a VALUES (2), (3);");
  }
  void TearDown() override { sqlite3_close(writer_); }
  void write(const char* statements) {
    ASSERT_EQ(sqlite3_exec(writer_, statements, nullptr, nullptr, nullptr), SQLITE_OK);
  }
  // The database as a crash would leave it, without the index that connections share.
  std::string copy() {
    const std::string copied = folder_.path("copy/a.sqlite");
    std::filesystem::create_directory(folder_.path("copy"));
    for (const char* suffix : {"", "-wal"}) std::filesystem::copy_file(path_ + suffix, copied + suffix);
    return copied;
  }
  static std::vector<std::string> names(const std::string& path) {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()))
      all.push_back(entry.path().filename().string() + " " +
                    std::to_string(entry.is_regular_file() ? entry.file_size() : 0));
    std::sort(all.begin(), all.end());
    return all;
  }
  sqlite3* writer_ = nullptr;
};

TEST_F(SqliteLog, IsReadWhileAnotherProgramWrites) {
  const auto before = names(path_);
  EXPECT_EQ(read().rows(), 3);
  EXPECT_EQ(names(path_), before);
  write("INSERT INTO a VALUES (4)");
  EXPECT_EQ(read().rows(), 4);
}

TEST_F(SqliteLog, IsReadAfterACrashAndLeftAsItWas) {
  const std::string crashed = copy();
  const auto before = names(crashed);
  const std::string log = ScratchFolder::content(crashed + "-wal");
  EXPECT_EQ(read_table(crashed).rows(), 3);
  EXPECT_EQ(names(crashed), before);
  EXPECT_EQ(ScratchFolder::content(crashed + "-wal"), log);
}

TEST_F(SqliteLog, NothingIsLeftBesideADatabaseWithoutALog) {
  const std::string copied = copy();
  std::filesystem::remove(copied + "-wal");
  const auto before = names(copied);
  EXPECT_EQ(read_table(copied).rows(), 1);
  EXPECT_EQ(names(copied), before);
}

TEST_F(SqliteLog, AChangeUnderTheReaderIsReported) {
  const std::string crashed = copy();
  ReadOptions options;
  options.query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT i FROM n, a";
  bool written = false;
  options.monitor = [&](const Progress&) {
    if (written) return true;
    written = true;
    sqlite3* other = nullptr;
    EXPECT_EQ(sqlite3_open(crashed.c_str(), &other), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(other, "INSERT INTO a VALUES (5); PRAGMA wal_checkpoint(PASSIVE)", nullptr,
                           nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(other);
    return true;
  };
  const auto result = attempt([&] { return read_table(crashed, options); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), Code::io);
  EXPECT_NE(result.error().message().find("changed while it was read"), std::string::npos);
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
