// The decision rule (model/shape/decision.hpp) as users write it: --threshold, --cost, --risk, --reject, --priors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "discern/model/shape/decision.hpp"
#include "discern/model/shape/model.hpp"

namespace discern {

// What users write.
struct DecisionOptions {
  std::optional<double> threshold = {}, risk = {}, reject = {};
  // "zero-one"; CLASS:CLASS=COST,... (truth, decision); or the name of a CSV file: a first line with the
  // decided classes behind a first cell that does not matter, then a line for each true class: its name and
  // its costs. Pairs that are not there cost 0 on the diagonal and 1 elsewhere. What has no = is the name of
  // a file.
  std::string cost = {};
  Matrix costs = {};        // the same as numbers, for all classes in order; empty: as `cost` says
  std::string priors = {};  // equal, or CLASS=P,... for every class, brought to the sum 1

  bool has_cost() const { return !cost.empty() || costs.size() > 0; }
  bool empty() const { return !threshold && !risk && !reject && !has_cost() && priors.empty(); }
  std::string flags() const;  // those that are set: "--cost and --reject"
};

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
