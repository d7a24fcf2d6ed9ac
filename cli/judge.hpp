// How good a model's word on some rows is, given the truth. Rows are judged in parallel; the result does
// not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/model.hpp"

namespace discern::cli {

Metrics judge(const Model& model, const Prediction& said, const std::vector<std::int32_t>& labels,
              const std::vector<double>& weights);
RegressionMetrics judge(const Prediction& said, const std::vector<double>& targets,
                        const std::vector<double>& weights);

}  // namespace discern::cli
