// Weight, mean and centred sum of squares of every column within each class, and what numbers a column
// holds, in one fold.
//
//   m_kj = sum_{i in k} s_i x_ij / n_k,   M2_kj = sum_{i in k} s_i (x_ij - m_kj)^2,   n_k = sum_{i in k} s_i
//
// Kept centred and merged as in column_moments.hpp. Of sparse rows only the stored entries are gone through;
// the zeros are added in result().
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/data/source.hpp"
#include "discern/stats/block.hpp"

namespace discern {

struct ClassColumnSummary {
  Eigen::VectorXd weights;    // n_k
  RowMajor mean, squares;     // classes x columns
  Eigen::VectorXd low, high;  // of a column, over all classes
  std::vector<bool> binary;   // nothing but 0 and 1 in it
  bool whole = true;          // every number that sparse rows store is a whole one

  double weight() const { return weights.sum(); }
  Eigen::VectorXd deviation() const;  // of the columns over all classes, divisor weight()
};

class ClassColumns {
 public:
  ClassColumns(Index classes, Index columns);
  void add(const Block& block);
  void merge(const ClassColumns& other);
  double bytes() const { return 24.0 * static_cast<double>(mean_.size()); }
  ClassColumnSummary result() const;

  template <class Self, class Visitor>
  static void visit_state(Self& self, Visitor&& visit) {
    visit("weights", self.weights_);
    visit("seen", self.seen_);
    visit("mean", self.mean_);
    visit("squares", self.squares_);
    visit("low", self.low_);
    visit("high", self.high_);
    visit("odd", self.odd_);
    visit("broken", self.broken_);
  }

 private:
  template <class T>
  void add_rows(const DenseRows<T>& rows, const Block& block);
  template <class T>
  void add_rows(const SparseRows<T>& rows, const Block& block);
  // Takes in a group of rows with one weight for all columns.
  void absorb(Index k, double weight, const Eigen::ArrayXd& mean, const Eigen::ArrayXd& squares);

  Eigen::VectorXd weights_;
  RowMajor seen_, mean_, squares_;   // seen_: weight of the entries gone through
  Eigen::ArrayXd low_, high_, odd_;  // odd_: largest |x^2 - x| in [0, 1], zero for 0 and 1 alone
  double broken_ = 0;                // largest distance to a whole number
};

// The rows of a block by class: rows[starts[c]] to rows[starts[c + 1]] belong to classes[c]. Found without a
// pass over all classes, of which a block may hold few. Rows without weight are left out.
struct RowsByClass {
  explicit RowsByClass(const Block& block, Index classes);
  std::vector<Index> classes, starts, rows;
};

}  // namespace discern
