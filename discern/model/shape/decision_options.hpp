// From the options (options/decision.hpp) to the decision rule (model/shape/decision.hpp).
#pragma once

#include <string>
#include <vector>

#include "discern/model/shape/decision.hpp"
#include "discern/model/shape/model.hpp"
#include "discern/options/decision.hpp"

namespace discern {

// The names of the options that are set, for messages: "`cost` and `reject`".
std::string options_set(const DecisionOptions& options);

struct DecisionClasses {
  std::vector<std::string> names;
  Index positive = 1;
  Vector priors;  // that the model was fitted with; empty: not known
};
DecisionClasses decision_classes(const Model& model);

// Throws Code::usage for what does not go together or does not fit the classes, Code::data for a bad file.
Decision make_decision(const DecisionOptions& options, const DecisionClasses& classes);

// For people.
std::string decision_text(const Decision& decision, const DecisionClasses& classes);

}  // namespace discern
