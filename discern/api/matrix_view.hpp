// Rows of numbers that the caller owns: a dense matrix in any layout, or compressed sparse rows (CSR).
//
//   Eigen::MatrixXd X;                   fit(Lda{}, X, y)                       also Map, Ref, Block, float
//   std::vector<float> values;           fit(Lda{}, {values, rows, cols}, y)
//   const double* values;                MatrixView(values, rows, cols, MatrixView::Layout::column_major)
//   std::vector<...> starts, columns, values;    MatrixView::csr(cols, starts, columns, values)
//
// The library works on the caller's memory where rows lie one after the other without gaps, and on CSR whose
// columns have 32 bits and increase within every row. Anything else is copied once. The memory must not
// change, nor go away, during the call that takes the view; a fitted model keeps none of it.
#pragma once

#include <Eigen/Core>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "discern/base/index.hpp"

namespace discern {

template <class T>
concept MatrixNumber = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
concept MatrixIndex =
    std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t> || std::same_as<T, std::int64_t>;

template <class T>
concept MatrixStart = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

namespace detail {

// Whether an Eigen expression has memory of its own.
template <class Derived>
concept EigenMemory = std::derived_from<Derived, Eigen::DenseBase<Derived>> &&
                          (static_cast<int>(Eigen::internal::traits<Derived>::Flags) &
                           static_cast<int>(Eigen::DirectAccessBit)) != 0 &&
                      MatrixNumber<typename Derived::Scalar>;

// Any class with the interface of Eigen::SparseMatrix, so that Eigen/SparseCore need not be included here.
template <class S>
concept EigenSparse = requires(const S& s) {
  { s.isCompressed() } -> std::convertible_to<bool>;
  s.outerIndexPtr(), s.innerIndexPtr(), s.valuePtr(), s.nonZeros();
  requires static_cast<bool>(S::IsRowMajor);
};

enum class IndexKind { int32, uint32, int64 };

struct DenseMemory {
  const void* values = nullptr;
  bool single = false;  // float, otherwise double
  Index row_stride = 0, column_stride = 0;
};

struct SparseMemory {
  const void* values = nullptr;
  bool single = false;
  const void* columns = nullptr;
  IndexKind column_kind = IndexKind::int32;
  const void* starts = nullptr;
  bool wide_starts = false;  // int64, otherwise int32
  Index entries = 0;         // in columns and values
};

template <class T>
constexpr IndexKind index_kind() {
  if constexpr (std::same_as<T, std::int32_t>) return IndexKind::int32;
  return std::same_as<T, std::uint32_t> ? IndexKind::uint32 : IndexKind::int64;
}

}  // namespace detail

class MatrixView {
 public:
  enum class Layout { row_major, column_major };

  template <class Derived>
  requires detail::EigenMemory<Derived> MatrixView(
      const Eigen::DenseBase<Derived>& x)  // NOLINT(*-explicit-*)
      : MatrixView(x.derived().data(), x.rows(), x.cols(), x.derived().rowStride(), x.derived().colStride()) {
  }

  template <detail::EigenSparse S>
  MatrixView(const S& x)  // NOLINT(*-explicit-*)
      : MatrixView(csr(x.cols(), std::span(x.outerIndexPtr(), static_cast<std::size_t>(x.rows() + 1)),
                       std::span(x.innerIndexPtr(), static_cast<std::size_t>(compressed(x).nonZeros())),
                       std::span(x.valuePtr(), static_cast<std::size_t>(x.nonZeros())))) {}

  // Throws Code::usage when the size is not rows x cols.
  template <MatrixNumber T>
  MatrixView(std::span<const T> values, Index rows, Index cols, Layout layout = Layout::row_major)
      : MatrixView(values.data(), rows, cols, layout) {
    check_size(static_cast<Index>(values.size()));
  }
  template <MatrixNumber T>
  MatrixView(const std::vector<T>& values, Index rows, Index cols, Layout layout = Layout::row_major)
      : MatrixView(std::span<const T>(values), rows, cols, layout) {}

  template <MatrixNumber T>
  MatrixView(const T* values, Index rows, Index cols, Layout layout = Layout::row_major)
      : MatrixView(values, rows, cols, layout == Layout::row_major ? cols : 1,
                   layout == Layout::row_major ? 1 : rows) {}

  // The entry (i, j) is values[i * row_stride + j * column_stride].
  template <MatrixNumber T>
  MatrixView(const T* values, Index rows, Index cols, Index row_stride, Index column_stride)
      : rows_(rows), cols_(cols), dense_{values, std::same_as<T, float>, row_stride, column_stride} {
    check_shape();
  }

  // Row i has values[k] in columns[k] for starts[i] <= k < starts[i + 1]; columns count from 0. Any ranges of
  // contiguous memory will do.
  template <class Starts, class Columns, class Values>
  static MatrixView csr(Index cols, const Starts& starts, const Columns& columns, const Values& values) {
    return from_spans(cols, std::span(starts), std::span(columns), std::span(values));
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool is_sparse() const { return sparse_.starts != nullptr; }
  const detail::DenseMemory& dense_memory() const { return dense_; }
  const detail::SparseMemory& sparse_memory() const { return sparse_; }

 private:
  MatrixView(Index rows, Index cols, const detail::SparseMemory& sparse, Index values)
      : rows_(rows), cols_(cols), sparse_(sparse) {
    check_csr(values);
  }

  template <class S, std::size_t A, class C, std::size_t B, class V, std::size_t D>
  static MatrixView from_spans(Index cols, std::span<S, A> starts, std::span<C, B> columns,
                               std::span<V, D> values) {
    using StartType = std::remove_const_t<S>;
    using ColumnType = std::remove_const_t<C>;
    using ValueType = std::remove_const_t<V>;
    static_assert(MatrixStart<StartType>, "starts are std::int32_t or std::int64_t");
    static_assert(MatrixIndex<ColumnType>, "columns are std::int32_t, std::uint32_t or std::int64_t");
    static_assert(MatrixNumber<ValueType>, "values are float or double");
    return {static_cast<Index>(starts.size()) - 1,
            cols,
            {values.data(), std::same_as<ValueType, float>, columns.data(), detail::index_kind<ColumnType>(),
             starts.data(), std::same_as<StartType, std::int64_t>, static_cast<Index>(columns.size())},
            static_cast<Index>(values.size())};
  }

  template <class S>
  static const S& compressed(const S& x) {
    check_compressed(x.isCompressed());
    return x;
  }

  static void check_compressed(bool compressed);
  void check_shape() const;
  void check_size(Index size) const;
  void check_csr(Index values) const;

  Index rows_ = 0;
  Index cols_ = 0;
  detail::DenseMemory dense_;
  detail::SparseMemory sparse_;
};

}  // namespace discern
