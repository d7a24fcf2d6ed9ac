// Whether the steps of a model's pipeline fit its input, their tensors and the predictor behind them.
#pragma once

#include <string_view>
#include <vector>

#include "discern/persist/model_document.hpp"
#include "discern/persist/tensor_check.hpp"

namespace discern {

// The parts of a step that are tensors, "step.N.PART".
std::vector<std::string_view> tensor_parts(const Step& step);

// Refuses steps in an order that makes no sense, tensors that do not fit, and a pipeline that does not end
// with `features` features. Its memory is proportional to the document, whatever the counts in it declare.
void check_pipeline(const ModelOutline& outline, TensorCheck& tensors, Index features);

}  // namespace discern
