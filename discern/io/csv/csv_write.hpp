// The rows of a table as lines of text: what the writers of CSV and ARFF share.
#pragma once

#include <string>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/io/file/file.hpp"

namespace discern::csv {

struct RowStyle {
  char separator = ',';
  std::string missing;
  std::vector<std::vector<std::string>> cells;  // of each column (features, then side): its levels as written
};

// Large tables are formatted in parallel.
void write_rows(const Table& table, const RowStyle& style, FileWriter& file);

}  // namespace discern::csv
