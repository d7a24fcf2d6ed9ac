// Columns that should not be features: what they hold says nothing of rows that are still to come.
//
//   empty        no cell has a value
//   constant     all cells are equal, and none is missing. Columns whose names differ in numbers alone (x1, x2,
//                ...; pixel_0_0, ...) are the cells of an array, such as the pixels of an image, whose places
//                count; there constants stay
//   identifier   text: at least 20 different texts, and fewer than two cells on average have the same one;
//                whole numbers: nearly all different, and either the name says so (id, PassengerId, row, key, ...)
//                or they lie between 0 and twice their count, as row numbers do. Whole numbers that are all
//                different and lie further apart (incomes, populations) are quantities
//   free_text    text as above, of 40 bytes or more on average
//
// What a column holds is looked at row by row only as far as needed: a first cell that is no whole number ends
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/data/table.hpp"

namespace discern {

enum class Unsuitable { identifier, constant, empty, free_text };

struct UnsuitableColumn {
  Index column = 0;
  std::string name;
  Unsuitable why = Unsuitable::identifier;
};

// In the order of the table, without those named in `keep`. Tables without names have none. Where all columns would be left out, identifiers and free text
// are none: better them than nothing.
std::vector<UnsuitableColumn> unsuitable_columns(const Table& table,
                                                 const std::vector<std::string>& keep = {});

// "identifier", or of several columns "identifiers".
std::string_view reason_name(Unsuitable why, bool several = false);

// The assumption as a sentence: "left out as an identifier: 681 different texts in 891 cells".
Note note_of(const UnsuitableColumn& column, const Table& table);

// Whether the columns have no names of their own: sparse tables, and columns that are called x1, x2, ... Nothing is
// left out of them.
bool without_names(const Table& table);

// Whether a column of this name most likely holds identifiers.
bool names_identifier(std::string_view name);

}  // namespace discern
