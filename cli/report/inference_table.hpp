// The table of coefficients that people know from R: estimates, standard errors, tests, intervals.
#pragma once

#include <string>

#include "cli/shell/arguments.hpp"
#include "cli/shell/command.hpp"
#include "discern/model/shape/model.hpp"

namespace discern::cli {

// --confidence, and its value: between 0 and 1, both excluded.
Flag confidence_flag();
double confidence_of(const Arguments& arguments, double standard = 0.95);

// The names of the rows of Inference::estimates: the score, or "CLASS against CLASS" of softmax.
std::vector<std::string> contrast_names(const Model& model);
// What a coefficient belongs to: "(bias)" or a feature.
std::string coefficient_name(const Model& model, Index column);

// The table and the lines below it; the features with the smallest p first beyond `limit` of them are left
// out. The model has an inference that is not absent.
std::string inference_text(const Model& model, double confidence, Index limit, std::size_t indent);
// The line of the fit as a whole: likelihood, deviance, AIC.
std::string likelihood_text(const Inference& inference);

}  // namespace discern::cli
