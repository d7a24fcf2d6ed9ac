// A row of features, dense or sparse, and the three primitives that every algorithm is written in:
//
//   dot(x, w) = sum_j x_j w_j      axpy(a, x, w): w_j += a x_j      squared_norm(x) = sum_j x_j^2
//
// Values are float or double; sums are always double. Dense and sparse are two row types with the same
// functions, so an algorithm is written once, as a template over the row. The sums use four
// lanes of four doubles in a fixed order: the same bits on every instruction set without FMA
// contraction, and enough independent chains to run at the speed of the L1 cache with AVX2.
#pragma once

#include <cstdint>
#include <cstring>

#include "discern/base/index.hpp"

namespace discern {

template <class T>
struct DenseRow {
  const T* values;
  Index size;  // number of features
};

template <class T>
struct SparseRow {
  const T* values;
  const std::uint32_t* columns;  // strictly increasing
  Index size;                    // number of stored entries
};

namespace lanes {

using Double4 = double __attribute__((vector_size(32)));
using Float4 = float __attribute__((vector_size(16)));

// Loads into a reference rather than returning: a 32-byte vector return would depend on the ABI.
inline void load(const double* p, Double4& v) { std::memcpy(&v, p, sizeof v); }
inline void load(const float* p, Double4& v) {
  Float4 f;
  std::memcpy(&f, p, sizeof f);
  v = __builtin_convertvector(f, Double4);
}
inline void store(double* p, const Double4& v) { std::memcpy(p, &v, sizeof v); }

}  // namespace lanes

template <class T>
double dot(DenseRow<T> x, const double* w) {
  using lanes::Double4;
  Double4 s0{}, s1{}, s2{}, s3{}, a, b;
  Index j = 0;
  for (; j + 16 <= x.size; j += 16) {
    lanes::load(x.values + j, a), lanes::load(w + j, b), s0 += a * b;
    lanes::load(x.values + j + 4, a), lanes::load(w + j + 4, b), s1 += a * b;
    lanes::load(x.values + j + 8, a), lanes::load(w + j + 8, b), s2 += a * b;
    lanes::load(x.values + j + 12, a), lanes::load(w + j + 12, b), s3 += a * b;
  }
  for (; j + 4 <= x.size; j += 4) lanes::load(x.values + j, a), lanes::load(w + j, b), s0 += a * b;
  s0 = (s0 + s1) + (s2 + s3);
  double sum = (s0[0] + s0[1]) + (s0[2] + s0[3]);
  for (; j < x.size; ++j) sum += static_cast<double>(x.values[j]) * w[j];
  return sum;
}

// Of any row with entries, in four chains of additions.
template <class Entries>
double gathered_dot(Entries x, const double* w) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index k = 0;
  for (; k + 4 <= x.size; k += 4) {
    s0 += static_cast<double>(x.values[k]) * w[x.columns[k]];
    s1 += static_cast<double>(x.values[k + 1]) * w[x.columns[k + 1]];
    s2 += static_cast<double>(x.values[k + 2]) * w[x.columns[k + 2]];
    s3 += static_cast<double>(x.values[k + 3]) * w[x.columns[k + 3]];
  }
  for (; k < x.size; ++k) s0 += static_cast<double>(x.values[k]) * w[x.columns[k]];
  return (s0 + s1) + (s2 + s3);
}

template <class T>
double dot(SparseRow<T> x, const double* w) {
  return gathered_dot(x, w);
}

template <class T>
void axpy(double a, DenseRow<T> x, double* w) {
  using lanes::Double4;
  Double4 v, u;
  Index j = 0;
  for (; j + 4 <= x.size; j += 4) {
    lanes::load(x.values + j, v), lanes::load(w + j, u);
    lanes::store(w + j, u + a * v);
  }
  for (; j < x.size; ++j) w[j] += a * static_cast<double>(x.values[j]);
}

template <class T>
void axpy(double a, SparseRow<T> x, double* w) {
  for (Index k = 0; k < x.size; ++k) w[x.columns[k]] += a * static_cast<double>(x.values[k]);
}

template <class T>
double squared_norm(DenseRow<T> x) {
  using lanes::Double4;
  Double4 s0{}, s1{}, v;
  Index j = 0;
  for (; j + 8 <= x.size; j += 8) {
    lanes::load(x.values + j, v), s0 += v * v;
    lanes::load(x.values + j + 4, v), s1 += v * v;
  }
  s0 += s1;
  double sum = (s0[0] + s0[1]) + (s0[2] + s0[3]);
  for (; j < x.size; ++j) sum += static_cast<double>(x.values[j]) * static_cast<double>(x.values[j]);
  return sum;
}

template <class T>
double squared_norm(SparseRow<T> x) {
  return squared_norm(DenseRow<T>{x.values, x.size});
}

// Calls f(column, value) for every stored entry, in order of columns.
template <class T, class F>
void for_each(DenseRow<T> x, F&& f) {
  for (Index j = 0; j < x.size; ++j) f(j, static_cast<double>(x.values[j]));
}

template <class T, class F>
void for_each(SparseRow<T> x, F&& f) {
  for (Index k = 0; k < x.size; ++k) f(static_cast<Index>(x.columns[k]), static_cast<double>(x.values[k]));
}

}  // namespace discern
