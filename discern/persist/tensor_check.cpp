#include "discern/persist/tensor_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"

namespace discern {
namespace {

std::string shown(const std::vector<Index>& shape) {
  std::string text;
  for (const Index length : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", length);
  return "[" + text + "]";
}

}  // namespace

std::span<const double> numbers_of(const Tensor& tensor) {
  return {reinterpret_cast<const double*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(double)};
}

std::string step_tensor(std::size_t step, std::string_view part) {
  return fmt::format("step.{}.{}", step, part);
}

std::string layer_tensor(std::size_t layer, std::string_view part) {
  return fmt::format("layer.{}.{}", layer, part);
}

const Tensor* find_tensor(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const auto& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

void TensorCheck::fail(const std::string& problem) const {
  throw Error(Code::model, problem, {file_, 0, ""});
}

// The tensor of that name, with all its numbers finite.
std::span<const double> TensorCheck::tensor(const std::string& name, const Shape& shape) {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  if (found->type != TensorType::f64) fail(fmt::format("tensor '{}': the numbers are not of type F64", name));
  if (found->shape != shape)
    fail(fmt::format("tensor '{}': the shape is {}, expected {}", name, shown(found->shape), shown(shape)));
  const auto numbers = numbers_of(*found);
  const auto odd = std::find_if(numbers.begin(), numbers.end(), [](double v) { return !std::isfinite(v); });
  if (odd != numbers.end())
    fail(fmt::format("tensor '{}': number {} is {}, expected finite ones", name, odd - numbers.begin() + 1,
                     *odd));
  ++used_;
  return numbers;
}

Index TensorCheck::first_length(const std::string& name) const {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  return found->shape.empty() ? 0 : found->shape[0];
}

Index TensorCheck::second_length(const std::string& name) const {
  const Tensor* found = find_tensor(tensors_, name);
  if (found == nullptr) fail(fmt::format("the tensor '{}' is missing", name));
  if (found->shape.size() != 2)
    fail(fmt::format("tensor '{}': the shape is {}, expected two lengths", name, shown(found->shape)));
  return found->shape[1];
}

std::span<const double> TensorCheck::positive(const std::string& name, const Shape& shape) {
  const auto numbers = tensor(name, shape);
  const auto odd = std::find_if(numbers.begin(), numbers.end(), [](double v) { return !(v > 0); });
  if (odd != numbers.end())
    fail(fmt::format("tensor '{}': number {} is {}, expected more than 0", name, odd - numbers.begin() + 1,
                     *odd));
  return numbers;
}

}  // namespace discern
