// --missing, --keep-all and --rare: what happens to rows and columns before a fit, in the commands that fit.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/catalogue/prepared_table.hpp"

namespace discern::cli {

Flag missing_flag();
Flag keep_all_flag();
Flag rare_flag();

// Puts them into the settings; those that the command does not have are as by default.
void set_preparing(const Arguments& arguments, FitSettings& settings);
// --missing alone, where the columns are those of a model that is gone on from.
void set_missing(const Arguments& arguments, FitSettings& settings);

// The table as it is to be fitted to. The settings are changed so that what was decided here is not decided again,
// and sizes of targets are those of the rows that are left.
PreparedTable prepare(Table table, FitSettings& settings);

}  // namespace discern::cli
