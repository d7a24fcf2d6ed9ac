#include "discern/io/binary/cache.hpp"
#include "fuzz/checksum.hpp"
#include "fuzz/fuzz.hpp"

// The input is a container whose checksum is put right first; otherwise nothing would get past it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = discern::with_checksum({reinterpret_cast<const char*>(data), size});
  return discern::check_reader([&] {
    return discern::parse_cache(
        discern::content_of(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), "input", {});
  });
}
