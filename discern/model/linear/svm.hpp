// The trainer of Svm; options/svm.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/svm.hpp"

namespace discern {

Fitted fit(const Svm& options, const Training& training);

}  // namespace discern
