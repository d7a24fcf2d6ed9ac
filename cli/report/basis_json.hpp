// The units and points of a model's bases, for --json.
#pragma once

#include <nlohmann/json.hpp>

#include "discern/transform/pipeline.hpp"

namespace discern::cli {

// A list with an entry for each step that has some, in their order:
//   kind     gaussian or inverse-quadratic (radial units), gauss or threshold (of single columns)
//   columns  the names of the features that it works on
//   centers, widths, scale   of radial units: a row a unit, in the units of the features; widths are in
//                            features divided by their scale
//   points, widths           of single columns: a list for each
nlohmann::ordered_json basis_json(const Pipeline& pipeline);

}  // namespace discern::cli
