#include "discern/model/bayes/count_densities.hpp"

#include <algorithm>
#include <cmath>

#include "discern/base/threads.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_sums.hpp"

namespace discern {
namespace {

// log q_kj = log(N_kj + a) - log(sum_j N_kj + a d), where the sums were.
void to_multinomial_weights(double a, Matrix& sums) {
  parallel_for(sums.rows(), [&](Index k) {
    const double total = sums.row(k).sum() + a * static_cast<double>(sums.cols());
    sums.row(k) = (sums.row(k).array() + a).log() - std::log(total);
  });
}

// -log q_kj, with the sums of all other classes.
void to_complement_weights(double a, Matrix& sums) {
  const Eigen::RowVectorXd every = sums.colwise().sum();
  parallel_for(sums.rows(), [&](Index k) {
    sums.row(k) = (every - sums.row(k)).array().max(0.0) + a;
    const double total = sums.row(k).sum();
    sums.row(k) = std::log(total) - sums.row(k).array().log();
  });
}

}  // namespace

std::optional<Linear> fit_counts(const NaiveBayes& options, const Training& training) {
  const bool automatic = options.density == "auto", complement = options.density == "complement";
  const bool texts = std::any_of(training.category.begin(), training.category.end(),
                                 [](Index column) { return column >= 0; });
  if (!training.source.sparse() || texts || training.wants_statistics() || !(options.smoothing > 0) ||
      !(automatic || complement || options.density == "multinomial"))
    return std::nullopt;
  ClassSums seen = class_sums(training.source, training.classes, automatic, training.monitor);
  if (!seen.positive() || (automatic && !(seen.whole() && seen.highest() > 1))) return std::nullopt;

  Vector bias = Vector::Zero(training.classes);
  if (!complement || options.priors != "shares") bias = log_priors(options.priors, seen.weights(), training);
  Matrix weights = std::move(seen).sums();
  if (complement)
    to_complement_weights(options.smoothing, weights);
  else
    to_multinomial_weights(options.smoothing, weights);
  if (training.classes > 2) return Linear{std::move(weights), std::move(bias), {}, Link::softmax};
  return Linear{weights.row(1) - weights.row(0), Vector::Constant(1, bias[1] - bias[0]), {}, Link::logistic};
}

}  // namespace discern
