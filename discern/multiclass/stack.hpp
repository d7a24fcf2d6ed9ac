// The predictors of several machines as one of the same shape, whose scores are theirs, one after the other.
#pragma once

#include <vector>

#include "discern/model/shape/predictor.hpp"

namespace discern {

// Linear: the rows of weights below each other, with the mean of the centres as theirs (the biases carried
// over in extended precision). Quadratic, Additive: their scores below each other; where some are Linear and
// others Additive, a score g becomes the pair 0, g. KernelSum: the rows of all, each once. Throws Code::usage
// for predictors that have no shape, kernel or set of kernel features in common.
Predictor stack(const std::vector<Predictor>& machines);

}  // namespace discern
