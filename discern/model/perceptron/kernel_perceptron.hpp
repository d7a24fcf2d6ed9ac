// The trainer of KernelPerceptron; options/kernel_perceptron.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/kernel_perceptron.hpp"

namespace discern {

Fitted fit(const KernelPerceptron& options, const Training& training);

}  // namespace discern
