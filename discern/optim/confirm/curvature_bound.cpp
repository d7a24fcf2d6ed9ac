#include "discern/optim/confirm/curvature_bound.hpp"

#include <algorithm>
#include <cmath>

#include "discern/optim/confirm/newton_step.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double tolerated_share(const Minimum& found, double tol) {
  return std::max(1e-10, found.certificate_kind == gradient_norm ? 1e4 * tol * tol : 2 * tol);
}

bool curvature_bounds(MatrixXd h, double gradient, double value, double share) {
  constexpr double digits = 1e-12;  // that a factor must not need
  if (gradient == 0 || h.size() == 0) return gradient == 0;
  const double least = gradient * gradient / (2 * share * std::fabs(value));
  h.diagonal().array() -= std::max(least, digits * h.diagonal().maxCoeff());
  return h.allFinite() && Cholesky(h).regular();
}

bool curvature_bounds(Candidate& candidate, double share) {
  const Problem& problem = candidate.problem();
  RowMajor curvature = candidate.bent_curvature();
  const Index step = std::max<Index>(1, curvature.rows() / (20 * problem.width()));
  for (Index i = 0; i < curvature.rows(); ++i)
    if (i % step != 0) curvature.row(i).setZero();
  const MatrixXd free = free_directions(problem, candidate.point(), candidate.residual());
  return curvature_bounds(free_hessian(problem, curvature, free, candidate.monitor()),
                          (free.transpose() * candidate.residual()).norm(), candidate.value(), share);
}

}  // namespace discern
