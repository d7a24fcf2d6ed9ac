// ARFF, Weka's format: a header of "@attribute NAME TYPE" lines, then "@data" and comma-separated rows.
//
// Types: numeric, real and integer are numbers; {a, b, c} is text of which no other value is allowed;
// string is text. Dates and relations are refused by name. Names and values may stand in ' or ", with
// backslash escapes; % opens a comment line; an unquoted ? is missing. Sparse rows "{i v, j w}" (indices
// from 0) are read too: what they leave out is 0, the first declared value, or missing (string).
// ReadOptions choose columns and types as for CSV.
#pragma once

#include <string>

#include "discern/io/csv/csv.hpp"

namespace discern {

Table read_arff(const std::string& path, const ReadOptions& options);
Table read_arff_text(const FileContent& content, const std::string& file, const ReadOptions& options,
                     std::size_t chunk_bytes = csv_chunk_bytes);

// Text columns are written as nominal attributes; side columns follow the features.
void write_arff(const Table& table, const std::string& path);

}  // namespace discern
