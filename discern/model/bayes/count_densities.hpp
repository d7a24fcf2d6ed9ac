// Naive Bayes of word counts: every feature has a multinomial or a complement density (naive_bayes.hpp) and
// the rows are sparse. Then a pass over the sums of the columns within the classes is all there is to do.
#pragma once

#include <optional>

#include "discern/model/bayes/naive_bayes.hpp"

namespace discern {

// Nothing when the features have other densities, or the data something that naive_bayes.cpp has to look at
// more closely. The same model otherwise.
std::optional<Linear> fit_counts(const NaiveBayes& options, const Training& training);

}  // namespace discern
