// Writing a table in any of the formats that io/table/formats.cpp lists.
#pragma once

#include <string>

#include "discern/data/table.hpp"

namespace discern {

struct WriteOptions {
  std::string format;  // a name in formats(); empty: by the extension
};

// Writes the table to a temporary file beside `path`, syncs it and renames it, so that `path` holds
// either what it held before or the whole table. "-" writes to standard output. Numbers are written
// with the fewest digits that read back as the same double.
void write_table(const Table& table, const std::string& path, const WriteOptions& options = {});

}  // namespace discern
