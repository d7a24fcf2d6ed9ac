#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>

#include "discern/api/tables.hpp"
#include "discern/base/error.hpp"

namespace discern {
namespace {

constexpr Index block_rows = 1024;
constexpr Index tile = 32;  // rows and columns that are transposed at a time

void for_blocks(Index rows, const std::function<void(Index, Index)>& body) {
  parallel_for((rows + block_rows - 1) / block_rows,
               [&](Index k) { body(k * block_rows, std::min(rows, (k + 1) * block_rows)); });
}

template <class T>
bool finite(T value) {
  return std::fabs(value) <= std::numeric_limits<T>::max();
}

// Whether a number is not finite: all bits of its exponent are set. Compilers make vector instructions of this,
// but not of comparing numbers.
template <class T>
bool any_odd(const T* first, const T* last) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  constexpr Bits exponent = sizeof(T) == 8 ? static_cast<Bits>(0x7ff0000000000000) : Bits{0x7f800000};
  Bits odd = 0;
  for (const T* value = first; value < last; ++value) {
    Bits bits;
    std::memcpy(&bits, value, sizeof bits);
    odd |= static_cast<Bits>((bits & exponent) == exponent);
  }
  return odd != 0;
}

template <class T>
[[noreturn]] void refuse_number(Index row, Index column, T value, const Schema& names) {
  const bool missing = std::isnan(value);
  throw Error(Code::data,
              fmt::format("row {}: found {}, expected a number{}", row + 1, missing ? "nan" : "infinity",
                          missing ? "; `impute` fills in what is missing" : ""),
              {"", 0, names.name(column)});
}

template <class T>
DenseMatrix<T> borrowed(const T* values, Index rows, Index cols) {
  return {Buffer<T>(nullptr, values, rows * cols), rows, cols};
}

// Tile by tile, so that both the rows read and those written stay in the cache.
template <class T>
void copy_tile(const T* from, Index row_stride, Index column_stride, Index cols, Index begin, Index end,
               T* to) {
  for (Index first = 0; first < cols; first += tile)
    for (Index i = begin; i < end; ++i)
      for (Index j = first; j < std::min(cols, first + tile); ++j)
        to[i * cols + j] = from[i * row_stride + j * column_stride];
}

template <class T>
DenseMatrix<T> copied(const T* values, const MatrixView& x) {
  const auto& memory = x.dense_memory();
  DenseMatrix<T> result{Buffer<T>(x.rows() * x.cols()), x.rows(), x.cols()};
  T* out = result.values.data();
  for_blocks(x.rows(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; i += tile)
      copy_tile(values, memory.row_stride, memory.column_stride, x.cols(), i, std::min(end, i + tile), out);
  });
  return result;
}

// The first number that is not finite, as an offset; the number of them all when there is none.
template <class T>
Index first_odd(const DenseMatrix<T>& x) {
  const Index none = x.rows * x.cols;
  std::vector<Index> found(static_cast<std::size_t>((x.rows + block_rows - 1) / block_rows), none);
  for_blocks(x.rows, [&](Index begin, Index end) {
    const T* first = x.values.data() + begin * x.cols;
    const T* last = x.values.data() + end * x.cols;
    if (any_odd(first, last))
      found[static_cast<std::size_t>(begin / block_rows)] =
          std::find_if(first, last, [](T v) { return !finite(v); }) - x.values.data();
  });
  return found.empty() ? none : *std::min_element(found.begin(), found.end());
}

template <class T>
void note_missing_cells(const DenseMatrix<T>& x, Index from, const Schema& names,
                        std::vector<Noticed>& noticed) {
  noticed.resize(static_cast<std::size_t>(x.cols));
  for (Index place = from; place < x.rows * x.cols; ++place) {
    const T value = x.values[place];
    if (finite(value)) continue;
    const Index row = place / x.cols, column = place % x.cols;
    if (!std::isnan(value)) refuse_number(row, column, value, names);
    Noticed& one = noticed[static_cast<std::size_t>(column)];
    if (one.missing++ == 0) one.first_missing_line = row + 1;
  }
}

template <class T>
DenseMatrix<T> unchecked_features(const MatrixView& x) {
  const auto& memory = x.dense_memory();
  const auto* values = static_cast<const T*>(memory.values);
  const bool in_place = (memory.column_stride == 1 || x.cols() <= 1) &&
                        (memory.row_stride == x.cols() || x.rows() <= 1) &&
                        reinterpret_cast<std::uintptr_t>(values) % alignof(T) == 0;
  return in_place ? borrowed(values, x.rows(), x.cols()) : copied(values, x);
}

template <class T>
Features dense_features(const MatrixView& x, const Schema& names, std::vector<Noticed>* missing) {
  DenseMatrix<T> result = unchecked_features<T>(x);
  const Index odd = first_odd(result);
  if (odd == x.rows() * x.cols()) return result;
  const T value = result.values[odd];
  if (missing == nullptr || !std::isnan(value)) refuse_number(odd / x.cols(), odd % x.cols(), value, names);
  note_missing_cells(result, odd, names, *missing);
  return result;
}

[[noreturn]] void refuse_starts(Index row, Index from, Index to, Index entries) {
  throw Error(Code::data,
              fmt::format("row {}: its entries go from {} to {}, expected rising numbers from 0 to "
                          "{}, the number of entries",
                          row + 1, from, to, entries));
}

Buffer<std::int64_t> starts_of(const MatrixView& x) {
  const auto& memory = x.sparse_memory();
  Buffer<std::int64_t> starts(nullptr, static_cast<const std::int64_t*>(memory.starts), x.rows() + 1);
  if (!memory.wide_starts) {
    const auto* narrow = static_cast<const std::int32_t*>(memory.starts);
    starts = Buffer<std::int64_t>(x.rows() + 1);
    std::copy(narrow, narrow + x.rows() + 1, starts.data());
  }
  const std::int64_t* s = std::as_const(starts).data();
  for (Index i = 0; i < x.rows(); ++i)
    if (s[i] > s[i + 1] || s[i] < 0 || s[i + 1] > memory.entries || (i == 0 && s[i] != 0))
      refuse_starts(i, s[i], s[i + 1], memory.entries);
  if (s[x.rows()] != memory.entries)
    throw Error(Code::data, fmt::format("the last row ends at {}, expected {}, the number of entries",
                                        s[x.rows()], memory.entries));
  return starts;
}

// Throws for one that is out of range. True: they increase within every row.
template <class I>
bool check_columns(const I* columns, const Buffer<std::int64_t>& starts, const MatrixView& x) {
  bool increasing = true;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index k = starts[i]; k < starts[i + 1]; ++k) {
      if (static_cast<std::int64_t>(columns[k]) < 0 || static_cast<std::int64_t>(columns[k]) >= x.cols())
        throw Error(Code::data, fmt::format("row {}: found an entry in column {}, expected one from 0 to {}",
                                            i + 1, static_cast<std::int64_t>(columns[k]), x.cols() - 1));
      increasing = increasing && (k == starts[i] || columns[k - 1] < columns[k]);
    }
  return increasing;
}

template <class T>
void check_values(const SparseMatrix<T>& x, const Schema& names) {
  for (Index i = 0; i < x.rows; ++i)
    for (Index k = x.starts[i]; k < x.starts[i + 1]; ++k) {
      const T value = x.values[k];
      if (finite(value)) continue;
      throw Error(
          Code::data,
          fmt::format("row {}: found {}, expected a number", i + 1, std::isnan(value) ? "nan" : "infinity"),
          {"", 0, names.name(x.columns[k])});
    }
}

// A copy with the entries of every row in the order of their columns.
template <class T, class I>
SparseMatrix<T> sorted_copy(const T* values, const I* columns, const Buffer<std::int64_t>& starts,
                            const MatrixView& x, const Schema& names) {
  const Index entries = x.sparse_memory().entries;
  SparseMatrix<T> result{Buffer<T>(entries), Buffer<std::uint32_t>(entries), starts, x.rows(), x.cols()};
  std::vector<Index> order;
  for (Index i = 0; i < x.rows(); ++i) {
    order.resize(static_cast<std::size_t>(starts[i + 1] - starts[i]));
    std::iota(order.begin(), order.end(), starts[i]);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return columns[a] < columns[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && columns[order[k - 1]] == columns[order[k]])
        throw Error(Code::data, fmt::format("row {}: found two entries in one column", i + 1),
                    {"", 0, names.name(static_cast<Index>(columns[order[k]]))});
      result.columns[starts[i] + static_cast<Index>(k)] = static_cast<std::uint32_t>(columns[order[k]]);
      result.values[starts[i] + static_cast<Index>(k)] = values[order[k]];
    }
  }
  return result;
}

template <class T, class I>
Features sparse_features(const MatrixView& x, const Schema& names) {
  if (x.cols() > std::numeric_limits<std::uint32_t>::max())
    throw Error(Code::memory, fmt::format("found {} columns, expected fewer than 2^32", x.cols()));
  const auto& memory = x.sparse_memory();
  const auto* values = static_cast<const T*>(memory.values);
  const auto* columns = static_cast<const I*>(memory.columns);
  const Buffer<std::int64_t> starts = starts_of(x);
  SparseMatrix<T> result;
  // Non-negative numbers have the same bits with and without a sign.
  if (check_columns(columns, starts, x) && sizeof(I) == sizeof(std::uint32_t))
    result = {Buffer<T>(nullptr, values, memory.entries),
              Buffer<std::uint32_t>(nullptr, reinterpret_cast<const std::uint32_t*>(columns), memory.entries),
              starts, x.rows(), x.cols()};
  else
    result = sorted_copy(values, columns, starts, x, names);
  check_values(result, names);
  return result;
}

template <class T>
Features sparse_features(const MatrixView& x, const Schema& names) {
  switch (x.sparse_memory().column_kind) {
    case detail::IndexKind::int32:
      return sparse_features<T, std::int32_t>(x, names);
    case detail::IndexKind::uint32:
      return sparse_features<T, std::uint32_t>(x, names);
    default:
      return sparse_features<T, std::int64_t>(x, names);
  }
}

}  // namespace

Features features_of(const MatrixView& x, const Schema& names, std::vector<Noticed>* missing) {
  if (x.is_sparse())
    return x.sparse_memory().single ? sparse_features<float>(x, names) : sparse_features<double>(x, names);
  return x.dense_memory().single ? dense_features<float>(x, names, missing)
                                 : dense_features<double>(x, names, missing);
}

Features unchecked_features_of(const MatrixView& x) {
  if (x.dense_memory().single) return unchecked_features<float>(x);
  return unchecked_features<double>(x);
}

}  // namespace discern
