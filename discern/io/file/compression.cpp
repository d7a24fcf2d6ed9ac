#include "discern/io/file/compression.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/memory_text.hpp"

namespace discern {
namespace {

constexpr std::size_t library_step = std::size_t{1}
                                     << 18;  // bytes handed to or taken from a library at a time
constexpr int gzip_window = 15 + 16;         // zlib's way to ask for the gzip wrapper

[[noreturn]] void damaged(std::string_view kind, const std::string& why, const std::string& file) {
  throw Error(Code::data, fmt::format("damaged {} data: {}", kind, why), {file, 0, ""});
}

struct Inflater {
  z_stream stream{};
  Inflater() {
    if (inflateInit2(&stream, gzip_window) != Z_OK) throw Error(Code::memory, "no memory for zlib");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
};

// zlib counts input in 32 bits, so the input is handed over in pieces. It takes but does not change it.
void feed(z_stream& stream, std::string_view rest) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(rest.size(), std::size_t{1} << 30));
}

// Padding with zeros after the last member is what tape and block tools leave; anything else is damage.
bool only_zeros(std::string_view rest) { return rest.find_first_not_of('\0') == std::string_view::npos; }

GrowingBytes gunzip(std::string_view rest, const std::string& file) {
  GrowingBytes out;
  Inflater inflater;
  z_stream& stream = inflater.stream;
  if (rest.empty()) damaged("gzip", "the file is empty", file);
  while (true) {
    feed(stream, rest);
    const uInt offered = stream.avail_in;
    const std::size_t space = std::max(library_step, std::min<std::size_t>(out.size(), std::size_t{1} << 30));
    stream.next_out = reinterpret_cast<Bytef*>(out.room(space));
    stream.avail_out = static_cast<uInt>(space);
    const int status = inflate(&stream, Z_NO_FLUSH);
    out.grew(space - stream.avail_out);
    rest.remove_prefix(offered - stream.avail_in);
    if (status == Z_STREAM_END) {
      if (only_zeros(rest)) return out;
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw Error(Code::memory, "no memory for zlib", {file, 0, ""});
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      damaged("gzip", stream.msg != nullptr ? stream.msg : "unknown error", file);
    } else if (rest.empty() && stream.avail_out > 0) {
      damaged("gzip", "the file ends too early", file);
    }
  }
}

GrowingBytes unzstd(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) damaged("zstd", "the file is empty", file);
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw Error(Code::memory, "no memory for zstd", {file, 0, ""});
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, 30);  // files of zstd --long as well
  GrowingBytes out;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (true) {
    const std::size_t space = std::max(library_step, out.size() / 2);
    ZSTD_outBuffer piece{out.room(space), space, 0};
    const std::size_t status = ZSTD_decompressStream(context.get(), &piece, &in);
    if (ZSTD_isError(status)) damaged("zstd", ZSTD_getErrorName(status), file);
    out.grew(piece.pos);
    if (in.pos < in.size || piece.pos == piece.size) continue;
    if (status == 0) return out;
    damaged("zstd", "the file ends too early", file);
  }
}

class GzipDecompressor : public Decompressor {
 public:
  explicit GzipDecompressor(std::string file) : in_(library_step), file_(std::move(file)) {}

  std::optional<std::size_t> read(char* to, std::size_t most, const More& more) override {
    z_stream& stream = inflater_.stream;
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(std::min<std::size_t>(most, std::size_t{1} << 30));
    const uInt asked = stream.avail_out;
    while (stream.avail_out == asked) {
      if (rest_.empty()) {
        const auto count = more(in_.data(), in_.size());
        if (!count) return std::nullopt;
        rest_ = {in_.data(), *count};
      }
      if (rest_.empty() && between_members_) return 0;
      if (rest_.empty()) damaged("gzip", "the file ends too early", file_);
      if (between_members_ && begun_ && only_zeros(rest_)) {
        rest_ = {};
        continue;
      }
      take(stream);
    }
    return asked - stream.avail_out;
  }

 private:
  void take(z_stream& stream) {
    between_members_ = false;
    begun_ = true;
    feed(stream, rest_);
    const uInt offered = stream.avail_in;
    const int status = inflate(&stream, Z_NO_FLUSH);
    rest_.remove_prefix(offered - stream.avail_in);
    if (status == Z_STREAM_END) {
      inflateReset(&stream);
      between_members_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw Error(Code::memory, "no memory for zlib", {file_, 0, ""});
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      damaged("gzip", stream.msg != nullptr ? stream.msg : "unknown error", file_);
    }
  }

  Inflater inflater_;
  std::vector<char> in_;
  std::string file_;
  std::string_view rest_;
  bool between_members_ = true, begun_ = false;
};

class ZstdDecompressor : public Decompressor {
 public:
  explicit ZstdDecompressor(std::string file)
      : context_(ZSTD_createDCtx(), ZSTD_freeDCtx), in_(library_step), file_(std::move(file)) {
    if (!context_) throw Error(Code::memory, "no memory for zstd", {file_, 0, ""});
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, 30);
  }

  std::optional<std::size_t> read(char* to, std::size_t most, const More& more) override {
    ZSTD_outBuffer out{to, most, 0};
    while (out.pos == 0) {
      if (rest_.pos == rest_.size) {
        const auto count = more(in_.data(), in_.size());
        if (!count) return std::nullopt;
        rest_ = {in_.data(), *count, 0};
      }
      if (rest_.size == 0 && between_frames_) return 0;
      if (rest_.size == 0) damaged("zstd", "the file ends too early", file_);
      const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &rest_);
      if (ZSTD_isError(status)) damaged("zstd", ZSTD_getErrorName(status), file_);
      between_frames_ = status == 0;
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::vector<char> in_;
  std::string file_;
  ZSTD_inBuffer rest_{nullptr, 0, 0};
  bool between_frames_ = true;
};

class GzipCompressor : public Compressor {
 public:
  GzipCompressor() : out_(library_step) {
    if (deflateInit2(&stream_, 6, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error(Code::memory, "no memory for zlib");
  }
  ~GzipCompressor() override { deflateEnd(&stream_); }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  void write(std::string_view bytes, const Sink& sink) override {
    while (!bytes.empty()) {
      feed(stream_, bytes);
      const uInt offered = stream_.avail_in;
      pump(Z_NO_FLUSH, sink);
      bytes.remove_prefix(offered - stream_.avail_in);
    }
  }
  void finish(const Sink& sink) override {
    feed(stream_, {});
    while (pump(Z_FINISH, sink) != Z_STREAM_END) {
    }
  }

 private:
  int pump(int flush, const Sink& sink) {
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
    const int status = deflate(&stream_, flush);
    sink({out_.data(), out_.size() - stream_.avail_out});
    return status;
  }

  z_stream stream_{};
  std::vector<char> out_;
};

class ZstdCompressor : public Compressor {
 public:
  ZstdCompressor() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx), out_(library_step) {
    if (!context_) throw Error(Code::memory, "no memory for zstd");
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }
  void write(std::string_view bytes, const Sink& sink) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size) pump(in, ZSTD_e_continue, sink);
  }
  void finish(const Sink& sink) override {
    ZSTD_inBuffer in{nullptr, 0, 0};
    while (pump(in, ZSTD_e_end, sink) != 0) {
    }
  }

 private:
  std::size_t pump(ZSTD_inBuffer& in, ZSTD_EndDirective directive, const Sink& sink) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
    if (ZSTD_isError(left)) throw Error(Code::memory, fmt::format("zstd: {}", ZSTD_getErrorName(left)));
    sink({out_.data(), out.pos});
    return left;
  }

  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
  std::vector<char> out_;
};

}  // namespace

Compression compression_of_name(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::gzip;
  if (path.ends_with(".zst")) return Compression::zstd;
  return Compression::none;
}

Compression compression_of_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b")) return Compression::gzip;
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  return Compression::none;
}

void GrowingBytes::Free::operator()(char* p) const { std::free(p); }

char* GrowingBytes::room(std::size_t count) {
  if (count > capacity_ - size_) {
    const std::size_t wanted = std::max(size_ + count, size_ + size_ / 2);
    void* moved = std::realloc(memory_.get(), wanted);
    if (moved == nullptr)
      throw Error(Code::memory, fmt::format("no memory for {}; {}", bytes_text(wanted), memory_advice));
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<char*>(moved));
    capacity_ = wanted;
  }
  return memory_.get() + size_;
}

std::shared_ptr<void> GrowingBytes::release() {
  capacity_ = size_ = 0;
  return {memory_.release(), std::free};
}

GrowingBytes decompress(Compression kind, std::string_view bytes, const std::string& file) {
  return kind == Compression::gzip ? gunzip(bytes, file) : unzstd(bytes, file);
}

std::unique_ptr<Decompressor> make_decompressor(Compression kind, const std::string& file) {
  if (kind == Compression::gzip) return std::make_unique<GzipDecompressor>(file);
  if (kind == Compression::zstd) return std::make_unique<ZstdDecompressor>(file);
  return nullptr;
}

std::unique_ptr<Compressor> make_compressor(Compression kind) {
  switch (kind) {
    case Compression::gzip:
      return std::make_unique<GzipCompressor>();
    case Compression::zstd:
      return std::make_unique<ZstdCompressor>();
    case Compression::none:
      break;
  }
  return nullptr;
}

}  // namespace discern
