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

double worst_margin(const Problem& problem, const VectorXd& point) {
  LinearFunction function(problem);
  const RowMajor scores = function.scores_of(point, {});
  double worst = std::numeric_limits<double>::infinity();
  Scratch scratch;
  for (Index k = 0; k < problem.source->block_count(); ++k) {
    const Block block = problem.source->block(k, scratch);
    for (Index i = 0; i < block.rows(); ++i) {
      const auto row = scores.row(block.first + i);
      if (!problem.softmax()) {
        worst = std::min(worst, problem.target(block, i) * row[0]);
        continue;
      }
      const auto y = static_cast<Index>(block.labels[static_cast<std::size_t>(i)]);
      for (Index c = 0; c < row.size(); ++c)
        if (c != y) worst = std::min(worst, row[y] - row[c]);
    }
  }
  return worst;
}

// The features whose standardised weights the step would move most.
std::string moving_features(const Problem& problem, const Training& training, const MatrixXd& step) {
  VectorXd size = step.bottomRows(problem.features()).cwiseAbs().rowwise().maxCoeff();
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

std::string warning(const Problem& problem, bool complete, const std::string& features) {
  return fmt::format(
      "the classes are {} separated: without a penalty there is no finite estimate and the weights grow "
      "without end{}; use --l2{}",
      complete ? "perfectly" : "partly", features.empty() ? "" : fmt::format(" (most for {})", features),
      problem.softmax() ? "" : " or --firth");
}

}  // namespace

bool unpenalised_likelihood(const Problem& problem) {
  const bool likelihood = problem.softmax() || std::holds_alternative<Logistic>(problem.loss);
  return likelihood && problem.l2.tail(problem.features()).maxCoeff() == 0 && !problem.has_l1();
}

std::string separation_warning(const Problem& problem, const Training& training, const VectorXd& point,
                               const std::optional<Likelihood>& likelihood, bool converged) {
  if (!likelihood) {
    if (!(worst_margin(problem, point) > 0)) return "";
    const Eigen::Map<const RowMajor> weights(point.data(), problem.width(), problem.scores);
    return warning(problem, true, moving_features(problem, training, weights));
  }
  const MatrixXd& at = likelihood->at;
  const Expansion& expansion = likelihood->expansion;
  const MatrixXd step =
      solve_semidefinite(expansion.hessian, -expansion.gradient).x.reshaped(at.rows(), at.cols());
  const bool complete = expansion.worst_margin > 0;
  const bool moving = step.cwiseAbs().maxCoeff() > 1e-3 * std::max(1.0, at.cwiseAbs().maxCoeff());
  if (!complete && !(converged && moving)) return "";
  return warning(problem, complete, moving_features(problem, training, step));
}

}  // namespace discern
