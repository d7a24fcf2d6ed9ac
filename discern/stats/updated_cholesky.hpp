// The Cholesky factor of a part of a symmetric positive definite matrix, kept while rows and columns come to
// the part and leave it:
//
//   H(order, order) = L L'
//
// An index that comes costs k^2 operations, one that leaves at most 3 k^2 (its row is deleted, rotations of
// the columns make the rest triangular again), where a new factor takes k^3 / 3. Where much changes at once a
// new one is made.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "discern/data/row.hpp"

namespace discern {

class UpdatedCholesky {
 public:
  // Makes the part that of `indices`, ascending. Of h the rows and columns of indices that were in the part
  // before must be what they were; `clear` when they are not. False when the part is singular up to rounding,
  // which leaves nothing.
  bool cover(const Eigen::MatrixXd& h, const std::vector<Index>& indices);
  void clear() { order_.clear(); }
  // The index i is called to[i] from now on; when one of the part's has no name (-1), all is cleared.
  void rename(const std::vector<Index>& to);

  const std::vector<Index>& order() const { return order_; }
  // x of H(order, order) x = m.
  Eigen::VectorXd solve(const Eigen::VectorXd& m) const;

 private:
  bool append(const Eigen::MatrixXd& h, const std::vector<Index>& more);
  void remove(Index place);

  std::vector<Index> order_;
  Eigen::MatrixXd l_;  // lower triangle; the upper left corner of the size of the order
};

}  // namespace discern
