// Whether a table that was read as it is, without parsing, keeps the promises of data/table.hpp.
#pragma once

#include "discern/data/table.hpp"

namespace discern {

// Throws Code::data naming the file and what is wrong.
void check_table(const Table& table);

}  // namespace discern
