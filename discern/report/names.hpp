// What the scores of a model are called.
#pragma once

#include <string>
#include <vector>

#include "discern/model/shape/model.hpp"

namespace discern {

// The names of the scores: the classes, the positive class for the one score of two classes, the target of
// a regression.
std::vector<std::string> score_names(const Model& model);
// The machines of a reduction, "a : b", and the names of the scores of a predictor: of a reduction its
// machines, or the two sides of each.
std::vector<std::string> machine_names(const Model& model);
std::vector<std::string> plane_names(const Model& model);

}  // namespace discern
