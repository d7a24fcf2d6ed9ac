// The trainer of Perceptron; options/perceptron.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/perceptron.hpp"

namespace discern {

Fitted fit(const Perceptron& options, const Training& training);

}  // namespace discern
