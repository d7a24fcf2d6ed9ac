#include "discern/io/file/compression.hpp"
#include "fuzz/fuzz.hpp"

// The first byte chooses the kind.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto kind = data[0] % 2 == 0 ? discern::Compression::gzip : discern::Compression::zstd;
  const discern::FileContent content = discern::content_of(data + 1, size - 1);
  try {
    discern::decompress(kind, content.text(), "input");
  } catch (const discern::Error&) {
  }
  return 0;
}
