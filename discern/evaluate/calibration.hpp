// Do probabilities come true? Rows are put into ten bins by a probability p_i that was given for something,
// ((b - 1) / 10, b / 10], and in each bin the share that came true stands beside the mean probability:
//
//   ECE = sum_b W_b / W |share_b - mean probability_b|      (expected calibration error)
//
// With two classes p_i is the probability of the positive class and it comes true when the row is positive;
// with more it is the largest probability of the row and comes true when the class that has it is the row's
// (C. Guo, G. Pleiss, Y. Sun, K. Weinberger, "On calibration of modern neural networks", 2017).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "discern/evaluate/compensated_sum.hpp"

namespace discern {

struct CalibrationBin {
  double weight = 0;       // of its rows
  double probability = 0;  // their mean
  double share = 0;        // of the weight that came true
};

class CalibrationScore {
 public:
  static constexpr int bins = 10;

  void add(double probability, bool came_true, double weight);
  void merge(const CalibrationScore& other);
  std::vector<CalibrationBin> curve() const;  // of the bins that have rows, upwards
  std::optional<double> error() const;        // ECE; empty without rows

 private:
  struct Bin {
    CompensatedSum weight, probability, came_true;
  };
  std::array<Bin, bins> bins_;
};

}  // namespace discern
