// What a classifier decides everywhere in a plane, with the rows.
#pragma once

#include <optional>

#include "discern/report/figure.hpp"
#include "discern/report/rows.hpp"

namespace discern::report {

// Nothing where there are no two dimensions to show.
std::optional<Figure> regions_figure(const Model& model, const DrawnRows& rows);

}  // namespace discern::report
