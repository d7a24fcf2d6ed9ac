// What is decided about the rows and columns of a table before anything is fitted to it, each as the settings ask for
// it. All of it is written into the notes of the table.
//
//   drop_unlabelled  rows without a target are left out
//   choose_columns   columns that should not be features are left out (unsuitable_columns.hpp), but for those that
//                    the basis names, and columns that alone tell the target are named (possible_leaks.hpp)
//   drop_missing     rows with a missing cell in one of the columns that are left are left out, too
//
// Preparing a prepared table again changes nothing.
#pragma once

#include <string>
#include <vector>

#include "discern/catalogue/models.hpp"
#include "discern/catalogue/unsuitable_columns.hpp"
#include "discern/data/table.hpp"

namespace discern {

struct PreparedTable {
  Table table;
  std::vector<Index> rows;                 // of the table that was given; empty: all
  Index unlabelled = 0;                    // rows left out for want of a target
  Index incomplete = 0;                    // rows left out for a missing cell
  std::vector<UnsuitableColumn> left_out;  // columns
  std::vector<std::string> leaks;          // columns that alone tell the target
};

// Throws Code::data when no row is left, or the table has no such target.
PreparedTable prepare_table(Table table, const FitSettings& settings);

// The rows of a table that have a target, and those without a missing cell among the features.
std::vector<Index> labelled_rows(const Table& table, const std::string& target);
std::vector<Index> complete_rows(const Table& table);

// Leaves out the rows without a target and says so in a note; returns how many. Throws Code::data when that is all of
// them. A table without such a column stays as it is.
Index leave_out_unlabelled(Table& table, const std::string& target);

// "3 rows without a value of Survived are left out"
std::string unlabelled_text(Index rows, const std::string& target);
std::string incomplete_text(Index rows);

}  // namespace discern
