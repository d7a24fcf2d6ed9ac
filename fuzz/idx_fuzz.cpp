#include "discern/io/binary/idx.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return discern::check_reader([&] { return discern::parse_idx(discern::content_of(data, size), "input"); });
}
