#include "discern/io/file/utf8.hpp"

#include <cstdint>

namespace discern {
namespace {

constexpr std::uint32_t first_private = 0xF780;  // of byte 0x80
constexpr std::uint32_t last_private = 0xF7FF;   // of byte 0xFF

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;  // 0: not valid
};

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length};
}

bool is_private(std::uint32_t code) { return code >= first_private && code <= last_private; }

}  // namespace

std::string to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const Decoded character = decode(bytes);
    const bool plain = character.length > 0 && !is_private(character.code);
    if (plain) {
      text += bytes.substr(0, character.length);
    } else {
      const std::uint32_t code = 0xF700U + static_cast<unsigned char>(bytes[0]);
      text += static_cast<char>(0xE0 | code >> 12);
      text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
    bytes.remove_prefix(plain ? character.length : 1);
  }
  return text;
}

std::string from_utf8(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    const Decoded character = decode(text);
    const std::size_t length = character.length == 0 ? 1 : character.length;
    if (character.length == 3 && is_private(character.code))
      bytes += static_cast<char>(character.code & 0xFF);
    else
      bytes += text.substr(0, length);
    text.remove_prefix(length);
  }
  return bytes;
}

}  // namespace discern
