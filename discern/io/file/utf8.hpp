// Any bytes as valid UTF-8, and back: file formats that must hold UTF-8 (JSON) also have to keep a name or
// a label in another encoding exactly as it was.
//
// A byte b that is no part of valid UTF-8 becomes the private code point U+F700 + b; bytes that spell one
// of these code points become three of them. Ordinary text stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace discern {

std::string to_utf8(std::string_view bytes);
std::string from_utf8(std::string_view text);  // from_utf8(to_utf8(bytes)) == bytes

}  // namespace discern
