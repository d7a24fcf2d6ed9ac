#include "discern/optim/confirm/confirm.hpp"

#include "discern/optim/confirm/curvature_bound.hpp"
#include "discern/optim/confirm/improved_point.hpp"
#include "discern/optim/confirm/separation.hpp"
#include "discern/optim/problem/limits.hpp"

namespace discern {
namespace {

std::shared_ptr<const Expansion> expansion_at(const Problem& problem, const Eigen::VectorXd& point,
                                              const Monitor& monitor) {
  if (!expansion_is_affordable(problem)) return nullptr;
  const NewtonCoordinates newton(problem);
  return std::make_shared<const Expansion>(expand(newton, newton.to(point), monitor));
}

// Whether the curvature or a search with all digits shows that there is no lower point.
void look_below(Candidate& candidate, double tol, Verdict& verdict) {
  const Minimum& found = candidate.found();
  const double share = tolerated_share(found, tol);
  verdict.kind = Verdict::Kind::held;
  if (found.converged && (found.held || curvature_bounds(candidate, share))) return;
  if (auto lower = improved_point(candidate, share)) {
    verdict.kind = Verdict::Kind::lower;
    verdict.lower = std::move(*lower);
  }
}

}  // namespace

Verdict confirm_existence(Candidate& candidate) {
  const Problem& problem = candidate.problem();
  Verdict verdict;
  if (!unpenalised_likelihood(problem)) return verdict;
  verdict.expansion = expansion_at(problem, candidate.point(), candidate.monitor());
  verdict.separation =
      find_separation(problem, candidate.point(), verdict.expansion.get(), candidate.monitor());
  if (verdict.separation) verdict.kind = Verdict::Kind::unbounded;
  return verdict;
}

Verdict confirm(Candidate& candidate, double tol) {
  Verdict verdict = confirm_existence(candidate);
  const bool exists = verdict.kind != Verdict::Kind::unbounded;
  if (exists && limits::hessian_is_small(candidate.problem())) look_below(candidate, tol, verdict);
  return verdict;
}

}  // namespace discern
