// --threshold, --cost, --risk, --reject, and --priors of a model that is there already.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "discern/api/fitted_model.hpp"
#include "discern/options/decision.hpp"

namespace discern::cli {

std::vector<Flag> decision_flags();  // without --priors, which at a fit is an option of the model
Flag new_priors_flag();

// Those that were given.
DecisionOptions decision_options(const Arguments& arguments);

// The model with the rule that the flags ask for, --priors included; without flags its own stays.
FittedModel with_decision(const Arguments& arguments, const FittedModel& model);

}  // namespace discern::cli
