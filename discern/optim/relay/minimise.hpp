// From a problem and a solver to its minimum:
//
//   stages -> relay -> confirm -> (where the candidate is no minimum) relay again
//
// Features that depend on others are left out meanwhile where nothing penalises them
// (view/dependent_features.hpp).
#pragma once

#include <optional>

#include "discern/optim/relay/stages.hpp"
#include "discern/optim/view/dependent_features.hpp"

namespace discern {

// `start`: the point to begin with; empty: zero. `dependent`: those of the problem, where they are known.
// Where the units of the features turn out to be too wide for the minimum (view/rescaled.hpp), it is looked for
// again in units that fit; solvers in the user's own coordinates have only their certificate judged there.
Minimum minimise(const Problem& problem, const Method& method, const Eigen::VectorXd& start,
                 const SolverOptions& options, const std::optional<DependentFeatures>& dependent);

}  // namespace discern
