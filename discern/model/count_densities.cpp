#include "discern/model/count_densities.hpp"

#include <algorithm>
#include <cmath>

#include "discern/base/threads.hpp"
#include "discern/stats/class_sums.hpp"
#include "discern/stats/fold.hpp"

namespace discern {
namespace {

// log q_kj = log(N_kj + a) - log(sum_j N_kj + a d)
Matrix multinomial_weights(const RowMajor& sums, double a) {
  Matrix weights(sums.rows(), sums.cols());
  parallel_for(sums.rows(), [&](Index k) {
    const double total = sums.row(k).sum() + a * static_cast<double>(sums.cols());
    weights.row(k) = (sums.row(k).array() + a).log() - std::log(total);
  });
  return weights;
}

// -log q_kj, with the sums of all other classes.
Matrix complement_weights(const RowMajor& sums, double a) {
  const Eigen::RowVectorXd every = sums.colwise().sum();
  Matrix weights(sums.rows(), sums.cols());
  parallel_for(sums.rows(), [&](Index k) {
    weights.row(k) = (every - sums.row(k)).array().max(0.0) + a;
    const double total = weights.row(k).sum();
    weights.row(k) = std::log(total) - weights.row(k).array().log();
  });
  return weights;
}

}  // namespace

std::optional<Linear> fit_counts(const NaiveBayesOptions& options, const Training& training) {
  const bool automatic = options.density == "auto", complement = options.density == "complement";
  const bool texts = std::any_of(training.category.begin(), training.category.end(),
                                 [](Index column) { return column >= 0; });
  if (!training.source.sparse() || texts || training.wants_statistics() || !(options.smoothing > 0) ||
      !(automatic || complement || options.density == "multinomial"))
    return std::nullopt;
  const ClassSums seen =
      fold(training.source, ClassSums(training.classes, training.source.cols(), automatic), training.monitor);
  if (!seen.positive() || (automatic && !(seen.whole() && seen.highest() > 1))) return std::nullopt;

  Matrix weights = complement ? complement_weights(seen.sums(), options.smoothing)
                              : multinomial_weights(seen.sums(), options.smoothing);
  Vector bias = Vector::Zero(training.classes);
  if (!complement || options.priors != "shares") bias = log_priors(options.priors, seen.weights(), training);
  if (training.classes > 2) return Linear{std::move(weights), std::move(bias), {}, Link::softmax};
  return Linear{weights.row(1) - weights.row(0), Vector::Constant(1, bias[1] - bias[0]), {}, Link::logistic};
}

}  // namespace discern
