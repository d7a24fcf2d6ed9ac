#include "discern/io/file/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "discern/base/error.hpp"
#include "discern/io/file/compression.hpp"

namespace discern {
namespace {

constexpr std::size_t file_step = std::size_t{1} << 20;  // bytes read or written at a time

[[noreturn]] void system_error(const char* what, const std::string& path, int reason) {
  throw Error(Code::io, fmt::format("{}: {}", what, std::generic_category().message(reason)), {path, 0, ""});
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
    if (count < 0) system_error("cannot write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

struct Bytes {
  std::shared_ptr<void> owner;
  std::string_view text;
  bool mapped = false;
};

Bytes take(GrowingBytes&& grown) {
  const std::string_view text = grown.text();
  return {grown.release(), text, false};
}

// Regular files are mapped; pipes, devices and files of a kind that cannot be mapped are read.
Bytes open_bytes(const std::string& path) {
  const Descriptor file(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::string name = path == "-" ? "standard input" : path;
  if (file.number() < 0) system_error("cannot open", name, errno);
  struct stat info {};
  if (::fstat(file.number(), &info) != 0) system_error("cannot read", name, errno);
  if (path != "-" && S_ISREG(info.st_mode) && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (memory != MAP_FAILED) {
      std::shared_ptr<void> owner(memory, [size](void* p) { ::munmap(p, size); });
      return {std::move(owner), {static_cast<const char*>(memory), size}, true};
    }
  }
  return take(read_to_end(file.number(), name));
}

}  // namespace

FileContent::FileContent(const std::string& path) {
  Bytes bytes = open_bytes(path);
  const auto kind = path == "-" ? compression_of_bytes(bytes.text) : compression_of_name(path);
  if (kind != Compression::none)
    bytes = take(decompress(kind, bytes.text, path == "-" ? "standard input" : path));
  owner_ = std::move(bytes.owner);
  text_ = bytes.text;
  mapped_ = bytes.mapped;
}

FileContent::FileContent(std::shared_ptr<void> owner, std::string_view text)
    : owner_(std::move(owner)), text_(text) {}

void FileContent::release(std::size_t first, std::size_t count) const {
  if (!mapped_ || count == 0) return;
  // Whole pages only: a part of a page may still be wanted by the neighbour.
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = (first + page - 1) / page * page;
  const std::size_t end = (first + count) / page * page;
  if (end > begin) ::madvise(const_cast<char*>(text_.data()) + begin, end - begin, MADV_DONTNEED);
}

struct FileWriter::State {
  std::string path;       // as errors name it
  std::string target;     // what the temporary file becomes; empty when written in place
  std::string temporary;  // empty when written in place or after the rename
  Descriptor file;
  std::string pending;
  std::unique_ptr<Compressor> compressor;

  void open(const std::string& name);
  void open_temporary(mode_t mode, bool keep_mode);
  void put(std::string_view bytes);
  void flush();
  void sync_and_rename();
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
  const std::unique_ptr<char, void (*)(void*)> resolved(exists ? ::realpath(name.c_str(), nullptr) : nullptr,
                                                        std::free);
  if (resolved) target = resolved.get();
  open_temporary(info.st_mode & 07777, exists);
}

void FileWriter::State::open_temporary(mode_t mode, bool keep_mode) {
  for (int attempt = 0; file.number() < 0; ++attempt) {
    temporary = fmt::format("{}/.discern-{}-{}.tmp", directory(), ::getpid(), attempt);
    file.set(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
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

void FileWriter::State::sync_and_rename() {
  if (::fsync(file.number()) != 0) system_error("cannot write", path, errno);
  if (file.close() != 0) system_error("cannot write", path, errno);
  if (::rename(temporary.c_str(), target.c_str()) != 0) system_error("cannot write", path, errno);
  temporary.clear();
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
  if (!state_->temporary.empty()) ::unlink(state_->temporary.c_str());
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
  if (state_->compressor) state_->compressor->finish([this](std::string_view piece) { state_->put(piece); });
  state_->flush();
  if (!state_->target.empty()) state_->sync_and_rename();
}

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
