// NumPy's .npy: one matrix of numbers (format versions 1 to 3).
//
// Rows are samples; a one-dimensional array is one column; columns are named x1, x2, .... Floats of 4 and
// 8 bytes, integers of 1 to 8 bytes and booleans are read, in either byte order and in C or Fortran
// order; integers beyond 2^53 round to the nearest double. A little-endian C-order float array is used
// where it lies in the mapped file, without a copy. NaN and infinities are refused; errors give the
// 1-based row as the line.
#pragma once

#include <string>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_npy(const std::string& path, const ReadOptions& options);
Table parse_npy(const FileContent& content, const std::string& file, const ReadOptions& options);

// Writes the features and then the side columns as one dense matrix, of 4-byte floats when they all are.
// Throws Code::usage for text that is not numbers and for missing cells.
void write_npy(const Table& table, const std::string& path);

}  // namespace discern
