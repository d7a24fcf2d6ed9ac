// A page as one HTML file that needs nothing else: the words, the data and the script that draws them.
//
// A Content-Security-Policy admits this one script and this one style, by their hashes, and no connection of any
// kind. Everything that comes from a file is text: it is escaped in the words, and in the data no "<" is left that
// could end their element.
#pragma once

#include <string>

#include "discern/report/figure.hpp"

namespace discern::report {

std::string page_html(const Page& page);

// Throws Code::io. The old file or the whole new one is there afterwards.
void write_page(const Page& page, const std::string& path);

// The data of the page, as the script reads them.
std::string page_json(const Page& page);

}  // namespace discern::report
