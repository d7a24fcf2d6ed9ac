// Limits on time and memory that decide which method a fit uses, with the measurements behind them. Times were
// measured on two cores with AVX2. (The choice of the solver itself is in model/linear/solver_choice.cpp, the
// largest Hessian for standard errors in confirm/separation.hpp.)
#pragma once

#include <cmath>
#include <limits>

#include "discern/optim/problem/problem.hpp"

namespace discern::limits {

// The confirmation of a minimum (confirm/) forms Hessians, some of them a hundred times: a pass of 4e9
// multiplications takes a tenth of a second.
inline bool hessian_is_small(const Problem& problem) {
  constexpr double most_weights = 501, most_work = 4e9;
  const Index scores = problem.has_l1() ? problem.scores : problem.free_scores();
  const auto weights = static_cast<double>(problem.width() * scores);
  return weights <= most_weights &&
         static_cast<double>(problem.source->rows() * problem.scores) * weights * weights <= most_work;
}

// Steps of Newton's method with all digits (confirm/improved_point.hpp): some tens of seconds at most.
inline Index most_accurate_steps(const Problem& problem) {
  const auto weights = static_cast<double>(problem.size());
  const double work = static_cast<double>(problem.source->rows() * problem.scores) * weights * weights;
  return static_cast<Index>(std::fmin(std::fmax(4e10 / work, 5.0), 100.0));
}

// Products with the Hessian that newton-cg may make before Newton's method takes over: 500, plus the number that
// takes as long as ten steps of Newton's method. Forming and factorising the Hessian is assumed to run at
// 20 GFLOP/s, products with it at 1 GFLOP/s. With more than 4,000 coordinates Newton's method never takes over,
// because Hessian and factor would take gigabytes.
inline double products_before_newton(const Problem& problem) {
  constexpr double most_coordinates = 4000;
  const auto coordinates = static_cast<double>(problem.width() * problem.free_scores());
  if (coordinates > most_coordinates || !is_convex(problem.loss))
    return std::numeric_limits<double>::infinity();
  const auto rows = static_cast<double>(problem.source->rows());
  const double entries = problem.source->sparse() ? estimated_entries(*problem.source)
                                                  : rows * static_cast<double>(problem.features());
  const double one = 4 * entries * static_cast<double>(problem.scores) / 1e9;
  const double terms = entries / rows * entries * static_cast<double>(problem.free_scores());
  return 500 + 10 * (terms + coordinates * coordinates * coordinates / 3) / 20e9 / one;
}

// Dual coordinate descent is slow on badly conditioned problems. After this many sweeps a solver of the primal
// problem finishes.
inline constexpr Index most_sweeps = 200;
// The interior-point method takes some twenty steps and factorises a matrix in each. Problems of the hinge with
// more coordinates than this are left to the dual.
inline constexpr Index most_interior_coordinates = 2000;

// Quadratic problems of l1 (l1/proximal_newton.hpp) form their matrix up to this size, where it takes 72 MB.
inline constexpr Index most_quadratic_coordinates = 3000;
// With fewer features l1 takes all of them at once instead of a working set.
inline constexpr Index few_features = 200;
// Along a path without l1 Newton's method factorises Hessians of at most so many coordinates.
inline constexpr Index most_path_coordinates = 1500;

// Dependent features are found by a QR decomposition of all rows.
inline bool dependence_is_affordable(const Problem& problem) {
  const auto rows = static_cast<double>(problem.source->rows()), width = static_cast<double>(problem.width());
  return width <= 1001 && rows * width * std::fmin(rows, width) <= 4e9;
}

// Features are renumbered by frequency from this many on; the weights of fewer stay in the caches in any order.
// The copy of the column numbers may take at most 2 GB.
inline constexpr Index least_renumbered_features = 4000;
inline constexpr double most_copied_bytes = 2e9;

// The row space (view/row_space.hpp) saves about 100 products with the Hessian, each of 4 n d operations per
// score. It costs n^2 d operations for the matrix K and about 10 n^3 for its eigenvectors, at the same speed.
inline bool row_space_pays(const Problem& problem) {
  const auto n = static_cast<double>(problem.source->rows()), d = static_cast<double>(problem.features());
  return 3 * n <= d && n * (1 + 10 * n / d) < 200 * static_cast<double>(problem.scores);
}

}  // namespace discern::limits
