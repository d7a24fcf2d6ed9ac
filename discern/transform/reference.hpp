// The reference levels of text columns: in reference coding (OneHot::drop_first) the first level of a column has no
// indicator, and the weights of the others are differences from it. Which level comes first can be chosen; the
// pipeline, and so the model, keep the levels in that order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "discern/data/table.hpp"

namespace discern {

using References = std::vector<std::pair<std::string, std::string>>;  // a column and its level

// "Sex=male,Embarked=S"; an item with a comma in double quotes. A column or level may hold "=" itself: the table says
// where the one ends and the other begins. Throws Code::usage for a column that is no text column of the table, and for
// a level that it does not have, naming those that it has.
References parse_references(const std::string& text, const Table& table);

// Without those whose level is not in the table, as it may be among the rows of a fold.
References present_references(const References& all, const Table& table);

// The table with these levels first. The cells are copied where any has to change.
Table with_references(const Table& table, const References& references);

}  // namespace discern
