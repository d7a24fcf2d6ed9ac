// The trainer of NaiveBayes; options/naive_bayes.hpp has the formula and the options.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/options/naive_bayes.hpp"

namespace discern {

Fitted fit(const NaiveBayes& options, const Training& training);

}  // namespace discern
