// Looks for a point where E is lower than at a candidate whose gradient is small. It looks along steps of Newton's
// method: one made from all rows, and one from the rows alone whose slope has not vanished (flat_slope in
// problem.hpp). The steps use the Hessian where it is small (newton_step.hpp), its diagonal otherwise. Where E is
// not lower anywhere along a step, for instance because a flat row gets a slope after a short distance, the step
// is taken again with the curvature that such rows have there.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/problem/candidate.hpp"

namespace discern {

// A point where E is lower by more than this share and the rounding of the scores; nothing where none was
// found.
std::optional<Eigen::VectorXd> improved_point(Candidate& candidate, double share);

// Newton's method made of such steps, until no step leads to a lower point. Moves only where that lowers E, even
// if the certificate does not show it. `found`: the start, with its value and certificate.
Minimum accurate_newton(const Problem& problem, const Minimum& found, const SolverOptions& options);

}  // namespace discern
