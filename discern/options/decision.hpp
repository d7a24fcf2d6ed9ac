// The decision rule as users ask for it; model/shape/decision.hpp has the formulas.
//
//   threshold   of two classes: the positive one where its probability is at least this
//   risk        of two classes: the weight h of missing the positive one, 1 - h of the opposite error
//   cost        what each error costs
//   reject      what deciding nothing costs: rows whose best decision is dearer stay undecided
//   priors      of the classes where the model is used, in place of those that it was fitted with
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

namespace discern {

struct DecisionOptions {
  std::optional<double> threshold = {}, risk = {}, reject = {};
  // "zero-one"; CLASS:CLASS=COST,... (truth, decision); or the name of a CSV file: a first line with the
  // decided classes behind a first cell that does not matter, then a line for each true class: its name and
  // its costs. Pairs that are not there cost 0 on the diagonal and 1 elsewhere. What has no = is the name of
  // a file.
  std::string cost = {};
  Eigen::MatrixXd costs = {};  // the same as numbers, for all classes in order; empty: as `cost` says
  std::string priors = {};     // equal, or CLASS=P,... for every class, brought to the sum 1

  bool has_cost() const { return !cost.empty() || costs.size() > 0; }
  bool empty() const { return !threshold && !risk && !reject && !has_cost() && priors.empty(); }
};

}  // namespace discern
