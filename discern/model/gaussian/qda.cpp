#include "discern/model/gaussian/qda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/gaussian/shrinkage.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

bool regularised(const Qda& options) {
  return options.pooling > 0 || options.shrinkage > 0 || options.identity > 0;
}

// The rank of a singular covariance, for a message; finding that of a large one takes longer than anybody
// waits.
std::string rank_text(const Eigen::MatrixXd& s, double own) {
  constexpr Index quick = 1000;
  const Index d = s.rows();
  if (d <= quick) return fmt::format("rank {} of {}", SemidefiniteFactor(s).rank(), d);
  return fmt::format("rank at most {} of {}", std::min(own - 1, static_cast<double>(d)), d);
}

void check_class(const Qda& options, const ClassMoments& moments, Index k, const std::string& name) {
  const double own = moments.weights()[k];
  const Index d = moments.means().cols();
  if (own > static_cast<double>(d) || regularised(options)) return;
  throw Error(
      Code::data,
      fmt::format("class '{}' is too small for a covariance of its own: {} row{} for {} features ({}); "
                  "`pooling` or `shrinkage` above 0 regularise it",
                  name, own, own == 1 ? "" : "s", d, rank_text(moments.scatter(k), own)));
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
  check_matrix_size(d * static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(classes)))),
                    "quadratic discriminant analysis");
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
    check_class(options, moments, k, name);
    const Eigen::MatrixXd s = class_covariance(options, moments, shared, k);
    const auto whiten = whitening(s);
    if (!whiten)
      throw Error(Code::data,
                  fmt::format("class '{}' has a singular covariance ({}): its features are constant or "
                              "depend on each other; `pooling` or `shrinkage` above 0 regularise it",
                              name, rank_text(s, moments.weights()[k])));
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
