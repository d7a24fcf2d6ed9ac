#include "discern/io/file/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/io/file/compression.hpp"
#include "discern/io/file/temporaries.hpp"

namespace discern {
namespace {

constexpr std::size_t file_step = std::size_t{1} << 20;  // bytes read or written at a time

[[noreturn]] void system_error(const char* what, const std::string& path, int reason) {
  // A signal that ends the waiting for the other side of a named pipe is no fault of the system.
  const Code code = reason == EINTR ? Code::interrupted : Code::io;
  throw Error(code, fmt::format("{}: {}", what, std::generic_category().message(reason)), {path, 0, ""});
}

// An open file descriptor, closed at the end (standard input and output are not ours to close).
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  void set(int number) { number_ = number; }
  int close() {
    const int number = std::exchange(number_, -1);
    return number > 2 ? ::close(number) : 0;
  }

 private:
  int number_ = -1;
};

GrowingBytes read_to_end(int descriptor, const std::string& path) {
  GrowingBytes bytes;
  while (true) {
    char* place = bytes.room(file_step);
    const ssize_t count = ::read(descriptor, place, file_step);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) system_error("cannot read", path, errno);
    if (count == 0) return bytes;
    bytes.grew(static_cast<std::size_t>(count));
  }
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), INT_MAX));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int reason = errno;
      if (reason == EFAULT) check_mapped_files();  // the bytes were those of a file that was cut short
      system_error("cannot write", path, reason);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

constexpr std::string_view temporary_begin = ".discern-", temporary_end = ".tmp";

// Marks a new temporary file as in use, for as long as it is open. False when somebody took it for an orphan
// in the instant before, and removed it.
bool keep_locked(int descriptor) {
  while (::flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }  // Where the file system has no locks, nobody removes anything.
  struct stat info {};
  if (::fstat(descriptor, &info) == 0 && info.st_nlink > 0) return true;
  errno = EEXIST;
  return false;
}

// Removes the temporary files of runs that were killed: those that nobody holds locked. What cannot be looked
// at or removed stays, and is no fault of what was written.
void remove_orphans(const std::string& directory) {
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(directory, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(temporary_begin) || !name.ends_with(temporary_end)) continue;
    const Descriptor file(::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (file.number() >= 0 && ::fstat(file.number(), &info) == 0 && S_ISREG(info.st_mode) &&
        ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
      ::unlink(entry->path().c_str());
  }
}

struct Bytes {
  std::shared_ptr<void> owner;
  std::string_view text;
  std::shared_ptr<const MappedFile> mapped;
};

Bytes take(GrowingBytes&& grown) {
  const std::string_view text = grown.text();
  return {grown.release(), text, nullptr};
}

// Of files, only regular ones can be mapped; all others are read.
Bytes open_bytes(const std::string& path, Access access) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::string name = input_name(path);
  if (file.number() < 0) system_error("cannot open", name, errno);
  struct stat info {};
  if (::fstat(file.number(), &info) != 0) system_error("cannot read", name, errno);
  if (access == Access::map && path != "-" && S_ISREG(info.st_mode) && info.st_size > 0)
    if (const auto mapped = MappedFile::map(file.number(), info, name))
      return {{mapped, const_cast<char*>(mapped->bytes().data())}, mapped->bytes(), mapped};
  return take(read_to_end(file.number(), name));
}

}  // namespace

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

// Libraries that decompress do not promise to be safe on bytes that change, so they get a copy.
FileContent::FileContent(const std::string& path, Access access) {
  const bool compressed = compression_of_name(path) != Compression::none;
  Bytes bytes = open_bytes(path, compressed ? Access::copy : access);
  const auto kind = path == "-" ? compression_of_bytes(bytes.text) : compression_of_name(path);
  if (kind != Compression::none) bytes = take(decompress(kind, bytes.text, input_name(path)));
  owner_ = std::move(bytes.owner);
  text_ = bytes.text;
  mapped_ = std::move(bytes.mapped);
}

FileContent::FileContent(std::shared_ptr<void> owner, std::string_view text)
    : owner_(std::move(owner)), text_(text) {}

void FileContent::release(std::size_t first, std::size_t count) const {
  if (mapped_) mapped_->release(first, count);
}

void FileContent::check_unchanged() const {
  if (mapped_) mapped_->check_unchanged();
}

struct FileWriter::State {
  std::string path;       // as errors name it
  std::string target;     // what the temporary file becomes; empty when written in place
  std::string temporary;  // empty when written in place or after the rename
  Descriptor file;
  std::string pending;
  std::unique_ptr<Compressor> compressor;
  bool replaces = false;  // there is a file of that name

  void open(const std::string& name);
  void open_temporary(mode_t mode, bool keep_mode);
  void put(std::string_view bytes);
  void flush();
  void sync();
  void rename();
  std::string directory() const;
};

std::string FileWriter::State::directory() const {
  const auto slash = target.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : target.substr(0, slash);
}

// A link is followed, so that it stays a link and what it points to is replaced.
void FileWriter::State::open(const std::string& name) {
  path = name == "-" ? "standard output" : name;
  if (name == "-") return file.set(STDOUT_FILENO);
  struct stat info {};
  const bool exists = ::stat(name.c_str(), &info) == 0;
  if (!exists && errno != ENOENT) system_error("cannot write", path, errno);
  if (exists && S_ISDIR(info.st_mode)) system_error("cannot write", path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    file.set(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0) system_error("cannot write", path, errno);
    return;
  }
  if (exists && ::access(name.c_str(), W_OK) != 0) system_error("cannot write", path, errno);
  target = name;
  replaces = exists;
  const std::unique_ptr<char, void (*)(void*)> resolved(exists ? ::realpath(name.c_str(), nullptr) : nullptr,
                                                        std::free);
  if (resolved) target = resolved.get();
  open_temporary(info.st_mode & 07777, exists);
}

void FileWriter::State::open_temporary(mode_t mode, bool keep_mode) {
  for (int attempt = 0; file.number() < 0; ++attempt) {
    temporary = fmt::format("{}/{}{}-{}{}", directory(), temporary_begin, ::getpid(), attempt, temporary_end);
    file.set(create_temporary(temporary, 0666));
    if (file.number() >= 0 && !keep_locked(file.number())) file.close();
    if (file.number() >= 0 || errno == EEXIST) continue;
    const int reason = errno;
    temporary.clear();
    system_error("cannot write", path, reason);
  }
  // A replaced file keeps its permissions; where the system does not let us, the defaults stand.
  if (keep_mode && ::fchmod(file.number(), mode) != 0) errno = 0;
}

void FileWriter::State::put(std::string_view bytes) {
  if (pending.size() + bytes.size() > file_step) flush();
  if (bytes.size() > file_step) return write_all(file.number(), bytes, path);
  pending += bytes;
}

void FileWriter::State::flush() {
  write_all(file.number(), pending, path);
  pending.clear();
}

void FileWriter::State::sync() {
  if (::fsync(file.number()) != 0) system_error("cannot write", path, errno);
}

// The lock on the temporary file is held until it has its name.
void FileWriter::State::rename() {
  if (replace_by_temporary(temporary, target) != 0) system_error("cannot write", path, errno);
  temporary.clear();
  if (file.close() != 0) system_error("cannot write", path, errno);
  remove_orphans(directory());
  // The rename itself is durable once the directory is; some file systems cannot sync one.
  const Descriptor folder(::open(directory().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0 && ::fsync(folder.number()) != 0 && errno != EINVAL && errno != ENOTSUP)
    system_error("cannot write", path, errno);
}

FileWriter::FileWriter(const std::string& path) : state_(std::make_unique<State>()) {
  state_->open(path);
  state_->compressor = make_compressor(compression_of_name(path));
}

FileWriter::~FileWriter() {
  if (state_ && !state_->temporary.empty()) remove_temporary(state_->temporary);
}

void FileWriter::write(std::string_view bytes) {
  const auto put = [this](std::string_view piece) { state_->put(piece); };
  if (state_->compressor) {
    state_->compressor->write(bytes, put);
  } else {
    put(bytes);
  }
}

void FileWriter::flush() { state_->flush(); }

void FileWriter::commit() {
  check_mapped_files();
  if (state_->compressor) state_->compressor->finish([this](std::string_view piece) { state_->put(piece); });
  state_->flush();
  if (state_->target.empty()) return;
  state_->sync();
  if (FilesTogether::current != nullptr)
    FilesTogether::current->files_.push_back(std::move(state_));
  else
    state_->rename();
}

thread_local FilesTogether* FilesTogether::current = nullptr;

FilesTogether::FilesTogether() : before_(std::exchange(current, this)) {}

FilesTogether::~FilesTogether() {
  current = before_;
  for (const auto& file : files_)
    if (!file->temporary.empty()) remove_temporary(file->temporary);
}

void FilesTogether::commit() {
  check_mapped_files();
  std::size_t named = 0;
  try {
    for (; named < files_.size(); ++named) files_[named]->rename();
  } catch (...) {
    for (std::size_t k = 0; k < named; ++k)
      if (!files_[k]->replaces) ::unlink(files_[k]->target.c_str());
    throw;
  }
}

struct FileLock::State {
  Descriptor file;
};

// Whoever replaces the file gives its name to another one; then that is the one to lock.
FileLock::FileLock(const std::string& path, const std::function<void()>& before_waiting)
    : state_(std::make_unique<State>()) {
  while (true) {
    state_->file.set(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const int number = state_->file.number();
    if (number < 0) system_error("cannot open", path, errno);
    if (::flock(number, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) before_waiting();
      if (::flock(number, LOCK_EX) != 0) system_error("cannot lock", path, errno);
    }
    struct stat locked {};
    struct stat named {};
    if (::fstat(number, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
        locked.st_ino == named.st_ino)
      return;
    state_->file.close();
  }
}

// Closing alone would leave the lock to a process that was forked meanwhile.
FileLock::~FileLock() { ::flock(state_->file.number(), LOCK_UN); }

std::string_view without_compression(std::string_view path) {
  switch (compression_of_name(path)) {
    case Compression::gzip:
      return path.substr(0, path.size() - 3);
    case Compression::zstd:
      return path.substr(0, path.size() - 4);
    case Compression::none:
      break;
  }
  return path;
}

}  // namespace discern
