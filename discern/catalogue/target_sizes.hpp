// Targets of least squares that a file gives: y = t b with t = -1 or +1 by the class, and a number b > 0 for
// every row.
#pragma once

#include <string>
#include <vector>

#include "discern/options/all.hpp"

namespace discern {

// Whether the `targets` of least squares name a file.
bool has_target_file(const ModelOptions& options);

// The numbers b of that file; none where the options name no file. Throws Code::data for a table that is not
// one column of numbers above zero.
std::vector<double> read_target_sizes(const ModelOptions& options);

}  // namespace discern
