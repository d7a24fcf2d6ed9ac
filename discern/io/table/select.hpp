// What a reader that cannot skip columns while reading does afterwards: sets columns aside, keeps the
// features asked for, and brings columns to the type asked for. Readers of text formats with a parse per
// cell (CSV) do the same while they parse.
#pragma once

#include <string>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/io/table/read.hpp"

namespace discern {

// The table as `options` ask for it. Without anything to do it is passed on as it is, without a copy.
//
// - A side request takes a column out of the features (by name, or by 1-based number), or finds it among
//   the side columns already there; side columns that nobody asked for stay.
// - `expected`, `features` and `ignore` choose the features; they keep the order of the file. An expected
//   column that the file does not have is for the model to miss.
// - Numbers asked for as text become the shortest text that reads back as the number ("3", "0.5"); texts
//   asked for as numbers are parsed, and one that is not a number is an Error with its line.
// - In a sparse table with numbered columns, a column left out keeps its number and loses its entries.
//
// Throws Code::usage for a column that does not exist.
Table select_columns(Table table, const ReadOptions& options);

// The schema of these columns; two of the same name are an Error that names the file.
Schema schema_of(std::vector<Column> columns, const std::string& file);

// Turns a side column of numbers into one of text, as above.
void make_text(SideColumn& side);

}  // namespace discern
