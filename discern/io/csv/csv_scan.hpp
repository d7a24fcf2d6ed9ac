// The first look at delimited text: cuts it into pieces that can be parsed side by side and finds the
// number of the first row and line of each, at the speed of memory.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "discern/io/csv/csv_fields.hpp"

namespace discern::csv {

// Cuts after line ends, `step` bytes or more apart: the beginnings of the pieces, and the end of the text.
std::vector<std::size_t> cut(std::string_view text, std::size_t begin, std::size_t step);

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

// What a piece needs to know of the pieces before it.
struct Start {
  Index line = 1;
  Index row = 0;
  bool inside_quotes = false;
  // Inside quotes: where the record begins that is not whole yet.
  std::size_t record = 0;
  Index record_line = 1;
};

// A piece of the text as far as it can be understood on its own.
class Piece {
 public:
  Piece(std::string_view text, std::size_t begin, std::size_t end, const Dialect& dialect);

  // The piece in its place; `start` becomes that of the next piece. Takes no time unless the piece starts
  // inside a quoted field.
  Chunk place(Start& start) const;

 private:
  // What it holds when it starts outside quotes; lines and records count as if none of its line ends
  // were quoted.
  struct Count {
    Index lines = 0;
    Index records = 0;
    bool quotes = false;
    bool regular = true;  // see Quotes
    bool nul = false;
  };
  // What it holds when quotes are followed byte by byte.
  struct Follow {
    bool inside = false;           // at the end
    std::size_t first_record = 0;  // where the first record begins, or the end of the piece
    Index lines_before_record = 0;
    std::size_t last_record = 0;  // where the last one begins, if any does
    Index lines_before_last = 0;
    Index records = 0;
  };
  class Counter;
  Follow follow_quotes(bool inside) const;

  std::string_view text_;
  std::size_t begin_;
  std::size_t end_;
  Dialect dialect_;
  Count count_;
  Follow follow_;  // from a start outside quotes; only when there are quotes that are not regular
};

}  // namespace discern::csv
