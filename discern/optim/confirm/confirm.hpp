// Is a candidate a minimum, and does one exist? A small gradient alone proves neither. It may be small along a
// direction of little curvature, far from the minimum, and it tends to zero while the weights of separated classes
// grow without end.
//
//   unbounded   the classes are separated and nothing penalises the weights (separation.hpp): no minimum
//   held        the curvature bounds the distance from the minimum (curvature_bound.hpp), or no step of
//               Newton's method with all digits leads below the candidate (improved_point.hpp)
//   lower       such a step does: the candidate is not the minimum
//   unknown     the Hessian is too large to tell; the certificate stands alone
#pragma once

#include <Eigen/Core>
#include <optional>

#include "discern/optim/problem/candidate.hpp"

namespace discern {

struct Verdict {
  enum class Kind { held, lower, unbounded, unknown };
  Kind kind = Kind::unknown;
  Eigen::VectorXd lower = {};                       // the lower point
  std::optional<Separation> separation = {};        // the proof that there is no minimum
  std::shared_ptr<const Expansion> expansion = {};  // of an unpenalised likelihood, where it is affordable
};

// Only whether a minimum exists: unbounded or unknown.
Verdict confirm_existence(Candidate& candidate);
// For smooth convex losses. Passes over the data; throws Code::interrupted when the monitor asks to stop.
Verdict confirm(Candidate& candidate, double tol);

}  // namespace discern
