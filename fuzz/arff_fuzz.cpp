#include "discern/io/arff/arff.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return discern::check_reader(
      [&] { return discern::read_arff_text(discern::content_of(data, size), "input", {}); });
}
