// discern fit --stream: learning from rows as they come.
#pragma once

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/models.hpp"

namespace discern::cli {

std::vector<Flag> stream_flags();
// Throws Code::usage for those of them that are given without --stream.
void refuse_stream_flags(const Arguments& arguments);

// Returns the exit code.
int fit_stream(const Arguments& arguments, Console& console, FitSettings settings);

}  // namespace discern::cli
