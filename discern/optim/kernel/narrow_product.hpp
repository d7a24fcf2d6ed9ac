// Products of rows with a matrix of few columns, a column for each score, and of the rows' transpose:
//
//   scores_i = u_0 + sum_j z_ij u_j           sum_0 += sum_i f_i,   sum_j += sum_i z_ij f_i
//
// u, scores, f and sum are rows of V vectors of 32 bytes, those of u and sum one for the bias and one for
// each feature. The sums stay in registers for as long as they grow: several rows, or several features, of V
// vectors each. Of 60,000 rows of 784 pixels and 10 classes in single precision both products together take
// 20 ms on two threads. (Eigen brings what it multiplies into an order of its own first, a quarter of the
// time of such products.)
#pragma once

#include <cstdint>

#include "discern/data/row.hpp"

namespace discern::narrow {

constexpr int most_vectors = 4;

template <class T>
constexpr Index lanes_of = 32 / static_cast<Index>(sizeof(T));

// 32 bytes, and the same where they lie in memory, aligned as T is.
template <class T>
struct VectorOf {
  using type __attribute__((vector_size(32))) = T;
  using in_memory __attribute__((vector_size(32), aligned(alignof(T)), may_alias)) = T;
};

// V vectors next to each other. (Copied by memcpy, GCC 12 takes them through the stack: five times as slow.)
template <int V, class T>
struct Vectors {
  using Vector = typename VectorOf<T>::type;
  using InMemory = typename VectorOf<T>::in_memory;
  Vector at[V];

  [[gnu::always_inline]] void load(const T* from) {
    for (int v = 0; v < V; ++v) at[v] = *reinterpret_cast<const InMemory*>(from + v * lanes_of<T>);
  }
  [[gnu::always_inline]] void store(T* to) const {
    for (int v = 0; v < V; ++v) *reinterpret_cast<InMemory*>(to + v * lanes_of<T>) = at[v];
  }
  [[gnu::always_inline]] void add(T factor, const Vectors& other) {
    for (int v = 0; v < V; ++v) at[v] += factor * other.at[v];
  }
  [[gnu::always_inline]] void add(const Vectors& other) {
    for (int v = 0; v < V; ++v) at[v] += other.at[v];
  }
};

// So many sums of V vectors leave room for what is added to them in 16 registers.
template <int V>
constexpr int sums_at_once = V == 1 ? 8 : 12 / V;

template <int V, int Count, class T>
[[gnu::always_inline]] inline void some_scores(const T* z, Index cols, const T* u, T* scores, Index stride) {
  constexpr Index width = V * lanes_of<T>;
  Vectors<V, T> sum[Count], factor;
  for (int r = 0; r < Count; ++r) sum[r].load(u);
  for (Index j = 0; j < cols; ++j) {
    factor.load(u + (j + 1) * width);
    for (int r = 0; r < Count; ++r) sum[r].add(z[r * cols + j], factor);
  }
  for (int r = 0; r < Count; ++r) sum[r].store(scores + r * stride);
}

// The scores of dense rows, `stride` apart.
template <int V, class T>
void multiply(const T* z, Index rows, Index cols, const T* u, T* scores, Index stride) {
  constexpr int count = sums_at_once<V>;
  Index i = 0;
  for (; i + count <= rows; i += count)
    some_scores<V, count>(z + i * cols, cols, u, scores + i * stride, stride);
  for (; i < rows; ++i) some_scores<V, 1>(z + i * cols, cols, u, scores + i * stride, stride);
}

template <int V, int Count, class T>
[[gnu::always_inline]] inline void some_sums(const T* z, Index rows, Index cols, const T* f, Index stride,
                                             T* to) {
  constexpr Index width = V * lanes_of<T>;
  Vectors<V, T> sum[Count], factor;
  for (int j = 0; j < Count; ++j) sum[j].load(to + j * width);
  for (Index i = 0; i < rows; ++i) {
    factor.load(f + i * stride);
    for (int j = 0; j < Count; ++j) sum[j].add(z[i * cols + j], factor);
  }
  for (int j = 0; j < Count; ++j) sum[j].store(to + j * width);
}

template <int V, class T>
void add_to_bias(Index rows, const T* f, Index stride, T* to) {
  Vectors<V, T> sum, factor;
  sum.load(to);
  for (Index i = 0; i < rows; ++i) {
    factor.load(f + i * stride);
    sum.add(factor);
  }
  sum.store(to);
}

// sum += [1 Z]' f of dense rows.
template <int V, class T>
void add_transposed(const T* z, Index rows, Index cols, const T* f, Index stride, T* sum) {
  constexpr Index width = V * lanes_of<T>;
  constexpr int count = sums_at_once<V>;
  add_to_bias<V>(rows, f, stride, sum);
  Index j = 0;
  for (; j + count <= cols; j += count)
    some_sums<V, count>(z + j, rows, cols, f, stride, sum + (j + 1) * width);
  for (; j < cols; ++j) some_sums<V, 1>(z + j, rows, cols, f, stride, sum + (j + 1) * width);
}

// Rows of a matrix that sparse entries will need soon lie anywhere in it. `columns` must go on for so many
// entries beyond those asked for.
constexpr Index entries_ahead = 12;
template <int V, class T>
[[gnu::always_inline]] inline void ask_ahead(const T* matrix, const std::uint32_t* column) {
  const T* const row = matrix + (static_cast<Index>(column[entries_ahead]) + 1) * V * lanes_of<T>;
  for (int v = 0; v < V; v += 2) __builtin_prefetch(row + v * lanes_of<T>);
  if (V % 2 == 1) __builtin_prefetch(row + V * lanes_of<T> - 1);
}

// The scores of a sparse row, in two sums so that none waits for the one before.
template <int V, class T>
[[gnu::always_inline]] inline void multiply(const T* values, const std::uint32_t* columns, Index size,
                                            const T* u, T* scores) {
  constexpr Index width = V * lanes_of<T>;
  Vectors<V, T> even, odd{}, factor;
  even.load(u);
  Index k = 0;
  for (; k + 2 <= size; k += 2) {
    ask_ahead<V>(u, columns + k);
    ask_ahead<V>(u, columns + k + 1);
    factor.load(u + (static_cast<Index>(columns[k]) + 1) * width);
    even.add(values[k], factor);
    factor.load(u + (static_cast<Index>(columns[k + 1]) + 1) * width);
    odd.add(values[k + 1], factor);
  }
  if (k < size) {
    factor.load(u + (static_cast<Index>(columns[k]) + 1) * width);
    even.add(values[k], factor);
  }
  even.add(odd);
  even.store(scores);
}

// sum += [1 z]' f of a sparse row.
template <int V, class T>
[[gnu::always_inline]] inline void add_transposed(const T* values, const std::uint32_t* columns, Index size,
                                                  const T* f, T* sum) {
  constexpr Index width = V * lanes_of<T>;
  Vectors<V, T> factor, at;
  factor.load(f);
  at.load(sum);
  at.add(factor);
  at.store(sum);
  for (Index k = 0; k < size; ++k) {
    ask_ahead<V>(sum, columns + k);
    T* const to = sum + (static_cast<Index>(columns[k]) + 1) * width;
    at.load(to);
    at.add(values[k], factor);
    at.store(to);
  }
}

}  // namespace discern::narrow
