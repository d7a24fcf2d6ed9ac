// What the bases of a pipeline do, in words.
#pragma once

#include <string>
#include <vector>

#include "discern/transform/pipeline.hpp"

namespace discern::cli {

// A sentence for each basis: "products: 7 features of 4 features; as it was: embarked (text)". The columns that pass
// through are told where the basis was to take all that it can, those that are constant and have no bumps always.
std::vector<std::string> basis_sentences(const Pipeline& pipeline);

}  // namespace discern::cli
