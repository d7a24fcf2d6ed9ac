// Far fewer rows than features: with an l2 penalty on every weight the minimum is a combination of the rows,
//
//   u_j = sum_i z_ij a_i / l2_j,     so that  Z u = K a,  sum_j l2_j u_j^2 = a'K a,  K = Z diag(1/l2) Z'
//
// and with K = U S U' and c = S^(1/2) U'a it is a problem in c with as many features as there are rows at
// most, U S^(1/2), and an l2 of 1 on each. They are orthogonal, so its Hessian is nearly diagonal. Directions
// that the rows have only up to rounding are left out: the whole problem goes on from the point found.
#pragma once

#include <Eigen/Core>

#include "discern/optim/view/problem_view.hpp"

namespace discern {

class RowSpace : public ProblemView {
 public:
  // Whether K and its eigenvectors take less time than the products with the rows that they save.
  static bool worth_making(const Problem& problem);
  explicit RowSpace(const Problem& whole);
  RowSpace(const RowSpace&) = delete;
  RowSpace& operator=(const RowSpace&) = delete;

  const Problem& problem() const override { return part_; }
  // The part of a point of the whole problem that changes scores: c = S^(-1/2) U'Z u.
  Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const override;
  Eigen::VectorXd from(const Eigen::VectorXd& part_point) const override;

 private:
  const Problem* whole_;
  RowMajor rows_;           // Z diag(l2)^(-1/2)
  Eigen::VectorXd weight_;  // l2^(-1/2)
  RowMajor back_;           // U S^(-1/2)
  Features features_;
  Targets answers_;
  MemorySource source_{features_, answers_};
  Problem part_;
};

}  // namespace discern
