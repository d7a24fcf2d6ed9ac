// Puts the checksum of a container (io/binary/safetensors.hpp) right, for targets that look behind it.
#pragma once

#include <xxhash.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace discern {

// Inputs up to 16 MB, which are hashed as one piece. Others come back unchanged.
inline std::string with_checksum(std::string_view input) {
  constexpr std::size_t place = 8 + std::string_view(R"({"__metadata__":{"checksum":")").size();
  constexpr std::size_t digits = 16;
  std::string bytes(input);
  if (bytes.size() < place + digits || bytes.size() > (std::size_t{1} << 24)) return bytes;
  bytes.replace(place, digits, digits, '0');
  XXH64_canonical_t piece;
  XXH64_canonicalFromHash(&piece, XXH3_64bits(bytes.data(), bytes.size()));
  char text[digits + 1];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(&piece, sizeof piece)));
  return bytes.replace(place, digits, text, digits);
}

}  // namespace discern
