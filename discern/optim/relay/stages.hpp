// Which solvers take part when one is asked for, in which order, and why.
//
//   newton       with many rows steps that share a Hessian; then Newton's method, which a squared hinge leaves
//                for interior points where it crawls; if the factorised Hessian is numerically singular,
//                newton-cg finishes, which needs only Hessian-vector products. The hinge: interior points,
//                then the dual, which solves for the samples between the bounds exactly
//   newton-cg    in the row space where there are few rows, then on all features; where conjugate gradients
//                take too long, Newton's method. With l1: proximal steps, finished coordinate by coordinate
//   dual-cd      some sweeps; what they leave is finished in the primal
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

// The nearest solver that can begin at given weights: the dual begins with numbers of the rows, and proximal
// newton-cg at zero.
Solver able_to_start(Solver solver, bool l1);

// The problem must outlive them. `started`: they begin at a given point, which the solver must be able to.
std::vector<Stage> stages_for(const Problem& problem, const Method& method, bool started, bool traced);

// Whether the solver's passes go from row to row, so that renumbered features pay (view/renumbered.hpp).
bool gains_from_renumbering(const Problem& problem, Solver solver);

}  // namespace discern
