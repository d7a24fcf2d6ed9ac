#include "discern/io/libsvm/libsvm.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return discern::check_reader(
      [&] { return discern::parse_libsvm(discern::content_of(data, size), "input", {}); });
}
