// A container of named tensors, in the safetensors format: what model files and the data cache are made of.
//
//   8 bytes      length of the header, little-endian
//   header       JSON: {"__metadata__": {text: text, ...}, name: {"dtype", "shape", "data_offsets"}, ...},
//                padded with blanks so that the data begin at a multiple of 64 bytes
//   data         the tensors, without gaps
//
// Any safetensors library reads it. Beyond the format, the first entry of the metadata is "checksum": 16
// lower-case hexadecimal digits, the XXH3-64 of the whole file with these digits taken as zeros. (The file
// is hashed in pieces of 16 MB, side by side, and the hashes of the pieces are hashed.) So a
// change of any byte is noticed.
//
// Reading trusts nothing that it has not checked: the length of the header, the offsets (contiguous, inside
// the file), the shapes (their product matches the bytes), names (none twice), nesting (no deeper than the
// format).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "discern/base/buffer.hpp"
#include "discern/base/error.hpp"
#include "discern/data/row.hpp"
#include "discern/io/file/file.hpp"

namespace discern {

enum class TensorType { f32, f64, i32, i64, u32 };

template <class T>
struct TensorTypeOf;
template <>
struct TensorTypeOf<float> {
  static constexpr TensorType value = TensorType::f32;
};
template <>
struct TensorTypeOf<double> {
  static constexpr TensorType value = TensorType::f64;
};
template <>
struct TensorTypeOf<std::int32_t> {
  static constexpr TensorType value = TensorType::i32;
};
template <>
struct TensorTypeOf<std::int64_t> {
  static constexpr TensorType value = TensorType::i64;
};
template <>
struct TensorTypeOf<std::uint32_t> {
  static constexpr TensorType value = TensorType::u32;
};

struct Tensor {
  std::string name;
  TensorType type = TensorType::f64;
  std::vector<Index> shape;
  std::string_view bytes;  // aligned to the size of a number
};

// A tensor that views `data`, which must outlive it.
template <class T>
Tensor make_tensor(std::string name, std::vector<Index> shape, const T* data) {
  Index count = 1;
  for (const Index n : shape) count *= n;
  return {std::move(name),
          TensorTypeOf<T>::value,
          std::move(shape),
          {reinterpret_cast<const char*>(data), static_cast<std::size_t>(count) * sizeof(T)}};
}

using Metadata = std::map<std::string, std::string>;

struct Container {
  Metadata metadata;  // without the checksum
  std::vector<Tensor> tensors;
  std::shared_ptr<void> owner;  // keeps the tensors' bytes alive
  std::string file;
  Code code = Code::model;

  const Tensor* find(std::string_view name) const;
  // The values of a tensor as a view that shares the owner. Throws when there is no tensor of that name,
  // type and shape (-1: any size).
  template <class T>
  Buffer<T> values(std::string_view name, const std::vector<Index>& shape) const {
    const Tensor& tensor = require(name, TensorTypeOf<T>::value, shape);
    return Buffer<T>(owner, reinterpret_cast<const T*>(tensor.bytes.data()),
                     static_cast<Index>(tensor.bytes.size() / sizeof(T)));
  }
  const Tensor& require(std::string_view name, TensorType type, const std::vector<Index>& shape) const;
};

// Names must be unique and "__metadata__" is taken; the metadata key "checksum" too.
std::string write_container(const Metadata& metadata, std::vector<Tensor> tensors);
void write_container(FileWriter& writer, const Metadata& metadata, std::vector<Tensor> tensors);

// `file` and `code` are what errors say: Code::model for model files, Code::data for the cache.
Container read_container(std::string_view bytes, std::shared_ptr<void> owner, const std::string& file,
                         Code code);

}  // namespace discern
