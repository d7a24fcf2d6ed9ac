// What commands check before they start long work that ends in a file.
#pragma once

#include <string>

namespace discern::cli {

// Throws Code::io when `path` could not be written. Leaves nothing behind.
void check_writable(const std::string& path);

// Whether both name one file that is there.
bool same_file(const std::string& one, const std::string& other);

// Throws Code::usage when both name the same existing file, so that no result overwrites what it came from.
void check_different(const std::string& input, const std::string& output);

// Throws Code::usage when two flags name one file to write, however it is spelled and whether it exists or
// not.
void check_two_files(const std::string& flag, const std::string& file, const std::string& other_flag,
                     const std::string& other);

}  // namespace discern::cli
