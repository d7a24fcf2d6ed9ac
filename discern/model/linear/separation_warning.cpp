#include "discern/model/linear/separation_warning.hpp"

#include <fmt/format.h>

#include <vector>

#include "discern/base/join.hpp"
#include "discern/model/linear/linear_parts.hpp"

namespace discern {
namespace {

// The features whose standardised weights the direction moves most.
std::string moving_features(const Problem& problem, const Training& training,
                            const Eigen::VectorXd& direction) {
  const Eigen::Map<const RowMajor> weights(direction.data(), problem.width(), problem.scores);
  Eigen::VectorXd size = weights.bottomRows(problem.features()).cwiseAbs().rowwise().maxCoeff();
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
