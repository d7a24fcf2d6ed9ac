#include "discern/model/separation.hpp"

#include <fmt/format.h>

#include "discern/base/join.hpp"
#include "discern/model/linear_parts.hpp"
#include "discern/optim/function.hpp"
#include "discern/optim/newton_terms.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The margins that a point gives to the samples that count, of softmax over each other class, or what a step
// adds to them: rows x 1 or K - 1.
RowMajor margins_of(const Problem& problem, const VectorXd& point, const Monitor& monitor) {
  const LinearFunction function(problem);
  const RowMajor scores = function.scores_of(point, monitor);
  const Block rows = function.answers(0, scores.rows());
  RowMajor margins(scores.rows(), problem.free_scores());
  Index count = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (rows.weight(i) == 0) continue;
    auto row = margins.row(count++);
    if (!problem.softmax()) {
      row[0] = problem.target(rows, i) * scores(i, 0);
      continue;
    }
    const auto y = static_cast<Index>(rows.labels[static_cast<std::size_t>(i)]);
    for (Index k = 0; k < row.size(); ++k) row[k] = scores(i, y) - scores(i, k < y ? k : k + 1);
  }
  return margins.topRows(count);
}

// Where E might fall for ever: the step of Newton's method, or where the Hessian has lost the curvature along
// that, the part of the weights that no curvature holds,
//
//   a (H + a I)^-1 u,     a = 1e-10 of the largest curvature
//
// the change of u that a penalty of a makes at first.
VectorXd newton_step(const Likelihood& likelihood) {
  const Expansion& at = likelihood.expansion;
  return from_newton(*likelihood.problem, likelihood.q, solve_semidefinite(at.hessian, -at.gradient).x);
}
VectorXd unheld_part(const Likelihood& likelihood) {
  MatrixXd h = likelihood.expansion.hessian;
  const double a = 1e-10 * h.diagonal().maxCoeff();
  h.diagonal().array() += a;
  return from_newton(*likelihood.problem, likelihood.q,
                     a * solve_semidefinite(h, likelihood.at.reshaped()).x);
}

// A step of Newton's method along such a direction adds about 1 to margins. That of a row far beyond all
// others may change by as much through rounding, but its loss has long been zero.
bool falls_for_ever(const RowMajor& margins, const RowMajor& added) {
  constexpr double lost = 700;  // exp(-700) is hardly above what a double can hold
  const bool raises = (added.array() > 0.1 && margins.array() < lost).any();
  return raises && added.minCoeff() > -1e-6;
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
  const bool likelihood = problem.softmax() || std::holds_alternative<Logistic>(problem.loss);
  return likelihood && problem.l2.tail(problem.features()).maxCoeff() == 0 && !problem.has_l1();
}

std::optional<Separation> separation_at(const Problem& problem, const VectorXd& point,
                                        const std::optional<Likelihood>& likelihood, const Monitor& monitor) {
  const RowMajor margins = margins_of(problem, point, monitor);
  const bool complete = margins.minCoeff() > 0;
  if (!likelihood) return complete ? std::optional<Separation>({true, point}) : std::nullopt;
  const auto falls_along = [&](const VectorXd& direction) {
    return falls_for_ever(margins, margins_of(problem, direction, monitor));
  };
  Separation found{complete, newton_step(*likelihood)};
  if (complete || falls_along(found.direction)) return found;
  found.direction = unheld_part(*likelihood);
  return falls_along(found.direction) ? std::optional<Separation>(found) : std::nullopt;
}

std::string separation_warning(const Problem& problem, const Training& training,
                               const Separation& separation) {
  const std::string features = moving_features(problem, training, separation.direction);
  return fmt::format(
      "the classes are {} separated: without a penalty there is no finite estimate and the weights grow "
      "without end{}; use --l2{}",
      separation.complete ? "perfectly" : "partly",
      features.empty() ? "" : fmt::format(" (most for {})", features),
      problem.softmax() ? "" : " or --firth");
}

}  // namespace discern
