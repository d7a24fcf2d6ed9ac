// The binary cache: a table as it is in memory, in the container of io/binary/safetensors.hpp. Reading it back
// parses nothing; the features are views of the mapped file.
//
// Metadata: "format" ("discern-table"), "version" and "table", a JSON description of the columns (names,
// levels, what was noticed). Tensors: "x" (rows x columns) when dense; "x.values", "x.columns" and "x.starts"
// when sparse; "side.0", "side.1", ... for the side columns. What is read is checked as if it came from a
// stranger: row starts that do not decrease, columns in order and in range, codes that name a level, missing
// cells only where they were noticed, no infinities.
#pragma once

#include <string>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

Table read_cache(const std::string& path, const ReadOptions& options);
Table parse_cache(const FileContent& content, const std::string& file, const ReadOptions& options);
void write_cache(const Table& table, const std::string& path);

}  // namespace discern
