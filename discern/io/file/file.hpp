// Files: whole contents as text (mapped, or decompressed), and writing that never leaves half a file.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/io/file/mapped_file.hpp"

namespace discern {

enum class Access {
  map,  // where possible; the bytes change when somebody writes to the file (see mapped_file.hpp)
  copy  // into memory of our own
};

// The bytes of a file. A name ending in .gz or .zst is decompressed; "-" reads standard input to its end, and
// decompresses it when its first bytes say so. Throws Code::io (cannot open or read) or Code::data (damaged
// compressed data, naming the file).
class FileContent {
 public:
  explicit FileContent(const std::string& path, Access access = Access::map);
  // Bytes that are in memory already, kept alive by `owner`.
  FileContent(std::shared_ptr<void> owner, std::string_view text);

  std::string_view text() const { return text_; }
  const std::shared_ptr<void>& owner() const { return owner_; }  // keeps text() alive
  // Tells the system that these bytes will not be read again soon, so that a mapped file does not stay
  // resident while it is being parsed. A hint; the bytes stay readable.
  void release(std::size_t first, std::size_t count) const;
  bool may_change() const { return mapped_ != nullptr; }
  // Throws Code::io when the bytes may have changed since the file was opened.
  void check_unchanged() const;

 private:
  std::shared_ptr<void> owner_;
  std::string_view text_;
  std::shared_ptr<const MappedFile> mapped_;  // null when the bytes are our own
};

// How errors name an input: the path, or "standard input" for "-".
std::string input_name(const std::string& path);

// What parse(content, name) makes of a file. If the file changed meanwhile, that is the Error, whatever the
// parser made of it or found wrong with it.
template <class Parse>
auto parse_file(const std::string& path, const Parse& parse) {
  const FileContent content(path);
  const std::string name = input_name(path);
  auto parsed = attempt([&] { return parse(content, name); });
  content.check_unchanged();
  return std::move(parsed).value();
}

// Writes to a temporary name beside `path`; commit() syncs and renames it over `path`. Destroyed without
// a commit, it leaves nothing behind; what a run that was killed left in the folder, commit() removes. While a
// file that is mapped has changed, commit() throws: the result may have come from it. A path ending in .gz or
// .zst compresses. "-" is standard output. A special file (such as /dev/full) is written in place.
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
  friend class FilesTogether;
  struct State;
  std::unique_ptr<State> state_;  // none once it has been handed to FilesTogether
};

// Files that appear together or not at all. While one is alive, a FileWriter of the same thread that commits has its
// file on disk, under its temporary name; commit() gives all of them their names. Where the system refuses one of
// these, those that were not there before are taken away again. Destroyed without a commit, it leaves nothing behind.
class FilesTogether {
 public:
  FilesTogether();
  ~FilesTogether();
  FilesTogether(const FilesTogether&) = delete;
  FilesTogether& operator=(const FilesTogether&) = delete;

  void commit();  // throws Code::io

 private:
  friend class FileWriter;
  static thread_local FilesTogether* current;
  FilesTogether* before_;
  std::vector<std::unique_ptr<FileWriter::State>> files_;
};

// Keeps others who lock the same file out until it is destroyed. While somebody else has it, `before_waiting`
// is called and then it is waited for; what holds it may replace the file meanwhile, and then the new one is
// locked. Throws Code::io when there is no such file or it cannot be locked, Code::interrupted when a signal
// comes.
class FileLock {
 public:
  FileLock(const std::string& path, const std::function<void()>& before_waiting);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The name without a compression suffix: "a.csv.gz" -> "a.csv".
std::string_view without_compression(std::string_view path);

}  // namespace discern
