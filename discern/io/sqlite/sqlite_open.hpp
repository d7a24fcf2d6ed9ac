// SQLite databases, opened so that they can be read and nothing else: neither a query nor a crafted schema
// can do more than SELECT, and no file beside the database is made, changed or removed.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>

#include "discern/io/file/file.hpp"

namespace discern {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

// A database file. One that has a write-ahead log is read with what is in the log.
class DatabaseFile {
 public:
  explicit DatabaseFile(const std::string& path);

  sqlite3* get() const { return database_.get(); }
  // Throws Code::io when somebody has changed the file while it was read without a lock that keeps it still.
  void check_unchanged() const;

 private:
  std::string path_;
  std::string stamp_;  // of the files when they were opened; empty: the locks of SQLite keep them still
  Database database_;
};

// The database that `content` holds, which must outlive it. `file` is its name in errors.
Database open_in_memory(const FileContent& content, const std::string& file);

// Throws SQLite's word on the last call that failed: the fault of the caller's query, of the database's
// content or of the system.
[[noreturn]] void fail_with(sqlite3* database, const std::string& file, bool in_query);

}  // namespace discern
