// What `describe` tells: a line for each column with its range, its quartiles and a small histogram.
#pragma once

#include <string>

#include "cli/shell/console.hpp"
#include "discern/catalogue/describe_table.hpp"

namespace discern::cli {

std::string description_text(const TableDescription& description, const Paint& paint);
std::string description_json(const TableDescription& description, double seconds);

// Notes of a table, a line each: "Ticket: left out, ..."
std::string note_text(const Note& note);

// Counts as a row of blocks from low to high, at most `width` of them; nothing is a blank.
std::string block_histogram(const std::vector<Index>& counts, std::size_t width);

}  // namespace discern::cli
