#include "discern/io/binary/raw_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "discern/base/error.hpp"
#include "discern/base/threads.hpp"

namespace discern {
namespace {

constexpr Index cells_at_a_time = Index{1} << 16;

template <class T>
T load(const char* p, bool swapped) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, p, sizeof(T));
  if (swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// Calls use(T{}) with the type of the numbers.
template <class Use>
auto with_type(const RawMatrix& raw, const Use& use) {
  const bool is_signed = raw.kind == NumberKind::signed_integer;
  if (raw.kind == NumberKind::real) return raw.width == 4 ? use(float{}) : use(double{});
  switch (raw.width) {
    case 1:
      return is_signed ? use(std::int8_t{}) : use(std::uint8_t{});
    case 2:
      return is_signed ? use(std::int16_t{}) : use(std::uint16_t{});
    case 4:
      return is_signed ? use(std::int32_t{}) : use(std::uint32_t{});
    default:
      return is_signed ? use(std::int64_t{}) : use(std::uint64_t{});
  }
}

template <class T>
class Conversion {
 public:
  Conversion(const RawMatrix& raw, const std::string& file) : raw_(raw), file_(file) {}

  Features run() {
    if (sizeof(T) <= 2 || std::is_same_v<T, float> || fits()) return converted<float>();
    return converted<double>();
  }

 private:
  static constexpr bool is_real = std::is_floating_point_v<T>;

  T cell(Index i, Index j) const {
    const Index k = raw_.by_columns ? j * raw_.rows + i : i * raw_.cols + j;
    return load<T>(raw_.bytes.data() + k * static_cast<Index>(sizeof(T)), raw_.big_endian);
  }

  // Rows by the block; the first in order that fails decides.
  template <class Body>
  void for_blocks(const Body& body) const {
    const Index block = std::max<Index>(cells_at_a_time / std::max<Index>(raw_.cols, 1), 1);
    parallel_for((raw_.rows + block - 1) / block,
                 [&](Index k) { body(k * block, std::min(raw_.rows, (k + 1) * block)); });
  }

  bool fits() const {
    std::atomic<bool> all{true};
    for_blocks([&](Index first, Index last) {
      for (Index i = first; i < last && all; ++i)
        for (Index j = 0; j < raw_.cols; ++j)
          if (!fits_float(static_cast<double>(cell(i, j)))) {
            all = false;
            return;
          }
    });
    return all;
  }

  void check_finite() const {
    if constexpr (is_real) {
      std::atomic<Index> bad{raw_.rows};
      for_blocks([&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
          // x - x is 0 for every finite x, so the sum tells about the whole row without a branch per cell.
          T sum = 0;
          for (Index j = 0; j < raw_.cols; ++j) sum += cell(i, j) - cell(i, j);
          if (sum == 0) continue;
          Index lowest = bad;
          while (i < lowest && !bad.compare_exchange_weak(lowest, i)) {
          }
          return;
        }
      });
      if (bad < raw_.rows) refuse(bad);
    }
  }

  [[noreturn]] void refuse(Index i) const {
    Index j = 0;
    while (j + 1 < raw_.cols && std::isfinite(static_cast<double>(cell(i, j)))) ++j;
    throw Error(Code::data,
                fmt::format("expected a finite number, found {}", static_cast<double>(cell(i, j))),
                {file_, i + 1, fmt::format("x{}", j + 1)});
  }

  bool in_place() const {
    return is_real && !raw_.big_endian && (!raw_.by_columns || raw_.cols == 1) &&
           reinterpret_cast<std::uintptr_t>(raw_.bytes.data()) % sizeof(T) == 0;
  }

  template <class Out>
  Features converted() const {
    check_finite();
    if constexpr (std::is_same_v<Out, T>) {
      if (in_place())
        return DenseMatrix<Out>{
            Buffer<Out>(raw_.owner, reinterpret_cast<const Out*>(raw_.bytes.data()), raw_.rows * raw_.cols),
            raw_.rows, raw_.cols};
    }
    DenseMatrix<Out> result{Buffer<Out>(raw_.rows * raw_.cols), raw_.rows, raw_.cols};
    for_blocks([&](Index first, Index last) {
      for (Index i = first; i < last; ++i)
        for (Index j = 0; j < raw_.cols; ++j) result.values[i * raw_.cols + j] = static_cast<Out>(cell(i, j));
    });
    return result;
  }

  const RawMatrix& raw_;
  const std::string& file_;
};

}  // namespace

Features features_of(const RawMatrix& raw, const std::string& file) {
  return with_type(raw, [&](auto type) { return Conversion<decltype(type)>(raw, file).run(); });
}

Index checked_bytes(Index rows, Index cols, Index width, std::size_t limit) {
  Index cells = 0, bytes = 0;
  if (rows < 0 || cols < 0 || __builtin_mul_overflow(rows, cols, &cells) ||
      __builtin_mul_overflow(cells, width, &bytes) || static_cast<std::size_t>(bytes) > limit)
    return -1;
  return bytes;
}

}  // namespace discern
