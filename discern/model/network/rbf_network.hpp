// The trainer of RbfNetwork; options/rbf_network.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/rbf_network.hpp"
#include "discern/transform/radial.hpp"

namespace discern {

Fitted fit(const RbfNetwork& options, const Training& training);

// The same with units placed by hand.
Fitted fit_outputs(const RbfNetwork& options, Radial units, const Training& training);

}  // namespace discern
