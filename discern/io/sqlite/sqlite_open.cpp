#include "discern/io/sqlite/sqlite_open.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "discern/base/error.hpp"

namespace discern {
namespace {

[[noreturn]] void fail_to_open(Code code, const std::string& why, const std::string& file) {
  throw Error(code, why, {file, 0, ""});
}

// What a query needs, and no more: no other database, no PRAGMA, nothing that writes, and none of the
// functions that reach beyond the data (fts3_tokenizer gives away addresses, load_extension runs foreign
// code).
int allow_reading(void* /*unused*/, int action, const char* table, const char* name, const char* /*unused*/,
                  const char* /*unused*/) {
  constexpr std::array<std::string_view, 4> refused{"fts3_tokenizer", "load_extension", "optimize",
                                                    "rtreecheck"};
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_UPDATE:  // json_each declares its columns this way; a query cannot modify this table
      return std::string_view(table) == "sqlite_master" ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return std::none_of(refused.begin(), refused.end(),
                          [&](std::string_view word) {
                            return sqlite3_stricmp(word.data(), name != nullptr ? name : "") == 0;
                          })
                 ? SQLITE_OK
                 : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

// Far above what tables need, and below what exhausts memory or the stack.
constexpr std::array<std::pair<int, int>, 8> limits{{
    {SQLITE_LIMIT_LENGTH, 1 << 26},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 22},
    {SQLITE_LIMIT_EXPR_DEPTH, 250},
    {SQLITE_LIMIT_COMPOUND_SELECT, 100},
    {SQLITE_LIMIT_VDBE_OP, 1 << 20},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_ATTACHED, 0},
}};

// https://www.sqlite.org/security.html. Views stay, because people keep their queries in them.
void harden(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  // Virtual tables run code of their own on content that may be crafted; only those that need none stay.
  constexpr const char* kept[] = {"json_each", "json_tree", nullptr};
  sqlite3_drop_modules(database, const_cast<const char**>(kept));
  for (const auto& [what, most] : limits) sqlite3_limit(database, what, most);
  sqlite3_exec(database, "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nullptr,
               nullptr, nullptr);
  sqlite3_set_authorizer(database, allow_reading, nullptr);
}

bool is_there(const std::string& path) {
  std::error_code failure;
  return std::filesystem::exists(path, failure);
}

// The system's files as SQLite sees them, but nothing can be written, made or removed. A log that is not
// there is an empty one. "discern-alone" is for a database that nobody else has open: then the index of the
// log is kept in memory, where others would share a file beside the database. The lock on the database stays
// a shared one, so that it can be taken without the right to write.
struct ReadOnlyFiles {
  ReadOnlyFiles() {
    sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
    shared = alone = *system;
    shared.zName = "discern-shared";
    alone.zName = "discern-alone";
    shared.pNext = alone.pNext = nullptr;
    shared.xOpen = open_shared;
    alone.xOpen = open_alone;
    shared.xDelete = alone.xDelete = [](sqlite3_vfs*, const char*, int) { return SQLITE_OK; };
    sqlite3_vfs_register(&shared, 0);
    sqlite3_vfs_register(&alone, 0);
  }

  static int open_shared(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags, int* given) {
    constexpr int beside = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
    if ((flags & beside) != 0) {
      flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
      if ((flags & SQLITE_OPEN_WAL) != 0 && !is_there(name)) name = "/dev/null";
    }
    return sqlite3_vfs_find(nullptr)->xOpen(files, name, file, flags, given);
  }

  static int open_alone(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags, int* given) {
    const int status = open_shared(files, name, file, flags, given);
    if (status != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return status;
    static const sqlite3_io_methods system = *file->pMethods;
    static const sqlite3_io_methods methods = [] {
      sqlite3_io_methods own = system;
      own.iVersion = 1;  // no shared memory
      own.xLock = [](sqlite3_file* locked, int level) {
        return system.xLock(locked, std::min(level, SQLITE_LOCK_SHARED));
      };
      return own;
    }();
    file->pMethods = &methods;
    return SQLITE_OK;
  }

  sqlite3_vfs shared{};
  sqlite3_vfs alone{};
};

// Any character may stand in a file's name; in a URI most have to be escaped.
std::string uri_of(const std::string& path) {
  std::string uri = "file:";
  if (!path.starts_with('/')) uri += "./";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= 'a' && byte <= 'z') || c == '/' || c == '.' || c == '-' || c == '_';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Database open(const std::string& name, int flags, const char* files, const std::string& file) {
  sqlite3* raw = nullptr;
  const int status = sqlite3_open_v2(name.c_str(), &raw, flags, files);
  Database database(raw);
  if (raw == nullptr) fail_to_open(Code::memory, "no memory for SQLite", file);
  if (status != SQLITE_OK) fail_to_open(Code::io, fmt::format("cannot open: {}", sqlite3_errmsg(raw)), file);
  return database;
}

// Whether it is written by way of a log. Where it is not, the shared lock keeps it still.
bool has_log(const std::string& path) {
  constexpr std::streamoff version_to_write = 18;
  std::ifstream file(path, std::ios::binary);
  file.seekg(version_to_write);
  return file.get() == 2;
}

// What tells a database and its log from later versions of themselves: the size and time of the one, the head
// of the other, which changes when the log begins anew. Rows added at the end of the log do no harm.
std::string stamp_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return "";
  std::array<char, 32> head{};
  std::ifstream(path + "-wal", std::ios::binary).read(head.data(), head.size());
  return fmt::format("{} {} {}.{} ", info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec) +
         std::string(head.begin(), head.end());
}

}  // namespace

// Others who have the database open share an index of its log, and with it SQLite keeps us apart from them.
DatabaseFile::DatabaseFile(const std::string& path) : path_(path) {
  static const ReadOnlyFiles files;
  const bool shared = is_there(path + "-shm");
  if (!shared && has_log(path)) stamp_ = stamp_of(path);
  const std::string uri = uri_of(path) + (shared ? "?readonly_shm=1" : "");
  database_ = open(uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                   shared ? files.shared.zName : files.alone.zName, path);
  if (!shared) sqlite3_exec(database_.get(), "PRAGMA locking_mode = EXCLUSIVE", nullptr, nullptr, nullptr);
  harden(database_.get());
}

void DatabaseFile::check_unchanged() const {
  if (!stamp_.empty() && stamp_of(path_) != stamp_)
    fail_to_open(Code::io, "the database was changed while it was read; read it again", path_);
}

Database open_in_memory(const FileContent& content, const std::string& file) {
  Database database = open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr, file);
  const std::string_view bytes = content.text();
  if (bytes.empty()) fail_to_open(Code::data, "the file is empty", file);
  auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(database.get(), "main", data, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
    fail_with(database.get(), file, false);
  harden(database.get());
  return database;
}

void fail_with(sqlite3* database, const std::string& file, bool in_query) {
  const int status = sqlite3_errcode(database) & 0xFF;
  const std::string why = fmt::format("SQLite: {}", sqlite3_errmsg(database));
  if (status == SQLITE_INTERRUPT) fail_to_open(Code::interrupted, "reading was stopped", file);
  if (status == SQLITE_NOMEM) fail_to_open(Code::memory, why, file);
  if (status == SQLITE_NOTADB || status == SQLITE_CORRUPT) fail_to_open(Code::data, why, file);
  if (status == SQLITE_IOERR || status == SQLITE_CANTOPEN || status == SQLITE_BUSY)
    fail_to_open(Code::io, why, file);
  fail_to_open(in_query || status == SQLITE_AUTH ? Code::usage : Code::data, why, file);
}

}  // namespace discern
