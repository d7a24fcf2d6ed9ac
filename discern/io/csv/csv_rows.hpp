// The rows of delimited text as they stand, for what passes rows on without changing a byte of them: quotes, blanks,
// the spelling of numbers and of missing cells stay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/io/csv/csv.hpp"

namespace discern {

struct RowTexts {
  std::string_view head;               // all that is before the first row: the header, if there is one
  std::vector<std::string_view> rows;  // each with its line end, which the last one may lack
  std::vector<std::string> names;      // of the columns, by position when there is no header
  char separator = ',';
  bool header = false;
};

// Lines between rows that hold none are left out. `text` must outlive the result. Throws what read_csv_text would for
// text that does not begin like a table, and Code::data for a quote that is never closed.
RowTexts row_texts(std::string_view text, const std::string& file, const ReadOptions& options);

}  // namespace discern
