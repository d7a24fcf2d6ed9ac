// Why single rows got their scores: of a linear model exactly, as a sum over the features.
//
//   g(x) = g(mean of x) + sum_j w_j (x_j - mean_j)
//
// With several classes g is the score of the class decided for less that of the next.
#pragma once

#include <optional>

#include "discern/report/figure.hpp"
#include "discern/report/rows.hpp"

namespace discern::report {

std::optional<Figure> explanation_figure(const Model& model, const DrawnRows& rows);

}  // namespace discern::report
