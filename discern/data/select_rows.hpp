// Some rows of a table as a table of their own.
#pragma once

#include <vector>

#include "discern/data/table.hpp"

namespace discern {

// The table as it would be had the file not held the other rows: categories and labels that only those had
// are gone, and missing cells are counted again; row_numbers are taken along where there are any, kept cells are not. `rows` are in the order wanted; the cells are copied.
Table select_rows(const Table& table, const std::vector<Index>& rows);

}  // namespace discern
