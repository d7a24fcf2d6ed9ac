// gzip and zstd: whole contents in, whole contents out, and streams for reading and writing.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace discern {

enum class Compression { none, gzip, zstd };

Compression compression_of_name(std::string_view path);    // by the ending: .gz, .zst
Compression compression_of_bytes(std::string_view bytes);  // by the first bytes

// Bytes that grow in place: realloc moves pages, not contents, once they are many.
class GrowingBytes {
 public:
  // Makes room for `count` more bytes and returns where they go; throws Code::memory.
  char* room(std::size_t count);
  void grew(std::size_t count) { size_ += count; }
  std::size_t size() const { return size_; }
  std::size_t free_space() const { return capacity_ - size_; }
  std::string_view text() const { return {memory_.get(), size_}; }
  std::shared_ptr<void> release();  // gives the memory away; text() stays valid as long as it lives

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char, Free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Decompresses all members (gzip) or frames (zstd) of `bytes`. Throws Code::data naming `file` when the
// data are damaged, cut short or not of that kind.
GrowingBytes decompress(Compression kind, std::string_view bytes, const std::string& file);

// Decompresses a stream: what it needs comes from `more`, which fills some bytes and returns how many, 0 at
// the end (or when there are to be no more), and nothing when there are none yet.
class Decompressor {
 public:
  using More = std::function<std::optional<std::size_t>(char* to, std::size_t most)>;
  virtual ~Decompressor() = default;
  // Fills up to `most` bytes and returns how many, at least one unless there are no more; nothing when `more`
  // had none yet that would make one. Throws Code::data naming `file` as decompress does.
  virtual std::optional<std::size_t> read(char* to, std::size_t most, const More& more) = 0;
};

std::unique_ptr<Decompressor> make_decompressor(Compression kind, const std::string& file);

// Compresses a stream; what comes out goes to `sink` piece by piece.
class Compressor {
 public:
  using Sink = std::function<void(std::string_view)>;
  virtual ~Compressor() = default;
  virtual void write(std::string_view bytes, const Sink& sink) = 0;
  virtual void finish(const Sink& sink) = 0;
};

std::unique_ptr<Compressor> make_compressor(Compression kind);  // null for Compression::none

}  // namespace discern
