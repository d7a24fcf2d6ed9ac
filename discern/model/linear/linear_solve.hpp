// From a problem and the name of a solver to a minimum, by the solver itself or with the help of others where
// they are known to be better at a part of it.
#pragma once

#include <optional>

#include "discern/base/error.hpp"
#include "discern/model/linear/solver_choice.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"
#include "discern/optim/view/dependent_features.hpp"
#include "discern/options/linear.hpp"

namespace discern {

// Solvers for teaching take steps in the coordinates of the user, all others in those that condition best.
bool own_coordinates(Solver solver, const LinearOptions& options);

// Of the solvers the nearest that can begin with weights: the dual begins with numbers of the rows, and
// products with the Hessian for l1 at zero.
SolverChoice able_to_start(const SolverChoice& choice, bool l1);

// Does something; false where a monitor has said no on the way.
template <class Work>
bool uninterrupted(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != Code::interrupted) throw;
    return false;
  }
  return true;
}

// What every solver gives, and what is known of the features.
struct Solved : Minimum {
  std::optional<Index> rank;  // of the features, where it was found
  bool held = false;        // it is known that the curvature holds the point (optim/confirm/lower_point.hpp)
  bool unbounded = false;   // it is known that there is no minimum
  bool least_norm = false;  // of the weights that fit equally well these have the least norm
};

// `start`: the point to begin with; empty: zero. Where the coordinates turn out to be too wide for the
// minimum (optim/view/narrowed.hpp), it is looked for again in others that fit; solvers that are bound to the
// coordinates of the user have their certificate computed in those. A minimum of few features is one only if
// the curvature holds it or no step of Newton's method leads below it (optim/confirm/lower_point.hpp), however small
// its gradient is. Without a penalty, features that depend on others are left out while it is sought
// (optim/view/dependent_features.hpp).
Solved solve(const Problem& problem, Solver solver, const LinearOptions& options, const Training& training,
             const Eigen::VectorXd& start, const SolverOptions& how,
             const std::optional<DependentFeatures>& dependent);
// Those of a problem, whatever its classes; nothing where they do not matter, would take too long to find, or
// the monitor says no.
std::optional<DependentFeatures> find_dependent_features(const Problem& problem, const Monitor& monitor);

}  // namespace discern
