#include "tests/persist/tampering.hpp"

#include <algorithm>
#include <stdexcept>

#include "discern/io/binary/safetensors.hpp"
#include "discern/persist/model_file.hpp"

namespace discern {

ModelParts::Tensor& ModelParts::tensor(const std::string& name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  if (found == tensors.end()) throw std::logic_error("no tensor " + name);
  return *found;
}

ModelParts take_apart(const std::string& bytes) {
  const Container container = read_container(bytes, nullptr, "", Code::model);
  ModelParts parts;
  parts.document = nlohmann::json::parse(container.metadata.at("discern"));
  for (const Tensor& tensor : container.tensors) {
    const auto* first = reinterpret_cast<const double*>(tensor.bytes.data());
    parts.tensors.push_back(
        {tensor.name, tensor.shape, {first, first + tensor.bytes.size() / sizeof(double)}});
  }
  return parts;
}

std::string put_together(const ModelParts& parts) {
  std::vector<Tensor> tensors;
  for (const auto& tensor : parts.tensors) {
    const char* first = reinterpret_cast<const char*>(tensor.values.data());
    tensors.push_back(
        {tensor.name, TensorType::f64, tensor.shape, {first, tensor.values.size() * sizeof(double)}});
  }
  return write_container({{"discern", parts.document.dump()}}, tensors);
}

std::string tampered(const Model& model, const std::function<void(ModelParts&)>& change) {
  ModelParts parts = take_apart(model_to_bytes(model));
  change(parts);
  return put_together(parts);
}

}  // namespace discern
