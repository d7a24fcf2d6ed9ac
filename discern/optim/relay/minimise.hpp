// From a problem and a solver to its minimum:
//
//   stages -> relay -> confirm -> (where the candidate is no minimum) relay again
//
// Features that are linear combinations of others are left out during all this where nothing penalises them
// (view/dependent_features.hpp).
#pragma once

#include <optional>

#include "discern/optim/relay/stages.hpp"
#include "discern/optim/view/dependent_features.hpp"

namespace discern {

// `start`: the point to begin with; empty: zero. `dependent`: the dependent features of the problem, where they are
// known. Where the unit of a feature turns out to be too large at the minimum (view/rescaled.hpp), the minimum is
// sought again in units that fit. A solver in the user's own coordinates keeps its point; only its certificate is
// computed again in these units.
Minimum minimise(const Problem& problem, const Method& method, const Eigen::VectorXd& start,
                 const SolverOptions& options, const std::optional<DependentFeatures>& dependent);

}  // namespace discern
