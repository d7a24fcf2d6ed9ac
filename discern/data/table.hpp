// A table as it came from a file: what every reader returns and every writer takes.
//
// The feature columns are one matrix: numbers as they are, categorical cells as the index of their level,
// missing cells as NaN (no reader takes NaN for a number, so the mark is free).
// Columns with another role (the target, the sample weights, the groups) stand aside as vectors.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/features.hpp"
#include "discern/data/schema.hpp"

namespace discern {

// What a reader noticed in a column, so that later steps can name a line without reading again.
struct Noticed {
  Index missing = 0;              // number of missing cells
  Index first_missing_line = 0;   // 1-based line of the first
  std::vector<Index> level_line;  // for each level, the line where it first appears
};

struct SideColumn {
  std::string name;
  bool text = false;                // values are indices into levels
  std::vector<std::string> levels;  // in the order of sort_levels
  std::vector<double> values;       // a row each; NaN where missing
  Noticed noticed;
};

// An assumption that was made on the way, as a sentence for people: how a column was read, or why it is left out.
struct Note {
  std::string column;  // empty: of the whole table
  std::string text;
};

// Rows of the file that were left out because they cannot be read.
struct UnreadRows {
  Index count = 0;
  std::string first;  // what is wrong with the first, with its line
};

// "3 rows that cannot be read are left out; the first: ..."
std::string unread_text(const UnreadRows& rows);

// Cells as they stand in the file, to be written beside what is computed from the row.
struct KeptCells {
  std::vector<std::string> names;
  std::string text;               // of all cells, row by row
  std::vector<std::size_t> ends;  // of each cell in it

  void add(std::string_view cell) { ends.push_back(text.append(cell).size()); }
  std::string_view cell(Index row, std::size_t column) const {
    const std::size_t k = static_cast<std::size_t>(row) * names.size() + column;
    const std::size_t begin = k == 0 ? 0 : ends[k - 1];
    return std::string_view(text).substr(begin, ends[k] - begin);
  }
};

struct Table {
  std::string file;  // as errors name it
  Schema schema;     // of the columns of x
  Features x;
  std::vector<Noticed> noticed;  // a feature column each, or empty when nothing is missing or categorical
  std::vector<SideColumn> side;
  std::vector<Note> notes;                // in the order of the columns
  std::vector<Index> row_numbers;         // in the file, from 0, once rows were left out; empty: all of them
  std::shared_ptr<const KeptCells> kept;  // those asked for; null: none
  UnreadRows unread;
  Index skipped_entries = 0;  // sparse formats: entries left out for being beyond the expected columns

  Index rows() const { return row_count(x); }
  Index row_number(Index i) const {
    return row_numbers.empty() ? i : row_numbers[static_cast<std::size_t>(i)];
  }
  const SideColumn* find_side(std::string_view name) const;
  // The column of x, of all or of these, with the missing cell that comes first in the file.
  std::optional<Index> first_missing() const;
  std::optional<Index> first_missing(std::span<const Index> columns) const;
};

}  // namespace discern
