// What the stories of `discern demo` are made of.
#pragma once

#include <string>
#include <vector>

#include "cli/text/plot.hpp"
#include "discern/report/gallery/parts.hpp"

namespace discern::cli {

using report::demo_fit;
using report::demo_verdict;
using report::mistakes_of;
using report::points_table;

// The points of a table, 'o' for the class 0 and '+' for the class 1, with room around them.
Picture picture_of(const Table& table, std::size_t rows, std::size_t columns);

// Draws where the one score of a linear model of two features is zero.
void draw_boundary(Picture& picture, const Linear& linear, char mark);

// "2 x1 - 4 x2 + 1" of the one score of a model.
std::string score_text(const Linear& linear, const std::vector<std::string>& names);

std::string paragraph(const std::string& text);  // wrapped, with an empty line after it

}  // namespace discern::cli
