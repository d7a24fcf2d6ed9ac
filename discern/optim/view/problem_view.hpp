// A problem seen in another way in which it is easier to solve: rescaled or renumbered features, some of the
// features or of their combinations, other coordinates. A view maps points of the whole problem to its own
// and back, so that solvers need not know of it.
#pragma once

#include <Eigen/Core>

#include "discern/optim/problem/minimum.hpp"
#include "discern/optim/problem/problem.hpp"

namespace discern {

class ProblemView {
 public:
  virtual ~ProblemView() = default;

  virtual const Problem& problem() const = 0;
  virtual Eigen::VectorXd to(const Eigen::VectorXd& whole_point) const = 0;
  virtual Eigen::VectorXd from(const Eigen::VectorXd& view_point) const = 0;
  // The Hessian's diagonal of the whole problem from that of the view; empty where it is not known.
  virtual Eigen::VectorXd diagonal_from(const Eigen::VectorXd& /*diagonal*/) const { return {}; }

 protected:
  ProblemView() = default;
  ProblemView(const ProblemView&) = default;
  ProblemView& operator=(const ProblemView&) = default;
};

// What was found in a view, as a result of the whole problem.
inline Minimum from_view(const ProblemView& view, Minimum found) {
  found.point = view.from(found.point);
  if (found.diagonal.size() > 0) found.diagonal = view.diagonal_from(found.diagonal);
  found.expansion.reset();
  if (found.separation) found.separation->direction = view.from(found.separation->direction);
  return found;
}

// The options for a solver of the view: its trace shows points of the whole problem.
inline SolverOptions for_view(const ProblemView& view, const SolverOptions& options) {
  SolverOptions inside = options;
  if (options.trace)
    inside.trace = [&view, show = options.trace](const Minimum& so_far) { show(from_view(view, so_far)); };
  return inside;
}

}  // namespace discern
