// The JSON header of a safetensors file. Inside of safetensors.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "discern/io/binary/safetensors.hpp"

namespace discern::safetensors {

// How the header of every file of ours begins; the digits of the checksum follow.
inline constexpr std::string_view header_opening = R"({"__metadata__":{"checksum":")";
inline constexpr std::size_t longest_header = std::size_t{1} << 28;

std::string_view name_of(TensorType type);
std::size_t width_of(TensorType type);

struct Entry {
  std::string name;
  TensorType type = TensorType::f64;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;  // offsets into the data
  std::uint64_t end = 0;
};

struct Header {
  Metadata metadata;
  std::vector<Entry> entries;
};

// Throws `code` for anything but the exact structure of the format.
Header parse_header(std::string_view json, const std::string& file, Code code);

}  // namespace discern::safetensors
