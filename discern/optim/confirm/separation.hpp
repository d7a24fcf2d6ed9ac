// Classes that a plane separates have no finite logistic or softmax estimate without a penalty: the weights
// grow without end, and the gradient shrinks on the way, so that it proves nothing.
//
//   complete   every row is on its side of the plane found
//   partial    some rows lie on it: a direction raises the margins of some rows and lowers none
//
// Margins are linear in the weights, so E falls along such a direction for ever (recession.hpp).
#pragma once

#include <optional>

#include "discern/optim/problem/candidate.hpp"
#include "discern/optim/solver/newton_terms.hpp"

namespace discern {

// True for a logistic or softmax loss without a penalty on the weights.
bool unpenalised_likelihood(const Problem& problem);

// The Hessian of more coordinates is not formed to prove separation or for a report.
inline constexpr Index most_inferred = 2000;
inline bool expansion_is_affordable(const Problem& problem) {
  return problem.width() * problem.free_scores() <= most_inferred;
}

// The separation of the classes, if it can be shown from a candidate. `expansion`: that of the candidate, where it
// is affordable, otherwise null; then only a complete separation by the candidate itself is found.
std::optional<Separation> find_separation(const Problem& problem, const Eigen::VectorXd& point,
                                          const Expansion* expansion, const Monitor& monitor);

}  // namespace discern
