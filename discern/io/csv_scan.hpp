// The first pass over delimited text: cuts it into chunks that can be parsed side by side, each with
// the number of its first row and line, at the speed of memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "discern/io/csv_fields.hpp"

namespace discern::csv {

enum class Quotes : unsigned char {
  none,     // and no NUL: every separator and line end is one
  regular,  // quotes stand only around fields and doubled inside them, and no field spans lines
  any
};

// The records that begin in [begin, end); the last of them may run on past `end` inside quotes.
struct Chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  Index first_line = 0;  // of `begin`
  Index first_row = 0;
  Index rows = 0;
  Quotes quotes = Quotes::none;
};

// Cuts text[begin, size) into chunks of about `chunk_bytes`, cut after line ends. A quoted field may
// span any number of them. `begin` starts a record on line `line`. `done(first, bytes)` is told, from
// any thread, of each piece that was read, and returns false to stop (the chunks are then empty).
std::vector<Chunk> scan(std::string_view text, std::size_t begin, Index line, const Dialect& dialect,
                        std::size_t chunk_bytes, const std::function<bool(std::size_t, std::size_t)>& done);

}  // namespace discern::csv
