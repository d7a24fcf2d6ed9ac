// Is one model better than another, or did the folds just fall that way?
//
// The scores of two models on the same J folds have differences d_1, ..., d_J. Folds share training rows, so
// the d_j are not independent and the ordinary t-test finds differences that are not there. The corrected
// resampled t-test (C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52,
// 2003) makes up for it:
//
//   t = mean(d) / sqrt((1/J + n_test / n_train) var(d)),      J - 1 degrees of freedom
//
// with var(d) of divisor J - 1.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace discern {

// The two-sided p-value; `ratio` is n_test / n_train. Differences that are all zero give 1. There is none
// with fewer than two, nor with differences that are all the same and not zero: how they vary is not known.
std::optional<double> corrected_p_value(const std::vector<double>& differences, double ratio);

// The interval of the mean difference that the same test leaves: mean(d) -+ t_{J-1} sqrt((1/J + ratio) var(d)). None
// with fewer than two.
std::optional<std::pair<double, double>> corrected_interval(const std::vector<double>& differences,
                                                            double ratio, double confidence = 0.95);

}  // namespace discern
