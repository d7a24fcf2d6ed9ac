// Which rows are set aside to judge a model on: one part of two, where evaluate/folds.hpp makes many.
//
//   at random   exactly `test` of the rows; with labels each class gives its share of them, to a row (largest
//               remainders)
//   groups      whole groups, taken in random order while each brings the rows of the part, or of its classes, nearer
//               to what they should be: it lowers sum_c ((n_c - t N_c) / N_c)^2, with t the share wanted
//   in time     the last rows in time; rows of one time stay together, so that the part may be a little smaller or
//               larger
//
// The same rows, labels, groups and seed give the same part.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/evaluate/folds.hpp"

namespace discern {

// The rows that are set aside, ascending; neither none nor all of them. Throws Code::data where that cannot be.
std::vector<Index> hold_out(const FoldRows& rows, Index test, std::uint64_t seed);
// `times`: a number each, in the order of time.
std::vector<Index> hold_out_last(const std::vector<double>& times, Index test);

}  // namespace discern
