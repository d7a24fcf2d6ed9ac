// How good a model's word on some rows is, given the truth. Rows are judged in parallel; the result does
// not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "discern/evaluate/metrics.hpp"
#include "discern/model/shape/model.hpp"

namespace discern {

// With the mean cost of the decisions, 1/W sum_i s_i C(truth, decided), where the model's decision rule has
// costs; a row without a decision costs what rejecting does.
Metrics judge(const Model& model, const Prediction& said, const std::vector<std::int32_t>& labels,
              const std::vector<double>& weights);
// The same for rows that have been through the pipeline, block by block, so that the scores of many rows and
// classes need never be there together; without the confusion table and the AUC. Puts the decisions into
// `decided`. Throws Code::interrupted when the monitor asks to stop.
Metrics judge_rows(const Model& model, const Source& features, const std::vector<std::int32_t>& labels,
                   const std::vector<double>& weights, std::vector<std::int32_t>& decided,
                   const Monitor& monitor = {});
// Whether so many rows are better judged in that way: their scores and probabilities would take more than 400
// MB, or the confusion table of the classes more than 100 MB.
bool better_by_blocks(const Model& model, Index rows);
RegressionMetrics judge(const Prediction& said, const std::vector<double>& targets,
                        const std::vector<double>& weights);

}  // namespace discern
