// The trainer of Fisher; options/fisher.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/fisher.hpp"

namespace discern {

Fitted fit(const Fisher& options, const Training& training);

}  // namespace discern
