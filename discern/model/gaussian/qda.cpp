#include "discern/model/gaussian/qda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/gaussian/shrinkage.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

// The rank of a larger covariance takes longer to find than anybody waits.
constexpr Index quick = 1000;

std::string most_rank_text(Index d, double own) {
  return fmt::format("rank at most {} of {}", std::min(own - 1, static_cast<double>(d)), d);
}

// The rank of a singular covariance, for a message.
std::string rank_text(const Eigen::MatrixXd& s, double own) {
  const Index d = s.rows();
  if (d > quick) return most_rank_text(d, own);
  return fmt::format("rank {} of {}", SemidefiniteFactor(s).rank(), d);
}

bool regularised(const Qda& options) {
  return options.pooling > 0 || options.shrinkage > 0 || options.identity > 0;
}

bool needs_more_rows(const Qda& options, double own, Index d) {
  return own <= static_cast<double>(d) && !regularised(options);
}

[[noreturn]] void refuse_small(const std::string& name, double own, Index d, const std::string& rank) {
  throw Error(
      Code::data,
      fmt::format("class '{}' is too small for a covariance of its own: {} row{} for {} features ({}); "
                  "`pooling` or `shrinkage` above 0 regularise it",
                  name, own, own == 1 ? "" : "s", d, rank));
}

[[noreturn]] void refuse_singular(const std::string& name, const std::string& rank) {
  throw Error(Code::data,
              fmt::format("class '{}' has a singular covariance ({}): its features are constant or "
                          "depend on each other; `pooling` or `shrinkage` above 0 regularise it",
                          name, rank));
}

// The model keeps a matrix for each class, and making them takes five times that at most.
void check_size(Index d, Index classes) {
  const double one = 8.0 * static_cast<double>(d) * static_cast<double>(d);
  const double all = one * static_cast<double>(classes);
  if (5 * all <= 8e9) return;
  throw Error(
      Code::memory,
      fmt::format("quadratic discriminant analysis keeps a {} x {} matrix per class: {:.1f} GB for {} "
                  "classes, and {:.1f} GB while it is fitted, where the limit is 8 GB; `model` lda "
                  "and `model` fisher, which reduces rows to principal components, form no such "
                  "matrix where rows are fewer than features; or take fewer features with `features`, "
                  "`ignore` or a `basis`",
                  d, d, all / 1e9, classes, 5 * all / 1e9));
}

// Fewer rows than features leave every covariance singular, which need not be formed to see that.
void check_rows(const Qda& options, const Training& training) {
  const Index d = training.source.cols();
  const bool full_rank = options.shrinkage > 0 || options.identity > 0;
  if (training.source.rows() >= d || d <= quick || full_rank || training.before != nullptr) return;
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(training.classes);
  Scratch scratch;
  for (Index b = 0; b < training.source.block_count(); ++b) {
    const Block block = training.source.block(b, scratch);
    for (Index i = 0; i < block.rows(); ++i)
      weights[block.labels[static_cast<std::size_t>(i)]] += block.weight(i);
  }
  for (Index k = 0; k < training.classes; ++k) {
    const std::string& name = training.class_names[static_cast<std::size_t>(k)];
    if (needs_more_rows(options, weights[k], d))
      refuse_small(name, weights[k], d, most_rank_text(d, weights[k]));
    refuse_singular(name, most_rank_text(d, weights[k]));
  }
}

Eigen::MatrixXd class_covariance(const Qda& options, const ClassMoments& moments,
                                 const Eigen::MatrixXd& shared, Index k) {
  const bool mle = options.divisor == Divisor::mle;
  const double p = options.pooling, own = moments.weights()[k] - (mle ? 0 : 1);
  const double free = moments.weights().sum() - (mle ? 0 : static_cast<double>(moments.weights().size()));
  Eigen::MatrixXd s = moments.scatter(k);
  if (p > 0) s = (1 - p) * s + p * shared;
  s /= std::max((1 - p) * own + p * free, 1e-300);
  s = Eigen::MatrixXd(s.selfadjointView<Eigen::Lower>());
  if (options.shrinkage > 0) s = shrunk(s, options.shrinkage);
  if (options.identity > 0) {
    s *= 1 - options.identity;
    s.diagonal().array() += options.identity;
  }
  return s;
}

}  // namespace

Fitted fit(const Qda& options, const Training& training) {
  const Index d = training.source.cols(), classes = training.classes;
  check_size(d, classes);
  check_rows(options, training);
  const ClassMoments moments = class_moments(training.source, classes, ClassMoments::Scatter::per_class,
                                             training.monitor, training.before);
  check_spread(training, moments.columns().deviation);
  Eigen::MatrixXd shared;
  if (options.pooling > 0) {
    shared = moments.scatter(0);
    for (Index k = 1; k < classes; ++k) shared += moments.scatter(k);
  }
  Quadratic quadratic;
  quadratic.means = moments.means().rowwise() + moments.shift().transpose();
  quadratic.bias = log_priors(options.priors, moments.weights(), training);
  double residual = 0;
  for (Index k = 0; k < classes; ++k) {
    const std::string& name = training.class_names[static_cast<std::size_t>(k)];
    const double own = moments.weights()[k];
    if (needs_more_rows(options, own, d)) refuse_small(name, own, d, rank_text(moments.scatter(k), own));
    const Eigen::MatrixXd s = class_covariance(options, moments, shared, k);
    const auto whiten = whitening(s);
    if (!whiten) refuse_singular(name, rank_text(s, own));
    residual =
        std::max(residual, (*whiten * s * whiten->transpose() - Eigen::MatrixXd::Identity(d, d)).norm() /
                               std::sqrt(static_cast<double>(d)));
    quadratic.bias[k] += whiten->diagonal().array().log().sum();
    quadratic.whiten.push_back(*whiten);
  }
  Fitted fitted;
  if (training.wants_statistics()) fitted.statistics = keep(moments);
  fitted.predictor = std::move(quadratic);
  Summary& summary = fitted.summary;
  summary.solver = "closed-form";
  summary.iterations = 1;
  summary.tolerance = options.tol;
  summary.certificate = {"relative-residual", residual};
  summary.converged = residual <= options.tol;
  summary.rank = d;
  return fitted;
}

}  // namespace discern
