// The warning that separated classes have no finite estimate.
#pragma once

#include <string>

#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// Names the features that move most along the direction of the proof.
std::string separation_warning(const Problem& problem, const Training& training,
                               const Separation& separation);

}  // namespace discern
