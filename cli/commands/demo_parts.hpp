// What the stories of `discern demo` are made of.
#pragma once

#include <string>
#include <vector>

#include "cli/text/plot.hpp"
#include "discern/catalogue/class_separability.hpp"
#include "discern/catalogue/models.hpp"

namespace discern::cli {

// A table of two columns x1 and x2 with a column "class".
Table points_table(const std::vector<std::vector<double>>& rows, const std::vector<std::string>& labels);

// The model with these options, on features as they are.
FitOutcome demo_fit(const Table& table, const std::string& model,
                    const std::vector<std::pair<std::string, std::string>>& options,
                    const std::string& basis = "");

// The verdict on the table's two classes.
PairSeparability demo_verdict(const Table& table, const std::string& basis = "");

Index mistakes_of(const FitOutcome& outcome);

// The points of a table, 'o' for the class 0 and '+' for the class 1, with room around them.
Picture picture_of(const Table& table, std::size_t rows, std::size_t columns);

// Draws where the one score of a linear model of two features is zero.
void draw_boundary(Picture& picture, const Linear& linear, char mark);

// "2 x1 - 4 x2 + 1" of the one score of a model.
std::string score_text(const Linear& linear, const std::vector<std::string>& names);

std::string paragraph(const std::string& text);  // wrapped, with an empty line after it

}  // namespace discern::cli
