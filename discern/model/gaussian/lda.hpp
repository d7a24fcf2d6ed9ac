// The trainer of Lda; options/lda.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/lda.hpp"

namespace discern {

Fitted fit(const Lda& options, const Training& training);

}  // namespace discern
