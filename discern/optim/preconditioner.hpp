// An approximate inverse Hessian of a Problem, for methods that go through the data one product at a time:
//
//   the exact block of the coordinates with the largest curvature, at most `block` of them, factorised
//   the diagonal for all others
//
// at the point where the function was last evaluated. The block comes from a sample of the rows, as many as
// it needs. For softmax one block, with the curvature averaged over the classes, serves every class.
#pragma once

#include <optional>
#include <vector>

#include "discern/optim/function.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

class Preconditioner {
 public:
  Preconditioner(const LinearFunction& function, const Eigen::VectorXd& point, Index block,
                 const Monitor& monitor);

  // An approximation of H^-1 r, and of H r.
  Eigen::VectorXd solve(const Eigen::VectorXd& r) const;
  Eigen::VectorXd multiply(const Eigen::VectorXd& r) const;

 private:
  Index scores_;
  Eigen::VectorXd diagonal_;  // a row of a point each
  std::vector<Index> block_;  // rows of a point
  Eigen::MatrixXd h_;
  std::optional<Cholesky> factor_;
};

}  // namespace discern
