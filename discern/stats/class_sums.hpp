// Weight of each class and the sum of every column within it, of sparse rows of positive numbers:
//
//   n_k = sum_{i in k} s_i,        N_kj = sum_{i in k} s_i x_ij
//
// all that densities of counts need; class_columns.hpp has three times as much of every column and takes
// ten times as long. What the stored numbers are is watched on the way: `positive` says that they lie between
// 1e-100 and 1e100, where no sum or square of them leaves the range of double, `whole` that they are whole.
// With `counts` asked for, rows are no longer summed once some number is not whole.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"

namespace discern {

class ClassSums {
 public:
  ClassSums(Index classes, Index columns, bool counts)
      : columns_(columns), counts_(counts), weights_(Eigen::VectorXd::Zero(classes)) {}

  void add(const Block& block);  // of sparse rows
  void merge(const ClassSums& other);
  double bytes() const { return 8.0 * static_cast<double>(columns_) * static_cast<double>(weights_.size()); }

  bool whole() const { return broken_ == 0; }
  bool positive() const { return low_ >= 1e-100 && high_ <= 1e100; }
  double highest() const { return high_; }
  const Eigen::VectorXd& weights() const { return weights_; }
  const RowMajor& sums() const { return sums_; }  // classes x columns; empty without rows

 private:
  template <class T>
  void add_rows(const SparseRows<T>& rows, const Block& block);
  bool refused() const { return counts_ && !whole(); }

  Index columns_;
  bool counts_;
  Eigen::VectorXd weights_;
  RowMajor sums_;  // made with the first rows, so that an empty one costs nothing
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;  // of the stored numbers
  double broken_ = 0;                                                    // largest distance to a whole one
};

}  // namespace discern
