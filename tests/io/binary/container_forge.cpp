#include "tests/io/binary/container_forge.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace discern {

std::string forge_container(const std::string& tensors, const std::string& data,
                            const std::string& metadata) {
  std::string header = R"({"__metadata__":{"checksum":"0000000000000000")";
  if (!metadata.empty()) header += "," + metadata;
  header += "}";
  if (!tensors.empty()) header += "," + tensors;
  header += "}";
  header.resize((8 + header.size() + 63) / 64 * 64 - 8, ' ');
  std::string bytes;
  for (int k = 0; k < 8; ++k) bytes += static_cast<char>(header.size() >> (8 * k) & 0xFF);
  bytes += header + data;
  // One piece: the hash of its hash.
  XXH64_canonical_t piece;
  XXH64_canonicalFromHash(&piece, XXH3_64bits(bytes.data(), bytes.size()));
  const std::string digits = fmt::format("{:x}", XXH3_64bits(&piece, sizeof piece));
  const std::string padded = std::string(16 - digits.size(), '0') + digits;
  std::copy(padded.begin(), padded.end(), bytes.begin() + 8 + 29);
  return bytes;
}

}  // namespace discern
