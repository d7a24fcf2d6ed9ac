// SQLite databases, opened read-only.
//
// The table is what `query` (one SELECT) gives, or the only table of the database. INTEGER and REAL are
// numbers, TEXT makes its column categorical (numbers among texts become text as SQLite prints them), NULL
// is missing, BLOB is refused. A column without any value counts as numbers. Errors give the
// 1-based row of the result as the line.
#pragma once

#include <string>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_sqlite(const std::string& path, const ReadOptions& options);
// A database in memory.
Table parse_sqlite(const FileContent& content, const std::string& file, const ReadOptions& options);

// Writes a database with one table, "data": the features, then the side columns.
void write_sqlite(const Table& table, const std::string& path);

}  // namespace discern
