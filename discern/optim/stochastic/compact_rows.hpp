// Sparse rows for algorithms that take them one by one, epoch after epoch: their features are numbered by how
// often they occur (renumbered.hpp), so that the weights that most rows need share cache lines, in 16 bits
// where there are few enough.
//
// Only the numbers are copied; the values are those of the source, and the entries of a row stay in their
// order. Measured on ten epochs of the perceptron over 100,000 rows of 65 words: a seventh less time, in the
// order of memory and in random order. One epoch does not pay for the copy, and neither do one or two of sgd.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "discern/base/threads.hpp"
#include "discern/optim/stochastic/read_ahead.hpp"
#include "discern/optim/stochastic/samples.hpp"

namespace discern {

// A third type of row, with the primitives of data/row.hpp.
template <class T, class Column>
struct CompactRow {
  const T* values;
  const Column* columns;  // in no order
  Index size;             // number of stored entries
};

// The same bits as of a SparseRow.
template <class T, class Column>
double dot(CompactRow<T, Column> x, const double* w) {
  return gathered_dot(x, w);
}

template <class T, class Column>
void axpy(double a, CompactRow<T, Column> x, double* w) {
  for (Index k = 0; k < x.size; ++k) w[x.columns[k]] += a * static_cast<double>(x.values[k]);
}

template <class T, class Column>
double squared_norm(CompactRow<T, Column> x) {
  return squared_norm(DenseRow<T>{x.values, x.size});
}

template <class T, class Column, class F>
void for_each(CompactRow<T, Column> x, F&& f) {
  for (Index k = 0; k < x.size; ++k) f(static_cast<Index>(x.columns[k]), static_cast<double>(x.values[k]));
}

template <Cache cache = Cache::first, class T, class Column>
[[gnu::always_inline]] inline void prefetch(CompactRow<T, Column> row) {
  prefetch<cache>(row.values, static_cast<std::size_t>(row.size) * sizeof(T));
  prefetch<cache>(row.columns, static_cast<std::size_t>(row.size) * sizeof(Column));
}
template <class T, class Column>
CompactRow<T, Column> copied(CompactRow<T, Column> row, std::byte*& to) {
  const T* const values = copied(row.values, row.size, to);
  return {values, copied(row.columns, row.size, to), row.size};
}

// The same entries with other values.
template <class T>
SparseRow<double> with_values(SparseRow<T> row, const double* values) {
  return {values, row.columns, row.size};
}
template <class T, class Column>
CompactRow<double, Column> with_values(CompactRow<T, Column> row, const double* values) {
  return {values, row.columns, row.size};
}

template <class Column>
class CompactRows {
 public:
  static bool fits(Index features) {
    return features - 1 <= static_cast<Index>(std::numeric_limits<Column>::max());
  }

  // The rows must be sparse and outlive it. `order`: the original number of each feature.
  CompactRows(const AllRows& all, const std::vector<Index>& order) {
    const std::vector<Block>& blocks = all.blocks();
    rows_a_block_ = std::max<Index>(1, blocks.front().rows());
    first_entry_.resize(blocks.size() + 1);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      first_entry_[k + 1] = first_entry_[k] + static_cast<Index>(columns_of(blocks[k]).size());
    columns_ = Buffer<Column>(first_entry_.back());
    std::vector<Column> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      place[static_cast<std::size_t>(order[k])] = static_cast<Column>(k);
    parallel_for(static_cast<Index>(blocks.size()), [&](Index k) {
      const auto from = columns_of(blocks[static_cast<std::size_t>(k)]);
      std::transform(from.begin(), from.end(), columns_.data() + first_entry_[static_cast<std::size_t>(k)],
                     [&](std::uint32_t j) { return place[j]; });
    });
  }

  // Row i of one of the blocks.
  template <class T>
  CompactRow<T, Column> operator()(const Block& block, Index i, SparseRow<T> row) const {
    const auto& rows = std::get<SparseRows<T>>(block.x);
    const Index first = first_entry_[static_cast<std::size_t>(block.first / rows_a_block_)];
    return {row.values, columns_.data() + first + (rows.starts[i] - rows.starts[0]), row.size};
  }

 private:
  static std::span<const std::uint32_t> columns_of(const Block& block) {
    return std::visit(
        []<class R>(const R& rows) -> std::span<const std::uint32_t> {
          if constexpr (requires { rows.columns; })
            return {rows.columns + rows.starts[0], rows.columns + rows.starts[rows.rows]};
          else
            return {};
        },
        block.x);
  }

  Index rows_a_block_ = 1;
  std::vector<Index> first_entry_;  // of each block
  Buffer<Column> columns_;
};

}  // namespace discern
