// Figures of a regression: what was predicted beside what is true, and what is left over.
#pragma once

#include <string>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/report/figure.hpp"
#include "discern/report/rows.hpp"

namespace discern::report {

std::vector<Figure> regression_figures(const Model& model, const DrawnRows& rows,
                                       const RegressionMetrics& metrics, const std::string& of);

}  // namespace discern::report
