// What `discern separable` says of its verdicts: text for people and the object of --json.
#pragma once

#include <string>

#include "cli/shell/console.hpp"
#include "discern/catalogue/class_separability.hpp"

namespace discern::cli {

// A paragraph for each pair when there are few, otherwise a line each.
std::string separability_text(const ClassSeparability& all, const Paint& paint);

// Two classes: the members of the one pair. More: `separable` of all, and `pairs`.
std::string separability_json(const ClassSeparability& all);

}  // namespace discern::cli
