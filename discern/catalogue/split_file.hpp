// Dividing the rows of a file into two files, one to fit on and one to judge by (evaluate/hold_out.hpp has the rules).
//
// Rows keep their order. Of delimited text written as the same kind of text they keep every byte, and both files begin
// as the old one does; otherwise they are read and written, where numbers are exact and texts stay texts. Both files
// are there afterwards, or neither.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "discern/io/table/read.hpp"

namespace discern {

struct SplitOptions {
  double test = 0.25;         // below 1 a share of the rows, otherwise so many
  std::string stratify = {};  // a column: each of its values has its share of the test rows; empty: none
  std::string group = {};     // a column: rows of one value stay together; empty: none
  std::string time = {};      // a column: the last rows in its order are the test; empty: rows are drawn
  std::uint64_t seed = 0;
  std::string format = {};  // of both files; empty: by their extensions
};

struct SplitPart {
  Index rows = 0;
  std::vector<Index> of_value;  // of `stratify`: rows of each value
  Index groups = 0;
};

struct SplitOutcome {
  Index rows = 0;
  SplitPart train, test;
  std::vector<std::string> values;  // of `stratify`, in order
  bool byte_for_byte = false;
  std::vector<std::string> warnings;
};

// Throws Code::usage for options that exclude each other, Code::data for rows that cannot be divided so.
SplitOutcome split_file(const std::string& input, const ReadOptions& reading, const std::string& train,
                        const std::string& test, const SplitOptions& options);

}  // namespace discern
