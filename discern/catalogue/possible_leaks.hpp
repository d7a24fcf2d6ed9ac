// Columns that alone tell the target of every row: rather a trace of the target than something that is known
// before it. A column is one when
//
//   numbers          the classes occupy intervals that do not touch (for two classes: one threshold separates them)
//   text             every level has one class, and there are five cells a level on average
//   a regression     the target is a linear function of the column, up to a relative error of 1e-9
//
// Missing cells are a level of their own, which must have one class, too (of numbers one that no present cell
// has). Every class must have five rows, or there is nothing to be sure of.
//
// Nearly every column is found innocent within a few rows, where the search ends.
#pragma once

#include <string>
#include <vector>

#include "discern/data/table.hpp"

namespace discern {

// Of a table in which every row has a target. Tables without names (unsuitable_columns.hpp) have none.
std::vector<std::string> possible_leaks(const Table& table, const SideColumn& target);

// "'boat' alone tells ...", as a warning.
std::string leak_text(const std::string& column, const std::string& target);

}  // namespace discern
