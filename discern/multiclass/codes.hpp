// Error-correcting output codes: which classes are on which side of each machine.
//
//   exhaustive   every split of K classes in two, 2^(K-1) - 1 machines; two words differ in 2^(K-2) places
//   dense        every class on a random side of every machine
//   sparse       a class on neither side with probability 1/2
//
// Of the random codes that a seed gives, the one is taken whose nearest two words are farthest apart
// (Allwein, Schapire and Singer 2000). No machine is there twice, also not with its sides exchanged, and any
// two classes are on opposite sides of one at least.
#pragma once

#include "discern/model/shape/reduction.hpp"
#include "discern/multiclass/options.hpp"

namespace discern {

// Throws Code::usage when there is no such code for so many classes.
CodeMatrix output_code(const MulticlassOptions& options, Index classes, std::uint64_t seed);

// The least distance between two words: opposite sides count 1, places where one has no side 1/2. 0 when two
// classes are on opposite sides of no machine.
double least_distance(const CodeMatrix& code, Index classes);

}  // namespace discern
