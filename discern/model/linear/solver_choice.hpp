// Which solver minimises a problem, and why. Each states what it needs:
//
//   newton       a smooth convex loss, or the hinge with l2 > 0 (then as an interior-point method), no l1,
//                and a Hessian that fits in memory
//   newton-cg    a smooth loss; with l1 a convex one of one score
//   lbfgs, cg    a smooth loss, no l1
//   gd           no l1; without a fixed --learning-rate a smooth loss
//   sgd          nothing
//   cd           a smooth convex loss
//   dual-cd      hinge, squared hinge or logistic loss of one score, with l2 > 0 and no l1
//   closed-form  squared loss, no l1, activation or normalize_criterion, a bias that is not penalised
//                (model/linear/least_squares.hpp)
#pragma once

#include <string>
#include <string_view>

#include "discern/loss/all.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/options/linear.hpp"

namespace discern {

struct SolverChoice {
  Solver solver = Solver::automatic;
  std::string reason;
};

// Throws Code::usage when the solver asked for lacks something, saying what.
SolverChoice choose_solver(const Loss& loss, const LinearOptions& options, const Training& training);

// The nearest choice that can begin at given weights (optim/relay/stages.hpp).
SolverChoice choice_for_start(const SolverChoice& choice, bool l1);

// Throws Code::usage when a flag was set that only other solvers know; `here` says which solver there is,
// where that is none that could be asked for.
void check_flags(Solver solver, const LinearOptions& options, std::string_view here = {});

}  // namespace discern
