#include "discern/io/sqlite/sqlite.hpp"
#include "fuzz/fuzz.hpp"

// A hostile schema can make SQLite itself work for long (a view over views, say); the monitor bounds that,
// as a user's Ctrl-C would.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  discern::ReadOptions options;
  int asked = 0;
  options.monitor = [&](const discern::Progress&) { return ++asked < 10; };
  return discern::check_reader(
      [&] { return discern::parse_sqlite(discern::content_of(data, size), "input", options); });
}
