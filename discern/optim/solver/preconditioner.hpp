// An approximate inverse Hessian of a Problem, for methods that use products with the Hessian only:
//
//   the block of the coordinates to whose curvature the rows contribute most, at most `block` of them, factorised
//   the diagonal for all others
//
// at the point where the function was evaluated last. The block comes from a sample of the rows, as many as it
// needs. For softmax each class has a block of its own, and since a shift common to all classes changes
// no loss, what H^-1 gives is brought back to classes that sum to zero.
//
// Sparse features of one score are not centred. For them block and diagonal are those of the centred features, and
// the effect of the means is added exactly (mean_correction.hpp). This halves the products that conjugate gradients
// take: on 100,000 rows of 65 words five digits are right after 9 products instead of 23.
#pragma once

#include <optional>
#include <vector>

#include "discern/optim/problem/function.hpp"
#include "discern/optim/solver/mean_correction.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

class Preconditioner {
 public:
  // Whether it centres features, and so needs Z'c: where means have to be corrected for (mean_correction.hpp) and
  // there are more coordinates than a block of `most` holds.
  static bool centers(const Problem& problem, Index most) {
    return needs_mean_correction(problem) && problem.width() > most + 1;
  }

  // `diagonal`: of the Hessian; `sums`: Z'c, empty where it does not centre.
  Preconditioner(const LinearFunction& function, const Eigen::VectorXd& diagonal, const Eigen::VectorXd& sums,
                 Index block, const Monitor& monitor);

  // An approximation of H^-1 r.
  Eigen::VectorXd solve(const Eigen::VectorXd& r) const;

 private:
  void factorise(const LinearFunction& function, const Monitor& monitor);
  // Of block and diagonal alone.
  Eigen::VectorXd solve_parts(const Eigen::VectorXd& r) const;

  Index scores_;
  RowMajor diagonal_;
  std::vector<Index> block_;  // rows of a point
  std::vector<Cholesky> factors_;
  MeanCorrection means_;
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
