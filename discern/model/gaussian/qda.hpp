// The trainer of Qda; options/qda.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/qda.hpp"

namespace discern {

Fitted fit(const Qda& options, const Training& training);

}  // namespace discern
