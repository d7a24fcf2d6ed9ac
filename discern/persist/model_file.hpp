// The model file: a safetensors container (io/binary/safetensors.hpp) with the weights as tensors and everything
// else as one JSON document in its metadata. docs/model-file.md describes it, docs/model-file.schema.json
// is its schema.
//
// Loading never runs code, opens no other path, and checks every length, shape, index and number; a damaged,
// foreign or too new file is Code::model with what was found and expected. Saving writes a temporary file,
// syncs and renames it. The same model gives the same bytes.
#pragma once

#include <string>
#include <string_view>

#include "discern/model/shape/model.hpp"

namespace discern {

// 1: without facts in the summary; 2: without decision, priors, reduction and inference; 3: without hashing; 4: without
// forms of numbers, parts of dates, pools of texts, indicators of missing cells, logarithms, roots, and products of texts
constexpr int model_file_version = 5;

void save_model(const Model& model, const std::string& path);
Model load_model(const std::string& path);

std::string model_to_bytes(const Model& model);
Model model_from_bytes(std::string_view bytes, const std::string& file = "");

}  // namespace discern
