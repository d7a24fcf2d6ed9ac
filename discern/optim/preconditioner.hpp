// An approximate inverse Hessian of a Problem, for methods that go through the data one product at a time:
//
//   the exact block of the coordinates that the rows hold most, at most `block` of them, factorised
//   the diagonal for all others
//
// with the curvature that the function has of its rows. The block comes from a sample of the rows, as many as
// it needs. For softmax each class has a block of its own, and since a shift common to all classes changes
// no loss, what H^-1 gives is brought back to classes that sum to zero.
#pragma once

#include <optional>
#include <vector>

#include "discern/optim/function.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

class Preconditioner {
 public:
  // `diagonal`: of the Hessian.
  Preconditioner(const LinearFunction& function, const Eigen::VectorXd& diagonal, Index block,
                 const Monitor& monitor);

  // An approximation of H^-1 r.
  Eigen::VectorXd solve(const Eigen::VectorXd& r) const;

 private:
  Index scores_;
  RowMajor diagonal_;
  std::vector<Index> block_;  // rows of a point
  std::vector<Cholesky> factors_;
};

// One for a method that goes on for long: made of the point that the function was evaluated at last, and made
// anew there after 8, 16, 32, ... solutions, since curvatures at the start say little of those at the end (on
// a9a L-BFGS takes 26 iterations with it to ten digits, and 817 did not suffice with the first one alone).
class RenewedPreconditioner {
 public:
  RenewedPreconditioner(const LinearFunction& function, const Monitor& monitor)
      : function_(&function), monitor_(monitor) {}

  Eigen::VectorXd solve(const Eigen::VectorXd& r);
  // Whether the last solution came from one that was new.
  bool is_new() const { return is_new_; }

 private:
  const LinearFunction* function_;
  Monitor monitor_;
  std::optional<Preconditioner> m_;
  Index solutions_ = 0, enough_ = 4;
  bool is_new_ = false;
};

}  // namespace discern
