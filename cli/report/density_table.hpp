// The terms of an additive predictor, as people and programs read them.
#pragma once

#include <string>

#include "discern/model/shape/model.hpp"

namespace discern::cli {

// A line for each of the first `limit` features: in every class the mean and standard deviation of a
// Gaussian, the number of points and the width of a kernel density, or a weight.
std::string density_table(const Model& model, const Additive& additive, Index limit, std::size_t indent);

}  // namespace discern::cli
