// [-]digits[.digits] of 17 to 31 bytes after the sign, both ends known: a double written in full.
#pragma once

#include <cstddef>

namespace discern {

// How far before its end the function below may read.
inline constexpr std::ptrdiff_t bytes_before_long_cell_end = 32;

// True with the correctly rounded value when the whole cell has that form and its digits, without point
// and leading zeros, spell less than 1.8e19; otherwise false, and the cell may still be a number.
bool parse_long_decimal(const char* first, const char* last, double& value);

}  // namespace discern
