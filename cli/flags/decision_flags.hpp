// --threshold, --cost, --risk, --reject, and --priors of a model that is there already.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/model/shape/decision_options.hpp"

namespace discern::cli {

std::vector<Flag> decision_flags();  // without --priors, which at a fit is an option of the model
Flag new_priors_flag();

// Those that were given.
DecisionOptions decision_options(const Arguments& arguments);

// Puts the rule that the flags ask for, --priors included, in the place of the model's own; without flags
// that stays. Code::usage for a model that has no probabilities.
void override_decision(const Arguments& arguments, Model& model);

}  // namespace discern::cli
