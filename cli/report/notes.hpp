// What was assumed about a table and left out of it, in the words of every command that reads one to fit.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/console.hpp"
#include "discern/catalogue/prepared_table.hpp"

namespace discern::cli {

// At most five lines, each with a label: the columns left out by their reasons, then the other notes, those of the
// same text together. Empty when there is nothing to tell.
//
//   left out   PassengerId, Name (identifiers); Deck (constant)
//   note       2 rows without a value of Survived are left out
std::string notes_text(const PreparedTable& prepared, const Paint& paint);
std::string notes_text(const std::vector<Note>& notes, const Paint& paint);

// A warning for each column that alone tells the target.
std::vector<std::string> leak_warnings(const PreparedTable& prepared, const std::string& target);

// A --json object with all of it, each where there is some: notes[{column,text}], left_out[], rows_without_target,
// rows_with_missing.
std::string with_notes(const std::string& json, const PreparedTable& prepared);

}  // namespace discern::cli
