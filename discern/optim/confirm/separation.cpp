#include "discern/optim/confirm/separation.hpp"

#include "discern/optim/confirm/recession.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Where the Hessian has lost the curvature along the direction that is sought, the part of the weights that no
// curvature holds,
//
//   a (H + a I)^-1 u,     a = 1e-10 of the largest curvature,
//
// the first-order change of u under a penalty of a.
VectorXd unheld_part(const VectorXd& coordinates, const Expansion& expansion) {
  MatrixXd h = expansion.hessian;
  const double a = 1e-10 * h.diagonal().maxCoeff();
  h.diagonal().array() += a;
  return a * solve_semidefinite(h, coordinates).x;
}

}  // namespace

bool unpenalised_likelihood(const Problem& problem) {
  const bool likelihood = problem.softmax() || std::holds_alternative<LogisticLoss>(problem.loss);
  return likelihood && problem.l2.tail(problem.features()).maxCoeff() == 0 && !problem.has_l1();
}

std::optional<Separation> find_separation(const Problem& problem, const VectorXd& point,
                                          const Expansion* expansion, const Monitor& monitor) {
  if (expansion == nullptr) {
    const bool complete = least_margin(problem, point, monitor) > 0;
    return complete ? std::optional<Separation>({true, point}) : std::nullopt;
  }
  const NewtonCoordinates newton(problem);
  const SemidefiniteSolution solution = solve_semidefinite(expansion->hessian, -expansion->gradient);
  const VectorXd step = newton.from(solution.x);
  if (expansion->worst_margin > 0) return Separation{true, step};
  // Along a direction of recession a step of Newton's method adds about 1 to margins, if the Hessian has its
  // digits.
  const auto greatest = [&] { return -least_margin(problem, -step, monitor); };
  if (solution.regular && greatest() < 0.1) return std::nullopt;
  const VectorXd unheld = newton.from(unheld_part(newton.to(point), *expansion));
  const auto found = recession(problem, point, {step, unheld}, monitor);
  return found ? std::optional<Separation>({false, *found}) : std::nullopt;
}

}  // namespace discern
