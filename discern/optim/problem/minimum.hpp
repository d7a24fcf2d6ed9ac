// What every solver is given and gives back.
//
// The certificate of a smooth or l1-penalised convex problem is the relative (sub)gradient norm
//
//   |least subgradient of E at u| / max(|grad of the loss at 0|, 1e-6 sum of weights)
//
// in scaled coordinates, with a smaller denominator where the rows' slopes are small (gradient_scale.hpp);
// `converged` means that it was computed at the point returned and is at most tol.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string_view>

#include "discern/base/progress.hpp"
#include "discern/data/row.hpp"

namespace discern {

struct Minimum {
  Eigen::VectorXd point;
  double value = 0;  // E there, penalties included
  double certificate = 0;
  std::string_view certificate_kind = "relative-gradient-norm";  // or relative-duality-gap (dual_cd.hpp)
  Index iterations = 0;
  std::optional<double> step;  // the length of the last step in units of its direction, where there is one
  bool converged = false;
  bool interrupted = false;
  // Of the Hessian at the point or a step before it, where the solver has them: its diagonal, or less than
  // that, without the rows that are flat (problem.hpp), and the sum of the rows' curvatures (their mean over
  // the scores). Empty: not known.
  Eigen::VectorXd diagonal = {};
  double curvature = 0;
};

struct SolverOptions {
  double tol = 1e-8;
  Index max_iter = 1000;
  Monitor monitor;
  // Told what has been found at the start and after every so many iterations, for those who want to watch.
  std::function<void(const Minimum& so_far)> trace = {};
  Index trace_every = 1;
  bool traces(Index iteration) const { return trace && iteration % trace_every == 0; }
};

inline void tell(const SolverOptions& options, const Minimum& so_far) {
  if (options.traces(so_far.iterations)) options.trace(so_far);
}

// For a solver that goes on where another stopped after `taken` iterations: it may take what is left of them,
// and a trace counts on.
inline SolverOptions going_on(const SolverOptions& options, Index taken) {
  SolverOptions rest = options;
  rest.max_iter = options.max_iter - taken;
  rest.trace_every = 1;
  if (options.trace)
    rest.trace = [options, taken](const Minimum& so_far) {
      Minimum counted = so_far;
      counted.iterations += taken;
      if (so_far.iterations > 0) tell(options, counted);
    };
  return rest;
}

// The progress that a solver reports before an iteration.
inline Progress progress_of(const Minimum& so_far, Index max_iter) {
  return {.stage = "fitting",
          .done = so_far.iterations,
          .total = max_iter,
          .objective = so_far.value,
          .certificate = so_far.certificate,
          .iterative = true};
}

}  // namespace discern
