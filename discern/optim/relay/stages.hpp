// Which solvers take part when one is asked for, in which order, and why.
//
//   newton       with many rows first steps that share a Hessian, then Newton's method. With a squared hinge the
//                interior-point method gives a new start where Newton's steps are short. If the factorised Hessian
//                is numerically singular, newton-cg finishes, which needs only Hessian-vector products. For the
//                hinge: the interior-point method, then the dual, which solves exactly for the samples that are
//                strictly between their bounds
//   newton-cg    with few rows first in the row space, then on all features; where conjugate gradients take too
//                long, Newton's method finishes. With l1: proximal steps, then coordinate descent
//   dual-cd      a limited number of sweeps; if they do not converge, a solver of the primal problem finishes
//   others       one stage
#pragma once

#include <vector>

#include "discern/optim/relay/relay.hpp"
#include "discern/optim/solver/gd.hpp"
#include "discern/optim/stochastic/sgd.hpp"
#include "discern/options/solver.hpp"

namespace discern {

// A solver, and what some of them take besides.
struct Method {
  Solver solver = Solver::newton;
  GradientDescentOptions gd = {};
  SgdOptions sgd = {};
  std::uint64_t seed = 0;

  // Solvers for teaching take steps in the coordinates of the user, all others in those that condition best.
  bool own_coordinates() const {
    return solver == Solver::sgd || (solver == Solver::gd && gd.learning_rate > 0);
  }
};

// The nearest solver that can begin at given weights. Two cannot: the dual begins with a multiplier for each row,
// and proximal newton-cg begins at zero.
Solver able_to_start(Solver solver, bool l1);

// The problem must outlive the stages. `started`: they begin at a given point; the solver must be one that can
// (able_to_start). `traced`: somebody watches, so no stages in other coordinates.
std::vector<Stage> stages_for(const Problem& problem, const Method& method, bool started, bool traced);

// Whether the solver's passes go from row to row, so that renumbered features pay (view/renumbered.hpp).
bool gains_from_renumbering(const Problem& problem, Solver solver);

}  // namespace discern
