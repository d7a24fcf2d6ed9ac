// The trainer of LeastSquares; options/least_squares.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/least_squares.hpp"

namespace discern {

Fitted fit(const LeastSquares& options, const Training& training);

}  // namespace discern
