// From a plan for the columns to a table: what CSV and ARFF share.
#pragma once

#include <string>

#include "discern/io/csv/csv_plan.hpp"
#include "discern/io/file/file.hpp"

namespace discern::csv {

// The rows of content from `body` (on line `body_line`) on.
struct Body {
  const FileContent& content;
  std::string file;  // as errors name it
  Dialect dialect;
  std::size_t begin = 0;
  Index line = 1;
  bool names_by_position = false;
  double bytes_per_row = 0;  // about; 0: not known
};

// The table without these rows, which ascend.
Table without_rows(Table table, const std::vector<Index>& rows);

Table read_body(const Body& body, Plan plan, const Monitor& monitor, std::size_t chunk_bytes);

}  // namespace discern::csv
