// What fit, cv and compare share: the labelled table, how it is prepared for a model, and which model.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/catalogue/models.hpp"
#include "discern/io/table/read.hpp"

namespace discern::cli {

// Which of two classes is positive without --positive (catalogue/positive_class.hpp).
inline constexpr const char* positive_standard =
    "the one that says yes (+, yes, true, 1, positive) when the other says no; else the last in order";

std::vector<Flag> training_flags();  // --target, --task, weights, and what happens to the columns
Flag model_flag();                   // --model; model_flags() has its options

// The flags of one group belong together whatever list they come from.
std::vector<Flag> by_group(const std::vector<Flag>& flags);

// What --basis asks for; empty without it. A mistake in it is told before the data are read.
std::string basis_text(const Arguments& arguments);

// All but the model, its options and the names of the columns.
FitSettings training_settings(const Arguments& arguments, Console& console);
// Why the positive class of two is not the last in order; empty when it is.
std::string why_positive(const Model& model, const FitSettings& settings);
std::string model_name(const Arguments& arguments);  // of --model
void set_model(const Arguments& arguments, FitSettings& settings);

// How to read the first positional. Sets settings.target; when a model is continued, its target and its columns are
// read instead. Target, sample weights and groups (`group`: a column, or empty) become side columns.
ReadOptions reading_for(const Arguments& arguments, Console& console, FitSettings& settings,
                        const std::string& group = "");

// A column may be asked for by its number, but the table has it under its name. Replaces each of `names` that is such
// a number by the name of the column. They are in the order of reading_for; an empty one was not asked for.
void use_names(const Table& table, const std::vector<std::string*>& names);

// Hundreds of classes that are all numbers are rather the target of a regression; empty when they are not.
std::string regression_hint(const Table& table, const FitSettings& settings);

}  // namespace discern::cli
