// Files: whole contents as text (mapped, or decompressed), and writing that never leaves half a file.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace discern {

// The bytes of a file, mapped into memory where possible. A name ending in .gz or .zst is decompressed;
// "-" reads standard input to its end, and decompresses it when its first bytes say so. Throws Code::io
// (cannot open or read) or Code::data (damaged compressed data, naming the file).
class FileContent {
 public:
  explicit FileContent(const std::string& path);
  // Bytes that are in memory already, kept alive by `owner`.
  FileContent(std::shared_ptr<void> owner, std::string_view text);

  std::string_view text() const { return text_; }
  const std::shared_ptr<void>& owner() const { return owner_; }  // keeps text() alive
  // Tells the system that these bytes will not be read again soon, so that a mapped file does not stay
  // resident while it is being parsed. A hint; the bytes stay readable.
  void release(std::size_t first, std::size_t count) const;

 private:
  std::shared_ptr<void> owner_;
  std::string_view text_;
  bool mapped_ = false;
};

// Writes to a temporary name beside `path`; commit() syncs and renames it over `path`. Destroyed without
// a commit, it leaves nothing behind. A path ending in .gz or .zst compresses. "-" is standard output.
// A special file (such as /dev/full) is written in place.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::string_view bytes);  // throws Code::io, naming the path and the system's reason
  void flush();  // what was written so far goes out now, for those who wait for it; not of a compressed file
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The name without a compression suffix: "a.csv.gz" -> "a.csv".
std::string_view without_compression(std::string_view path);

}  // namespace discern
