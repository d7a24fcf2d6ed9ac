// --report FILE.html: the page of a command (discern/report/).
#pragma once

#include <string>

#include "cli/shell/arguments.hpp"
#include "cli/shell/console.hpp"
#include "discern/report/figure.hpp"

namespace discern::cli {

Flag report_flag();

// Where the page goes; empty: nowhere. Throws Code::usage when it would overwrite the input or `other` (what
// `other_flag` writes), Code::io when it could not be written, before long work starts.
std::string report_path(const Arguments& arguments, const std::string& input,
                        const std::string& other_flag = "", const std::string& other = "");

// Writes the page and says so.
void write_report(const report::Page& page, const std::string& path, Console& console);

}  // namespace discern::cli
