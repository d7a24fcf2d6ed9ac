#include "discern/model/separable/separation.hpp"

#include <fmt/format.h>

#include "discern/base/join.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/separable/recession.hpp"
#include "discern/optim/solver/newton_terms.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The step of Newton's method is near a direction along which E falls for ever, where there is one; or where
// the Hessian has lost the curvature along that, the part of the weights that no curvature holds,
//
//   a (H + a I)^-1 u,     a = 1e-10 of the largest curvature
//
// the change of u that a penalty of a makes at first.
VectorXd unheld_part(const Likelihood& likelihood) {
  MatrixXd h = likelihood.expansion.hessian;
  const double a = 1e-10 * h.diagonal().maxCoeff();
  h.diagonal().array() += a;
  return from_newton(*likelihood.problem, likelihood.q,
                     a * solve_semidefinite(h, likelihood.at.reshaped()).x);
}

// The features whose standardised weights the step would move most.
std::string moving_features(const Problem& problem, const Training& training, const VectorXd& step) {
  const Eigen::Map<const RowMajor> weights(step.data(), problem.width(), problem.scores);
  VectorXd size = weights.bottomRows(problem.features()).cwiseAbs().rowwise().maxCoeff();
  const double largest = size.maxCoeff();
  std::vector<std::string> names;
  for (int round = 0; round < 3; ++round) {
    Index j = 0;
    if (size.maxCoeff(&j) < 0.05 * largest || largest == 0) break;
    names.push_back(feature_name(training, j));
    size[j] = 0;
  }
  return join(names, ", ");
}

}  // namespace

bool unpenalised_likelihood(const Problem& problem) {
  const bool likelihood = problem.softmax() || std::holds_alternative<LogisticLoss>(problem.loss);
  return likelihood && problem.l2.tail(problem.features()).maxCoeff() == 0 && !problem.has_l1();
}

std::optional<Separation> separation_at(const Problem& problem, const VectorXd& point,
                                        const std::optional<Likelihood>& likelihood, const Monitor& monitor) {
  if (!likelihood) {
    const bool complete = least_margin(problem, point, monitor) > 0;
    return complete ? std::optional<Separation>({true, point}) : std::nullopt;
  }
  const Expansion& at = likelihood->expansion;
  const SemidefiniteSolution newton = solve_semidefinite(at.hessian, -at.gradient);
  const VectorXd step = from_newton(problem, likelihood->q, newton.x);
  if (at.worst_margin > 0) return Separation{true, step};
  // Along a direction that leads on for ever a step adds about 1 to margins, if the Hessian has its digits.
  const auto greatest = [&] { return -least_margin(problem, -step, monitor); };
  if (newton.regular && greatest() < 0.1) return std::nullopt;
  const auto found = recession(problem, point, {step, unheld_part(*likelihood)}, monitor);
  return found ? std::optional<Separation>({false, *found}) : std::nullopt;
}

std::string separation_warning(const Problem& problem, const Training& training,
                               const Separation& separation) {
  const std::string features = moving_features(problem, training, separation.direction);
  return fmt::format(
      "the classes are {} separated: without a penalty there is no finite estimate and the weights grow "
      "without end{}; use `l2`{}",
      separation.complete ? "perfectly" : "partly",
      features.empty() ? "" : fmt::format(" (most for {})", features),
      problem.softmax() ? "" : " or `firth`");
}

}  // namespace discern
