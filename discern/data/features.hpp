// The features of many rows: a matrix, dense row-major or compressed sparse rows (CSR), of float where
// that loses nothing and of double otherwise. Counts are 64-bit throughout.
//
// `Features` owns (or shares) the memory, `Rows` is a view of some consecutive rows. Both are variants
// of four types; visit one once per block, never once per row:
//
//   std::visit([&](const auto& rows) { for (Index i = 0; i < rows.rows; ++i) use(rows.row(i)); }, view);
#pragma once

#include <cstdint>
#include <variant>

#include "discern/base/buffer.hpp"
#include "discern/data/row.hpp"

namespace discern {

template <class T>
struct DenseRows {
  const T* values;
  Index rows;
  Index cols;
  DenseRow<T> row(Index i) const { return {values + i * cols, cols}; }
};

template <class T>
struct SparseRows {
  const T* values;               // the whole matrix's; starts[] index into it
  const std::uint32_t* columns;  // the whole matrix's
  const std::int64_t* starts;    // rows + 1 offsets
  Index rows;
  Index cols;
  SparseRow<T> row(Index i) const {
    return {values + starts[i], columns + starts[i], starts[i + 1] - starts[i]};
  }
};

using Rows = std::variant<DenseRows<float>, DenseRows<double>, SparseRows<float>, SparseRows<double>>;

template <class T>
struct DenseMatrix {
  Buffer<T> values;  // rows * cols, row-major
  Index rows = 0;
  Index cols = 0;
  DenseRows<T> view(Index first, Index count) const { return {values.data() + first * cols, count, cols}; }
};

template <class T>
struct SparseMatrix {
  Buffer<T> values;
  Buffer<std::uint32_t> columns;  // strictly increasing within a row, each < cols
  Buffer<std::int64_t> starts;    // rows + 1, from 0 to the number of stored entries
  Index rows = 0;
  Index cols = 0;
  SparseRows<T> view(Index first, Index count) const {
    return {values.data(), columns.data(), starts.data() + first, count, cols};
  }
};

using Features =
    std::variant<DenseMatrix<double>, DenseMatrix<float>, SparseMatrix<double>, SparseMatrix<float>>;

inline Index row_count(const Features& x) {
  return std::visit([](const auto& m) { return m.rows; }, x);
}
inline Index column_count(const Features& x) {
  return std::visit([](const auto& m) { return m.cols; }, x);
}
inline Rows rows_of(const Features& x, Index first, Index count) {
  return std::visit([=](const auto& m) -> Rows { return m.view(first, count); }, x);
}
inline bool is_sparse(const Features& x) { return x.index() >= 2; }
inline bool is_sparse(const Rows& x) { return x.index() >= 2; }
inline Index stored_entries(const Features& x) {
  return std::visit([](const auto& m) { return m.values.size(); }, x);
}
// Stored entries of sparse rows; 0 of dense ones.
inline Index sparse_entries(const Rows& x) {
  return std::visit(
      []<class R>(const R& rows) -> Index {
        if constexpr (requires { rows.starts; })
          return rows.starts[rows.rows] - rows.starts[0];
        else
          return 0;
      },
      x);
}

// True when float holds the value exactly (missing values, which are NaN, included).
inline bool fits_float(double v) { return static_cast<double>(static_cast<float>(v)) == v || v != v; }

}  // namespace discern
