// The trainer of HoKashyap; options/ho_kashyap.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/ho_kashyap.hpp"

namespace discern {

Fitted fit(const HoKashyap& options, const Training& training);

}  // namespace discern
