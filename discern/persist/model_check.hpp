// Whether the parts of a model fit together: the same test before a model is written and before one that
// was read is built, so that what was saved can be loaded.
#pragma once

#include <string>
#include <vector>

#include "discern/persist/model_document.hpp"
#include "discern/persist/tensor_check.hpp"

namespace discern {

// Names of tensors: "weights", "bias", "center", "means", "whiten", "precision", "kernel.*", "support",
// "coefficients", "scale", "layer.N.weights" and "layer.N.bias" of the predictor, "code" and "calibration.*"
// of the reduction, "priors", "decision.cost" and "decision.prior_ratio", and "step.N.PART" of the steps
// (persist/pipeline_check.hpp). "statistic.NAME" are those of the rows (stats/statistics.hpp), which only a
// fit that goes on from them has to know.
inline const std::string statistic_prefix = "statistic.";

// Refuses with Code::model: a tensor that is missing, unknown, not of doubles, of a shape that does not
// follow from the rest or with a number that is not finite; scales and priors that are not positive; a
// decision rule that does not go with the classes or the predictor; fill values that are no level; a number
// of scores or a link that does not go with the classes; steps in an order that makes no sense; a pipeline
// whose features are not the predictor's. Needs no memory to speak of, whatever the counts declare, and makes
// sure that building the model will need no more than is proportional to the tensors and texts.
void check_model(const ModelOutline& outline, const std::vector<Tensor>& tensors, const std::string& file);

}  // namespace discern
