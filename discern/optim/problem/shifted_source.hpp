// Sparse rows with some of their features moved towards zero: x_j - shift_j, in a copy that is made once.
//
// Dense rows are centred on the way; sparse rows are not, because centred rows would no longer be sparse. A
// feature far from zero then spoils a fit in two ways. Its weight and the bias are coupled, which makes the
// solvers slow, and sums of numbers near 1e9 lose the digits in which the rows differ. Shifting such features
// avoids both. The copy has hardly more entries: with a share p of nonzero entries the mean is at most
// sqrt(p / (1 - p)) standard deviations, so a feature far from zero has an entry in nearly every row already.
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

// Where the scaling of a problem centres features of sparse rows, makes the `shifted` rows, which become the
// source of the problem. A problem with dense rows does not change.
void shift_sparse_rows(Problem& problem, std::optional<ShiftedSource>& shifted);

}  // namespace discern
