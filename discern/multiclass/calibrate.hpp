// Probabilities from scores of rows that the machine has not seen.
//
//   Platt      P = 1 / (1 + exp(-(a g + b))), a and b of largest likelihood for the targets
//              (W+ + 1) / (W+ + 2) on the positive and 1 / (W- + 2) on the other side (Platt 1999)
//   isotonic   the rising function of g that is nearest in squares (pool adjacent violators), linear between its
//              points, and kept within 1 / (W + 2) of 0 and 1: so many rows cannot show more
//
// W, W+ and W- are the weights of all rows and of the sides. The scores come from fits that leave out one
// part of the rows in turn; the parts have the classes in equal shares.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "discern/model/shape/reduction.hpp"
#include "discern/multiclass/options.hpp"

namespace discern {

// The part of each row, 0..parts-1, dealt out at random within each class.
std::vector<std::int32_t> stratified_parts(std::span<const std::int32_t> labels, Index parts,
                                           std::uint64_t seed);

// Out-of-part scores of one machine, with what they should have been.
struct ScoredRows {
  std::vector<double> scores;
  std::vector<bool> positive;
  std::vector<double> weights;  // empty: all 1
};

// The calibration of one machine or of several, in their order.
Calibration calibrate(CalibrationKind kind, const std::vector<ScoredRows>& machines);

}  // namespace discern
