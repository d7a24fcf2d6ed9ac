// The Hessian of a Problem (l2 included, l1 not) in some of its coordinates, at the point where its function
// was last evaluated:
//
//   one score   H = Z'diag(s L'') Z + diag(l2)
//   softmax     H_(ja)(mb) = sum_i s_i z_ij z_im (p_ia [a = b] - p_ia p_ib) + l2_j [ja = mb]
//
// One pass. Sparse rows cost the square of their entries among the coordinates.
#pragma once

#include <vector>

#include "discern/base/progress.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

// Coordinates are places in a point, ascending. Returns the full symmetric matrix.
Eigen::MatrixXd coordinate_hessian(const Problem& problem, const RowMajor& curvature,
                                   const std::vector<Index>& coordinates, const Monitor& monitor);

}  // namespace discern
