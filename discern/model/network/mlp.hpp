// The trainer of Mlp; options/mlp.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/mlp.hpp"

namespace discern {

Fitted fit(const Mlp& options, const Training& training);

}  // namespace discern
