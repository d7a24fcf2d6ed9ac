// Delimited text: CSV (RFC 4180), TSV and their kin.
//
// Reading. The separator is detected among , ; tab | and blank, the header from the first rows (see
// csv_detect.cpp). The first quarter of a megabyte proposes the type of each column and how its numbers are written
// (see csv_plan.hpp); a later cell that does not fit changes this, and the file is parsed again. CRLF, a byte order
// mark, a missing last line end and blank lines are fine. Empty cells and the marks in missing_marks.hpp are missing,
// in quotes or not. Features are stored as float when that loses nothing. Otherwise the file goes through memory once,
// in pieces parsed side by side into the final matrix (see csv_read.cpp); its pages are given back as they
// are done with.
//
// Writing. A header, then one line a row; side columns follow the features. Numbers have the fewest
// digits that read back as the same double. Cells are quoted where RFC 4180 asks for it and where blanks
// around a text would be lost. A missing cell is empty ("" when it is the only one of its row). Since
// quotes do not keep a text such as NA from being read as missing, a level that spells a missing mark is
// refused. A column of texts that look like numbers is written as it is; read it back with --categorical.
#pragma once

#include <string>

#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_csv(const std::string& path, const ReadOptions& options);
Table read_tsv(const std::string& path, const ReadOptions& options);  // the separator defaults to a tab

// The same for text that is in memory or mapped; `file` is how errors name it. The result does not
// depend on `chunk_bytes`, the piece of text that a thread takes at a time.
// A quarter of a megabyte and the numbers in it stay in the L2 cache.
inline constexpr std::size_t csv_chunk_bytes = std::size_t{1} << 18;
Table read_csv_text(const FileContent& content, const std::string& file, const ReadOptions& options,
                    std::size_t chunk_bytes = csv_chunk_bytes);

void write_csv(const Table& table, const std::string& path);
void write_tsv(const Table& table, const std::string& path);

}  // namespace discern
