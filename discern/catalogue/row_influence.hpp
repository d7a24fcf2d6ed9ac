// How much each of the rows that a model was fitted on bends it (model/inference/influence.hpp), from the model and its
// table.
#pragma once

#include <string>
#include <vector>

#include "discern/data/table.hpp"
#include "discern/model/inference/influence.hpp"
#include "discern/model/shape/model.hpp"

namespace discern {

struct RowInfluence {
  Influence of;                      // a number a row that has a weight
  std::vector<Index> rows;           // their numbers in the table, from 0
  std::vector<std::int32_t> labels;  // the truth, as indices into Model::classes; empty in regression
  std::vector<double> targets;       // of regression
};

// Throws Code::usage for a model that has none: one that is not least-squares or two-class logistic, has l1
// or something else than a loss and l2 in its objective, several machines, no minimum, or too many weights.
void check_influence(const Model& model);

// `sample_weight` names the side column with the weights; empty: all 1. Throws Code::data where the rows
// are not those of the fit: another number of them, or another minimum.
RowInfluence row_influence(const Model& model, const Table& table, const std::string& sample_weight,
                           const Monitor& monitor);

}  // namespace discern
