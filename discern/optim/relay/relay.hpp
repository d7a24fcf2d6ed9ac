// Solvers one after the other: each stage goes on from the best point so far, until one has converged.
//
// One rule decides which of two results is kept, whichever solvers they came from: the one that has converged. If
// both have, or neither, the one with the lower value is kept. Where the values differ by no more than rounding,
// the one with the smaller certificate is kept. The start counts as a result, so that no fit ends above it.
#pragma once

#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

struct Stage {
  std::string_view solver;
  // Goes on from the point of `so_far`; its dual variables are those of an earlier stage, if any.
  std::function<Minimum(const Minimum& so_far, const SolverOptions& options)> run;
  Index max_iter = std::numeric_limits<Index>::max();
  // A rough stage only gives the next one its start, whatever its certificate.
  bool rough = false;
  // A polishing stage runs also where an earlier one has converged.
  bool polishes = false;
};

// Whether a result is to be kept rather than another.
bool better(const Minimum& result, const Minimum& other);

// `start`: the point to begin with; empty: zero. The result lists the stages that ran.
Minimum relay(const Problem& problem, const std::vector<Stage>& stages, const Eigen::VectorXd& start,
              const SolverOptions& options);
// The same from a result of earlier stages, which is kept unless a stage gives a better one.
Minimum relay(const std::vector<Stage>& stages, Minimum so_far, const SolverOptions& options);

}  // namespace discern
