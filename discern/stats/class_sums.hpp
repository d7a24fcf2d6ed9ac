// Weight of each class and the sum of every column within it, of sparse rows of positive numbers:
//
//   n_k = sum_{i in k} s_i,        N_kj = sum_{i in k} s_i x_ij
//
// all that densities of counts need; class_columns.hpp has three times as much of every column and takes
// ten times as long. What the stored numbers are is watched on the way: `positive` says that they lie between
// 1e-100 and 1e100, where no sum or square of them leaves the range of double, `whole` that they are whole.
// With `counts` asked for, rows are no longer summed once some number is not whole.
//
// A matrix of sums for each lane of a fold would often be larger than the rows: those in memory are rather
// taken class by class, where the sums of a class stay in the cache from the first row to the last. Sums of
// fractions may differ in their last bit between the two ways, and in neither with the number of threads.
#pragma once

#include <Eigen/Core>
#include <limits>

#include "discern/base/progress.hpp"
#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/class_columns.hpp"

namespace discern {

class ClassSums {
 public:
  ClassSums(Index classes, Index columns, bool counts)
      : columns_(columns), counts_(counts), weights_(Eigen::VectorXd::Zero(classes)) {}

  void add(const Block& block);  // of sparse rows
  // All there will be, class by class.
  void add_all(const Block& block, const RowsByClass& groups, const Monitor& monitor);
  void merge(const ClassSums& other);
  double bytes() const { return 8.0 * static_cast<double>(columns_) * static_cast<double>(weights_.size()); }

  bool whole() const { return numbers_.broken == 0; }
  bool positive() const { return numbers_.low >= 1e-100 && numbers_.high <= 1e100; }
  double highest() const { return numbers_.high; }
  const Eigen::VectorXd& weights() const { return weights_; }
  const RowMajor& sums() const& { return sums_; }  // classes x columns; empty without rows
  RowMajor sums() && { return std::move(sums_); }

 private:
  // What the stored numbers are.
  struct Numbers {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double broken = 0;  // largest distance to a whole one
    void merge(const Numbers& other);
  };
  // Adds the rows of one class.
  Numbers add_class(const Block& block, const RowsByClass& groups, std::size_t c);
  template <class T>
  Numbers add_class(const SparseRows<T>& rows, const Block& block, const RowsByClass& groups, std::size_t c);
  bool refused() const { return counts_ && !whole(); }

  Index columns_;
  bool counts_;
  Eigen::VectorXd weights_;
  RowMajor sums_;  // made with the first rows, so that an empty one costs nothing
  Numbers numbers_;
};

// The sums of a source of sparse rows. Throws Code::interrupted when the monitor asks to stop.
ClassSums class_sums(const Source& source, Index classes, bool counts, const Monitor& monitor);

}  // namespace discern
