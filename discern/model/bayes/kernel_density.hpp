// Kernel estimates of the density of single features within each class.
//
//   p_kj(x) = sum_{i in k} s_i N(x; x_ij, h_kj^2) / n_k,        n_k = sum_{i in k} s_i
//
// The bandwidth h_kj is the one given, Silverman's, or the one of the largest leave-one-out likelihood
// (model/bayes/bandwidth.hpp). A row of weight s counts as s rows.
#pragma once

#include "discern/model/shape/training.hpp"
#include "discern/stats/class_columns.hpp"

namespace discern {

struct KernelOptions {
  std::vector<Index> features;  // ascending
  double bandwidth = 0;         // 0: Silverman's, or
  bool cross_validate = false;  // of the largest leave-one-out likelihood
  double least = 0;             // no bandwidth is smaller
};

// One fold that collects the values. Equal values of a class become one point. Throws Code::data naming the
// feature and class whose values are all equal when `least` is 0 and no bandwidth is given, and the class
// whose weights sum to no more than one row while its values differ.
Kernels fit_kernels(const KernelOptions& options, const Training& training,
                    const ClassColumnSummary& columns);

}  // namespace discern
