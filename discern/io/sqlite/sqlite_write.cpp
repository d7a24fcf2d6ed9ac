#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>

#include "discern/base/error.hpp"
#include "discern/io/sqlite/sqlite.hpp"

namespace discern {
namespace {

// A database in memory; its bytes then go to the file as those of any other format do.
class TableWriter {
 public:
  explicit TableWriter(const Table& table) : table_(table) {
    sqlite3* raw = nullptr;
    const int status = sqlite3_open_v2(":memory:", &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    database_.reset(raw);
    check(status);
    const int most = sqlite3_limit(raw, SQLITE_LIMIT_COLUMN, -1);
    const Index columns = table.schema.size() + static_cast<Index>(table.side.size());
    if (columns > most)
      throw Error(Code::usage,
                  fmt::format("SQLite holds at most {} columns, the table has {}", most, columns));
    create();
  }

  void fill() {
    run("BEGIN");
    std::string insert = "INSERT INTO data VALUES (?";
    for (Index j = 1; j < columns_; ++j) insert += ", ?";
    sqlite3_stmt* raw = nullptr;
    check(sqlite3_prepare_v2(database_.get(), (insert + ")").c_str(), -1, &raw, nullptr));
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    for (Index i = 0; i < table_.rows(); ++i) {
      bind_row(raw, i);
      if (sqlite3_step(raw) != SQLITE_DONE) check(sqlite3_errcode(database_.get()));
      sqlite3_reset(raw);
    }
    run("COMMIT");
  }

  void write(FileWriter& writer) {
    sqlite3_int64 size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
        sqlite3_serialize(database_.get(), "main", &size, 0), sqlite3_free);
    if (!bytes) throw Error(Code::memory, "no memory for SQLite");
    writer.write({reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)});
  }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };

  void check(int status) {
    if (status != SQLITE_OK)
      throw Error(status == SQLITE_NOMEM ? Code::memory : Code::usage,
                  fmt::format("SQLite: {}", sqlite3_errmsg(database_.get())));
  }
  void run(const std::string& statement) {
    check(sqlite3_exec(database_.get(), statement.c_str(), nullptr, nullptr, nullptr));
  }

  void create() {
    std::string statement = "CREATE TABLE data (";
    const auto add = [&](std::string_view name, bool text) {
      std::string quoted;
      for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      statement += fmt::format("{}\"{}\" {}", columns_++ > 0 ? ", " : "", quoted, text ? "TEXT" : "REAL");
    };
    for (Index j = 0; j < table_.schema.size(); ++j) add(table_.schema.name(j), table_.schema.categorical(j));
    for (const SideColumn& side : table_.side) add(side.name, side.text);
    run(statement + ")");
  }

  void bind_row(sqlite3_stmt* statement, Index i) {
    for (Index j = 0; is_sparse(table_.x) && j < table_.schema.size(); ++j)
      check(sqlite3_bind_double(statement, static_cast<int>(j) + 1, 0));
    std::visit(
        [&](const auto& rows) {
          for_each(rows.row(0), [&](Index j, double value) {
            bind(statement, j, value,
                 table_.schema.categorical(j) ? &table_.schema.column(j).levels : nullptr);
          });
        },
        rows_of(table_.x, i, 1));
    for (std::size_t k = 0; k < table_.side.size(); ++k) {
      const SideColumn& side = table_.side[k];
      bind(statement, table_.schema.size() + static_cast<Index>(k), side.values[static_cast<std::size_t>(i)],
           side.text ? &side.levels : nullptr);
    }
  }

  void bind(sqlite3_stmt* statement, Index j, double value, const std::vector<std::string>* levels) {
    const int place = static_cast<int>(j) + 1;
    if (std::isnan(value)) return check(sqlite3_bind_null(statement, place));
    if (levels == nullptr) return check(sqlite3_bind_double(statement, place, value));
    const std::string& text = (*levels)[static_cast<std::size_t>(value)];
    check(sqlite3_bind_text64(statement, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }

  const Table& table_;
  std::unique_ptr<sqlite3, Close> database_;
  Index columns_ = 0;
};

}  // namespace

void write_sqlite(const Table& table, const std::string& path) {
  TableWriter data(table);
  data.fill();
  FileWriter writer(path);
  data.write(writer);
  writer.commit();
}

}  // namespace discern
