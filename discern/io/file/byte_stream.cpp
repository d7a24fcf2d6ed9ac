#include "discern/io/file/byte_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "discern/base/error.hpp"
#include "discern/io/file/compression.hpp"

namespace discern {
namespace {

constexpr int wait_milliseconds = 100;  // between questions to the monitor
constexpr int pipe_bytes = 1 << 20;     // asked for; the system's 64 kB make for many small reads
constexpr std::size_t bytes_ahead = 4096;
constexpr std::size_t magic_bytes = 6;  // enough to know a compression

}  // namespace

struct ByteStream::State {
  std::string name;  // as errors name it
  Monitor monitor;
  int descriptor = -1;
  bool stopped = false;
  std::string first;  // bytes that were looked at to know the compression
  std::unique_ptr<Decompressor> decompressor;
  std::string ahead;             // what was decompressed to know whether there is something
  std::optional<Error> failure;  // what that met, for the next read
  bool ended = false;            // or that there is no more

  ~State() {
    if (descriptor > 2) ::close(descriptor);
  }
  [[noreturn]] void fail(const char* what) const {
    throw Error(Code::io, fmt::format("{}: {}", what, std::generic_category().message(errno)), {name, 0, ""});
  }
  void open(const std::string& path);
  bool ready(int milliseconds) const {
    pollfd wanted{descriptor, POLLIN, 0};
    return ::poll(&wanted, 1, milliseconds) > 0;
  }
  std::size_t raw(char* to, std::size_t most);
  void look_at_first();
  std::size_t decompress_now(char* to, std::size_t most);
};

// Opening a named pipe waits for somebody who writes to it.
void ByteStream::State::open(const std::string& path) {
  descriptor = STDIN_FILENO;
  if (path == "-") return;
  while ((descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
    if (errno != EINTR) fail("cannot open");
    if (!go_on(monitor, {.stage = "reading"}))
      throw Error(Code::interrupted, "interrupted while it was being opened", {name, 0, ""});
  }
}

std::size_t ByteStream::State::raw(char* to, std::size_t most) {
  if (!first.empty()) {
    const std::size_t count = std::min(most, first.size());
    std::memcpy(to, first.data(), count);
    first.erase(0, count);
    return count;
  }
  while (!stopped) {
    stopped = !go_on(monitor, {.stage = "reading"});
    if (stopped || !ready(wait_milliseconds)) continue;
    const ssize_t count = ::read(descriptor, to, most);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR && errno != EAGAIN) fail("cannot read");
  }
  return 0;
}

void ByteStream::State::look_at_first() {
  std::string bytes;
  char buffer[magic_bytes];
  // A text shows after its first byte that it is not compressed; it must not wait for more.
  while (bytes.size() < magic_bytes) {
    const std::size_t count = raw(buffer, magic_bytes - bytes.size());
    if (count == 0) break;
    bytes.append(buffer, count);
    if (bytes[0] != '\x1F' && bytes[0] != '\x28') break;
  }
  first = bytes;
  decompressor = make_decompressor(compression_of_bytes(bytes), name);
}

ByteStream::ByteStream(const std::string& path, const Monitor& monitor) : state_(std::make_unique<State>()) {
  state_->name = path == "-" ? "standard input" : path;
  state_->monitor = monitor;
  state_->open(path);
  // Of what is no pipe, or where the system does not allow it, the size stays as it is.
  if (::fcntl(state_->descriptor, F_SETPIPE_SZ, pipe_bytes) < 0) errno = 0;
  if (path == "-")
    state_->look_at_first();
  else
    state_->decompressor = make_decompressor(compression_of_name(path), path);
}

ByteStream::~ByteStream() = default;

// What can be had without waiting: compressed bytes may be there and not yet make one of the text.
std::size_t ByteStream::State::decompress_now(char* to, std::size_t most) {
  const auto more = [this](char* place, std::size_t room) -> std::optional<std::size_t> {
    if (first.empty() && !ready(0)) return std::nullopt;
    return raw(place, room);
  };
  try {
    const auto count = decompressor->read(to, most, more);
    ended = count && *count == 0;
    return count.value_or(0);
  } catch (const Error& error) {
    failure = error;
    return 0;
  }
}

bool ByteStream::ready() {
  State& s = *state_;
  if (!s.decompressor) return !s.first.empty() || s.ready(0);
  const auto known = [&] { return !s.ahead.empty() || s.ended || s.failure; };
  if (known()) return true;
  s.ahead.resize(bytes_ahead);
  s.ahead.resize(s.decompress_now(s.ahead.data(), s.ahead.size()));
  return known();
}

bool ByteStream::stopped() const { return state_->stopped; }

std::size_t ByteStream::read(char* to, std::size_t most) {
  const auto raw = [this](char* place, std::size_t room) { return state_->raw(place, room); };
  State& s = *state_;
  if (!s.decompressor) return raw(to, most);
  if (!s.ahead.empty()) {
    const std::size_t count = std::min(most, s.ahead.size());
    std::copy_n(s.ahead.data(), count, to);
    s.ahead.erase(0, count);
    return count < most ? count + s.decompress_now(to + count, most - count) : count;
  }
  if (s.ended) return 0;
  try {
    if (s.failure) throw *s.failure;
    return s.decompressor->read(to, most, raw).value_or(0);
  } catch (const Error&) {
    if (s.stopped) return 0;  // cut short by the caller, not damaged
    throw;
  }
}

}  // namespace discern
