// Inference (model/inference/inference.hpp) for a regression by least squares, from the triangle of [1 Z y].
#pragma once

#include "discern/model/inference/inference.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/stats/triangle.hpp"

namespace discern {

// `triangle`: R of the design's rows; `weights`: (1 + features) x 1, the bias at the centre first;
// `residual`: the sum of the squared residuals there; `samples`: the sum of the sample weights. Needs full
// rank.
template <class Scalar>
Inference infer(const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& triangle, const Design& design,
                const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& weights, Scalar residual,
                double samples, const Training& training);

}  // namespace discern
