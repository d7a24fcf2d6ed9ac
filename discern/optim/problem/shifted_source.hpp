// Sparse rows with some of their features moved towards zero: x_j - shift_j, in a copy that is made once.
//
// Features far from zero would spoil sparse fits in two ways. The solvers would have to undo by the bias what
// dense rows have taken off, and sums of numbers near 1e9 have lost the digits by then that tell the rows
// apart. Shifting keeps both, and the copy has hardly more entries: a share p of entries that are not zero
// allows no mean above sqrt(p / (1 - p)) standard deviations, so that a feature far from zero has an entry in
// nearly every row.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "discern/optim/problem/problem.hpp"

namespace discern {

class ShiftedSource : public Source {
 public:
  // Of a source with sparse rows, which must outlive it. Features whose shift is zero stay as they are.
  ShiftedSource(const Source& from, const Eigen::VectorXd& shift);

  Index rows() const override { return from_->rows(); }
  Index cols() const override { return from_->cols(); }
  bool sparse() const override { return true; }
  Block block(Index k, Scratch& scratch) const override;
  void extended(Index first, Index count, std::vector<long double>& values) const override;

 private:
  const Source* from_;
  Eigen::VectorXd shift_;
  std::vector<Workspace> blocks_;
};

// Puts what the scaling of a problem takes off its sparse rows into `shifted` rows, which become its source.
// Dense rows are centred on the way, and stay as they are.
void shift_sparse_rows(Problem& problem, std::optional<ShiftedSource>& shifted);

}  // namespace discern
