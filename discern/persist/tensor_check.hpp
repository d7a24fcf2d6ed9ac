// Finding a model's tensors, each with the shape and the kind of numbers that the rest of the model asks for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discern/data/row.hpp"
#include "discern/io/binary/safetensors.hpp"

namespace discern {

// The numbers of a tensor of doubles, in row-major order.
std::span<const double> numbers_of(const Tensor& tensor);

// The name of a step's tensor: "step.N.PART", N counting from 0.
std::string step_tensor(std::size_t step, std::string_view part);
// That of a network's layer: "layer.N.PART".
std::string layer_tensor(std::size_t layer, std::string_view part);
const Tensor* find_tensor(const std::vector<Tensor>& tensors, std::string_view name);

class TensorCheck {
 public:
  using Shape = std::vector<Index>;

  TensorCheck(const std::vector<Tensor>& tensors, const std::string& file) : tensors_(tensors), file_(file) {}

  // The tensor of that name, of that shape, with all its numbers finite.
  std::span<const double> tensor(const std::string& name, const Shape& shape);
  // The same with all its numbers above 0.
  std::span<const double> positive(const std::string& name, const Shape& shape);
  Index first_length(const std::string& name) const;
  // The second length of a tensor that has two.
  Index second_length(const std::string& name) const;

  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::size_t used() const { return used_; }  // tensors found so far
  void count_used() { ++used_; }              // one that was looked at in another way
  [[noreturn]] void fail(const std::string& problem) const;

 private:
  const std::vector<Tensor>& tensors_;
  const std::string& file_;
  std::size_t used_ = 0;
};

}  // namespace discern
