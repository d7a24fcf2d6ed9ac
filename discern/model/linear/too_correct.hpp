// Rows that are right by far and yet bend a least-squares plane, because the squared error wants them back at
// their target: with t = -1 or +1,
//
//   t g >= 5/4   and   h > 3 p / n          (of K classes the own score g of 1-of-K, 2 g - 1 >= 5/4)
//
// h is the leverage of a row, p their sum and n the weight of all rows (model/inference/influence.hpp). The warning is
// given when these rows hold a tenth of p or more while others are on the wrong side.
#pragma once

#include <string>

#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/scaling.hpp"

namespace discern {

// The warning with the numbers that the rows have in the file, and its reason; empty where there is none,
// rows are not to be named (Training::rows) or there are more than 2,000 features. One fold, in which only
// rows that are right by far have their leverage computed. `plane` is a Linear predictor for the targets -1
// and +1 or 1-of-K, `r` the triangle of the rows [1 x - center] (without a bias [0 x]) and l2 the penalty in
// the terms of `scaling`.
std::string too_correct_warning(const Training& training, const Predictor& plane, const Eigen::MatrixXd& r,
                                const Scaling& scaling, double l2, bool bias);

}  // namespace discern
