// Rows that are right by far and yet bend a least-squares plane, because the squared error wants them back at
// their target: with t = -1 or +1,
//
//   t g >= 5/4   and   h > 3 p / n          (of K classes the own score g of 1-of-K, 2 g - 1 >= 5/4)
//
// h is the leverage of a row, p their sum and n the weight of all rows (model/influence.hpp). The warning is
// given when these rows hold a tenth of p or more while others are on the wrong side.
#pragma once

#include <string>
#include <vector>

#include "discern/model/predictor.hpp"
#include "discern/model/training.hpp"

namespace discern {

struct TooCorrect {
  std::vector<Index> rows;  // of the source, in order
  double leverage = 0;      // their share of p
  double error = 0;         // their share of the squared error
  Index wrong = 0;          // rows on the wrong side
};

// One fold for a Linear predictor; only rows that are right by far have their leverage computed. `root` is
// inverse_root of the rows [1 x - c] with the plane's centre c, and `bias` tells whether the 1 is there.
TooCorrect find_too_correct(const Training& training, const Predictor& plane, const Eigen::MatrixXd& root,
                            double parameters, double samples, bool bias);

// With the numbers that the rows have in the file (Training::rows). Empty where they do not matter.
std::string too_correct_warning(const TooCorrect& found, const Training& training);

}  // namespace discern
