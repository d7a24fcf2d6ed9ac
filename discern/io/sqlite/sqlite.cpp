#include "discern/io/sqlite/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "discern/base/error.hpp"
#include "discern/io/file/compression.hpp"
#include "discern/io/number/number.hpp"
#include "discern/io/sqlite/sqlite_open.hpp"
#include "discern/io/table/levels.hpp"
#include "discern/io/table/select.hpp"

namespace discern {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

[[noreturn]] void fail(Code code, const std::string& why, const std::string& file) {
  throw Error(code, why, {file, 0, ""});
}

Statement prepare(sqlite3* database, const std::string& query, const std::string& file, bool in_query) {
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int status =
      sqlite3_prepare_v2(database, query.c_str(), static_cast<int>(query.size()) + 1, &raw, &rest);
  Statement statement(raw);
  if (status != SQLITE_OK) fail_with(database, file, in_query);
  if (raw == nullptr) fail(Code::usage, "the query is empty", file);
  if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    fail(Code::usage, fmt::format("expected one query, found more: {}", quoted_for_message(rest)), file);
  if (sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0)
    fail(Code::usage, fmt::format("the query gives no table: {}", quoted_for_message(query)), file);
  return statement;
}

std::string quoted_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string_view text_of(sqlite3_stmt* row, int j) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, j));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(row, j))};
}

// SELECT * FROM the only table.
std::string query_of_only_table(sqlite3* database, const std::string& file) {
  const Statement names = prepare(database,
                                  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
                                  "'sqlite\\_%' ESCAPE '\\' ORDER BY name",
                                  file, false);
  std::vector<std::string> tables;
  int status = 0;
  while ((status = sqlite3_step(names.get())) == SQLITE_ROW) tables.emplace_back(text_of(names.get(), 0));
  if (status != SQLITE_DONE) fail_with(database, file, false);
  if (tables.empty()) fail(Code::data, "the database holds no table", file);
  if (tables.size() > 1) {
    std::string list;
    for (const auto& name : tables) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    fail(Code::usage, fmt::format("the database holds several tables ({}); say which with a query", list),
         file);
  }
  return fmt::format("SELECT * FROM {}", quoted_name(tables.front()));
}

// The cells of one column as they come: numbers until a text shows that it is categorical.
struct ResultColumn {
  std::string name;
  bool text = false;
  bool numbers_only = false;  // asked for as numbers: a text must spell one
  Levels levels;
  Noticed noticed;
};

bool names_column(const std::vector<std::string>& names, const std::string& name, std::size_t j) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& n) { return n == name || n == std::to_string(j + 1); });
}

class ResultReader {
 public:
  ResultReader(sqlite3* database, const Statement& statement, const std::string& file,
               const ReadOptions& options)
      : database_(database), row_(statement.get()), file_(file), options_(options) {
    columns_.resize(static_cast<std::size_t>(sqlite3_column_count(row_)));
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const char* name = sqlite3_column_name(row_, static_cast<int>(j));
      columns_[j].name = name != nullptr ? name : "";
      set_type(columns_[j], j);
    }
  }

  // A text in a column that looked numeric until then makes a second pass necessary, which reads the
  // whole column as text.
  Table read() {
    if (!read_rows() && !read_rows()) fail(Code::data, "the table changes while it is read", file_);
    if (rows_ == 0) fail(Code::data, "the table holds no rows", file_);
    return finish();
  }

 private:
  void set_type(ResultColumn& column, std::size_t j) const {
    column.text = names_column(options_.categorical, column.name, j);
    column.numbers_only = names_column(options_.numeric, column.name, j);
    if (const auto k = options_.expected != nullptr ? options_.expected->find(column.name) : std::nullopt) {
      column.text = options_.expected->categorical(*k);
      column.numbers_only = !column.text;
    }
    for (const SideRequest& request : options_.side) {
      if (request.column != column.name && request.column != std::to_string(j + 1)) continue;
      column.text = request.text;
      column.numbers_only = !request.text;
    }
  }

  // False when the type of a column turned out to be another.
  bool read_rows() {
    bool same_types = true;
    rows_ = 0;
    cells_.clear();
    for (ResultColumn& column : columns_) column.levels = {}, column.noticed = {};
    int status = 0;
    while ((status = sqlite3_step(row_)) == SQLITE_ROW) {
      ++rows_;
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        ResultColumn& column = columns_[j];
        if (!column.text && !column.numbers_only &&
            sqlite3_column_type(row_, static_cast<int>(j)) == SQLITE_TEXT) {
          column.text = true;
          same_types = false;
        }
        const double value = cell(column, static_cast<int>(j));
        if (same_types) cells_.push_back(value);
      }
    }
    if (status != SQLITE_DONE) fail_with(database_, file_, false);
    sqlite3_reset(row_);
    return same_types;
  }

  [[noreturn]] void refuse(const ResultColumn& column, const std::string& why) const {
    throw Error(Code::data, why, {file_, rows_, column.name});
  }

  double cell(ResultColumn& column, int j) {
    const int type = sqlite3_column_type(row_, j);
    if (type == SQLITE_NULL) {
      if (column.noticed.missing++ == 0) column.noticed.first_missing_line = rows_;
      return missing;
    }
    if (type == SQLITE_BLOB) refuse(column, "expected a number or a text, found a BLOB");
    if (column.text) {
      const std::string_view text = text_of(row_, j);
      return static_cast<double>(column.levels.add(text, Levels::hash(text), rows_, true));
    }
    if (type == SQLITE_TEXT) {
      const auto number = number_of(text_of(row_, j));
      if (!number) refuse(column, why_not_a_number(text_of(row_, j)));
      return *number;
    }
    const double value = sqlite3_column_double(row_, j);
    if (!std::isfinite(value)) refuse(column, fmt::format("expected a finite number, found {}", value));
    return value;
  }

  Table finish() {
    Table table;
    table.file = file_;
    std::vector<Column> columns;
    std::vector<std::vector<std::int32_t>> position(columns_.size());
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      SortedLevels levels = sorted(columns_[j].levels);
      position[j] = std::move(levels.position);
      columns_[j].noticed.level_line = std::move(levels.lines);
      columns.push_back({columns_[j].name, columns_[j].text, std::move(levels.texts)});
      table.noticed.push_back(std::move(columns_[j].noticed));
    }
    bool floats = true;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      const std::size_t j = k % columns_.size();
      if (columns_[j].text && !std::isnan(cells_[k]))
        cells_[k] = position[j][static_cast<std::size_t>(cells_[k])];
      floats = floats && fits_float(cells_[k]);
    }
    table.schema = schema_of(std::move(columns), file_);
    if (floats)
      table.x = matrix<float>();
    else
      table.x = matrix<double>();
    const bool any = std::any_of(table.noticed.begin(), table.noticed.end(),
                                 [](const Noticed& n) { return n.missing > 0 || !n.level_line.empty(); });
    if (!any) table.noticed.clear();
    return table;
  }

  template <class T>
  DenseMatrix<T> matrix() const {
    Buffer<T> values(static_cast<Index>(cells_.size()));
    std::transform(cells_.begin(), cells_.end(), values.data(), [](double v) { return static_cast<T>(v); });
    return {std::move(values), rows_, static_cast<Index>(columns_.size())};
  }

  sqlite3* database_;
  sqlite3_stmt* row_;
  const std::string& file_;
  const ReadOptions& options_;
  std::vector<ResultColumn> columns_;
  std::vector<double> cells_;  // row by row
  Index rows_ = 0;
};

int ask_monitor(void* monitor) {
  return go_on(*static_cast<const Monitor*>(monitor), {"reading", 0, 0}) ? 0 : 1;
}

Table read_from(sqlite3* database, const std::string& file, const ReadOptions& options) {
  constexpr int steps_between = 100000;
  if (options.monitor)
    sqlite3_progress_handler(database, steps_between, ask_monitor, const_cast<Monitor*>(&options.monitor));
  const bool given = !options.query.empty();
  const std::string query = given ? options.query : query_of_only_table(database, file);
  const Statement statement = prepare(database, query, file, given);
  return select_columns(ResultReader(database, statement, file, options).read(), options);
}

}  // namespace

Table parse_sqlite(const FileContent& content, const std::string& file, const ReadOptions& options) {
  const Database database = open_in_memory(content, file);
  return read_from(database.get(), file, options);
}

Table read_sqlite(const std::string& path, const ReadOptions& options) {
  if (path == "-" || compression_of_name(path) != Compression::none)
    return parse_sqlite(FileContent(path), path == "-" ? "standard input" : path, options);
  const DatabaseFile database(path);
  Table table = read_from(database.get(), path, options);
  database.check_unchanged();
  return table;
}

}  // namespace discern
