// Weight, mean, centred sum of squares, smallest and largest value of every column, in one fold.
//
//   mean_j = sum_i s_i x_ij / sum_i s_i,      M2_j = sum_i s_i (x_ij - mean_j)^2
//
// Kept centred (raw power sums would cancel) and merged by Chan, Golub and LeVeque's update. Of sparse rows
// only the stored entries are gone through; the zeros are added in result().
#pragma once

#include <Eigen/Core>

#include "discern/data/source.hpp"

namespace discern {

struct ColumnSummary {
  double weight = 0;
  Eigen::VectorXd mean, deviation;  // standard deviation with divisor `weight`
  Eigen::VectorXd low, high;
  bool constant(Index j) const { return low[j] == high[j]; }
};

class ColumnMoments {
 public:
  explicit ColumnMoments(Index columns);
  void add(const Block& block);
  void merge(const ColumnMoments& other);
  double bytes() const { return 40.0 * static_cast<double>(mean_.size()); }
  ColumnSummary result() const;

 private:
  template <class T>
  void add_rows(const DenseRows<T>& rows, const Block& block);
  template <class T>
  void add_rows(const SparseRows<T>& rows, const Block& block);

  double weight_ = 0;               // of all rows
  Eigen::VectorXd seen_;            // weight of the entries gone through, a column each
  Eigen::VectorXd mean_, squares_;  // of those entries
  Eigen::VectorXd low_, high_;
};

}  // namespace discern
