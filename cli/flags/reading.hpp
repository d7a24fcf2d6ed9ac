// From flags to a table: how commands read their data files.
#pragma once

#include <string>

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/io/table/read.hpp"

namespace discern::cli {

// --features --ignore --categorical --numeric: which columns of the file are features, and as what.
std::vector<Flag> column_flags();

// --sample-weight, of the commands that fit.
Flag sample_weight_flag();

// --max-record, of the commands that read streams.
Flag max_record_flag();

// What reading_flags() say of the file; of column_flags() what the command has.
ReadOptions read_options(const Arguments& arguments, Console& console);

// Whether the format has a target by nature, LIBSVM's label for instance.
bool has_label(const std::string& path, const ReadOptions& options);

// The name of the column that holds the target: --target, or "label" for formats that have one by nature.
// Without either Code::usage, with the file's columns when it is quick to read.
std::string target_of(const Arguments& arguments, const std::string& path, const ReadOptions& options);

// Warns of rows that could not be read and were left out, if there are some.
void warn_unread(const UnreadRows& rows, Console& console);

// "iris.csv", or "standard input".
std::string name_of_input(const std::string& path);

}  // namespace discern::cli
