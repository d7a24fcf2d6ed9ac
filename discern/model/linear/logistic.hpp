// The trainer of Logistic; options/logistic.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/logistic.hpp"

namespace discern {

Fitted fit(const Logistic& options, const Training& training);

}  // namespace discern
