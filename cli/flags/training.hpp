// What fit, cv and compare share: the labelled table, how it is prepared for a model, and which model.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/io/table/read.hpp"

namespace discern::cli {

std::vector<Flag> training_flags();  // --target, --task, weights, and what happens to the columns
Flag model_flag();                   // --model; model_flags() has its options

// The flags of one group belong together whatever list they come from.
std::vector<Flag> by_group(const std::vector<Flag>& flags);

// What --basis asks for; empty without it. A mistake in it is told before the data are read.
std::string basis_text(const Arguments& arguments);

// All but the model, its options and the names of the columns.
FitSettings training_settings(const Arguments& arguments, Console& console);
std::string model_name(const Arguments& arguments);  // of --model
void set_model(const Arguments& arguments, FitSettings& settings);

// How to read the first positional: the target, which is set here unless a model is continued, whose columns
// are then read; the sample weights and the groups (a column or nothing) stand aside.
ReadOptions reading_for(const Arguments& arguments, Console& console, FitSettings& settings,
                        const std::string& group = "");

// A column may be asked for by its number; the table has it under its name. `names` are those that were asked
// for, in the order of reading_for; empty ones were not.
void use_names(const Table& table, const std::vector<std::string*>& names);

// Hundreds of classes that are all numbers are rather the target of a regression; empty when they are not.
std::string regression_hint(const Table& table, const FitSettings& settings);

}  // namespace discern::cli
