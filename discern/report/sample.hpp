// Which rows of a large table a picture shows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "discern/data/row.hpp"

namespace discern::report {

// At most `most` rows, ascending: all of them, or evenly spaced ones of each class, of every class at least a few. The
// same for the same labels. Without labels (a regression) evenly spaced.
std::vector<Index> rows_to_draw(Index rows, std::span<const std::int32_t> labels, Index most);

}  // namespace discern::report
