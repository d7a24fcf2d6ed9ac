// What every solver is given and gives back.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "discern/base/progress.hpp"
#include "discern/data/row.hpp"

namespace discern {

// The kinds of certificate that solvers of convex problems give (certificate.hpp, solver/dual_cd.hpp).
inline constexpr std::string_view gradient_norm = "relative-gradient-norm";
inline constexpr std::string_view duality_gap = "relative-duality-gap";

// One solver that took part in a fit (relay/relay.hpp).
struct StageReport {
  std::string_view solver;
  Index iterations = 0;
  double certificate = 0;  // at its end
  std::string_view certificate_kind = gradient_norm;
};

// A direction along which E falls for ever (confirm/separation.hpp).
struct Separation {
  bool complete = false;  // every row is on its side of the plane; otherwise some lie on it
  Eigen::VectorXd direction;
};

struct Expansion;

struct Minimum {
  Eigen::VectorXd point;
  double value = 0;  // E there, penalties included
  double certificate = 0;
  std::string_view certificate_kind = gradient_norm;
  Index iterations = 0;
  std::optional<double> step =
      {};                  // the length of the last step in units of its direction, where there is one
  bool converged = false;  // the certificate was computed at the point and is at most tol
  bool interrupted = false;

  // What some solvers also know.
  // A lower bound of the diagonal that the Hessian has without the rows of vanishing slope (flat_slope in
  // problem.hpp), at the point or one step before it; and the sum of the curvatures of the rows (the mean over
  // the scores). Empty: not known.
  Eigen::VectorXd diagonal = {};
  double curvature = 0;
  Eigen::VectorXd dual = {};       // the dual variables of the rows
  std::optional<Index> rank = {};  // of the features
  bool held = false;               // the curvature proves the minimum (confirm/curvature_bound.hpp)
  bool unbounded = false;          // there is no minimum
  bool least_norm = false;         // of the weights that fit equally well these have the least norm
  std::optional<Separation> separation = {};
  std::shared_ptr<const Expansion> expansion = {};  // at the point (solver/newton_terms.hpp)
  std::vector<StageReport> stages = {};             // the solvers that took part, in order
};

struct SolverOptions {
  double tol = 1e-8;
  Index max_iter = 1000;
  Monitor monitor = {};
  // Called with the result so far at the start and after every `trace_every` iterations.
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
  if (!options.trace || taken == 0) return rest;
  rest.trace_every = 1;
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
