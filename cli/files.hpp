// What commands check before they start long work that ends in a file.
#pragma once

#include <string>

namespace discern::cli {

// Throws Code::io when `path` could not be written. Leaves nothing behind.
void check_writable(const std::string& path);

// Throws Code::usage when both name the same existing file, so that no result overwrites what it came from.
void check_different(const std::string& input, const std::string& output);

}  // namespace discern::cli
