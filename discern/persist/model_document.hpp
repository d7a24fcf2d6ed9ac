// The JSON document of a model file: everything about a model that is not a tensor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discern/model/shape/model.hpp"

namespace discern {

constexpr const char* model_format_name = "discern-model";

// A model as its document describes it. The pipeline is in its parts, because it can be built only when the
// tensors are known to fit; what the tensors hold (weights, fills, centres, scales) and what follows from
// the rest (the tables of Monomials) is empty.
struct ModelOutline {
  Model model;
  Schema input;
  std::vector<Step> steps;
  bool costs = false, prior_ratio = false;  // what the decision rule has in tensors
};

std::string document_of(const Model& model);

// Refuses with Code::model, naming the member: text that is not JSON, too deep or with a member twice; a
// newer version, naming both; a member that is missing, unknown, of another type or out of its range; two
// classes, columns or levels of the same name. Whether the parts fit together is for check_model to say.
ModelOutline outline_of(std::string_view document, const std::string& file);

}  // namespace discern
