// A look for a point below a candidate whose gradient says that it is a minimum: along the steps that Newton's
// method would take with all rows, and with the rows alone whose slope has not vanished (flat_slope in
// problem.hpp). The steps use the Hessian where it is small (newton_step.hpp), its diagonal otherwise. A
// direction that leads nowhere, as at the kink of a row that begins to count a little further, shows that the
// candidate is as good as it seems.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/problem/candidate.hpp"

namespace discern {

// A point where E is lower by more than this share and the rounding of the scores; nothing where none was
// found.
std::optional<Eigen::VectorXd> improved_point(Candidate& candidate, double share);

// Newton's method made of such steps, until there is none. Moves only where that lowers E, also by less than
// the certificate can see. `found`: the start, with its value and certificate.
Minimum accurate_newton(const Problem& problem, const Minimum& found, const SolverOptions& options);

}  // namespace discern
