// How a delimited text begins: its separator, whether it has a header, the names of its columns, and a
// sample of its rows. All of it depends on the first quarter of a megabyte of the text alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/error.hpp"
#include "discern/data/table.hpp"
#include "discern/io/csv/csv_fields.hpp"
#include "discern/io/table/read.hpp"

namespace discern::csv {

// More columns are refused: each takes some hundred bytes for its name, its type and what was noticed in it.
inline constexpr std::size_t most_columns = 1'000'000;

// The first records, in full.
struct Sample {
  std::vector<Field> fields;
  std::vector<std::size_t> starts = {0};  // where each record's fields begin, and the end

  std::size_t size() const { return starts.size() - 1; }
  std::span<const Field> record(std::size_t i) const {
    return std::span<const Field>(fields).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};

struct Opening {
  Dialect dialect;
  bool header = false;
  std::vector<std::string> names;  // of all columns of the file, by position when there is no header
  std::size_t body = 0;            // where the rows begin
  Index body_line = 1;
  // Columns that are no features: names of rows, and the empty column behind a separator at the end of rows.
  std::vector<std::size_t> left_out;
  std::vector<Note> notes;
  double bytes_per_row = 0;  // in the sample
  Sample sample;             // of the rows; some may have another number of fields than there are names
};

// Reads at least `least` records (if there are so many) and on until `bytes` have been read.
Sample read_sample(Fields& fields, std::size_t least, std::size_t bytes);

// Detects what the options leave open. Two columns of one name get different ones ("a", "a.1"), with a note. Throws
// Code::data when the text is empty, has no rows, begins with something that is not text, or has too many columns.
Opening read_opening(std::string_view text, const std::string& file, const ReadOptions& options);

// Refuses too many columns, and two with one name.
void check_names(const std::vector<std::string>& names, const Place& place);

}  // namespace discern::csv
