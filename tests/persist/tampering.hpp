// A model file taken apart, so that a test can change something and put it together again with a valid
// checksum: what somebody with bad intentions would do.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "discern/model/shape/model.hpp"

namespace discern {

struct ModelParts {
  struct Tensor {
    std::string name;
    std::vector<Index> shape;  // as declared, whatever the number of values
    std::vector<double> values;
  };
  nlohmann::json document;
  std::vector<Tensor> tensors;

  Tensor& tensor(const std::string& name);
};

ModelParts take_apart(const std::string& bytes);
std::string put_together(const ModelParts& parts);

// The model's file after a change of its parts.
std::string tampered(const Model& model, const std::function<void(ModelParts&)>& change);

}  // namespace discern
