#include "discern/model/gaussian/lda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/gaussian/shrinkage.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
Fitted fit(const Lda& options, const Training& training) {
  const Index d = training.source.cols(), classes = training.classes;
  const Shrinkage shrinkage = parse_shrinkage(options.shrinkage);
  const double matrices = shrinkage.per_class() ? static_cast<double>(classes) : 1;
  check_matrix_size(d * static_cast<Index>(std::ceil(std::sqrt(matrices))), "linear discriminant analysis");
  if (training.wants_statistics() && shrinkage.rule == Shrinkage::Rule::ledoit_wolf)
    throw Error(Code::usage,
                "`shrinkage` ledoit-wolf needs all rows at once: it leaves no statistics to continue from; "
                "`shrinkage` oas does");
  const ClassMoments moments =
      class_moments(training.source, classes,
                    shrinkage.per_class() ? ClassMoments::Scatter::per_class : ClassMoments::Scatter::pooled,
                    training.monitor, training.before);
  const ColumnSummary columns = moments.columns();
  check_spread(training, columns.deviation);
  const double weight = moments.weights().sum();
  const bool unbiased = shrinkage.rule == Shrinkage::Rule::none && options.divisor == Divisor::unbiased;
  if (unbiased && weight <= static_cast<double>(classes))
    throw Error(Code::data, fmt::format("{} rows in {} classes leave nothing to estimate a covariance from",
                                        weight, classes));
  const Eigen::MatrixXd s = covariance_within(shrinkage, options.divisor, moments, training);

  // Everything about the grand mean, which becomes the predictor's centre.
  const Eigen::VectorXd center = columns.mean - moments.shift();
  const Eigen::MatrixXd means = (moments.means().rowwise() - center.transpose()).transpose();  // d x classes
  const SemidefiniteSolution inverse = solve_semidefinite(s, means);
  Matrix weights = inverse.x.transpose();
  Vector bias = log_priors(options.priors, moments.weights(), training);
  for (Index k = 0; k < classes; ++k) bias[k] -= 0.5 * means.col(k).dot(inverse.x.col(k));
  if (classes == 2) {
    weights = Matrix(weights.row(1) - weights.row(0));
    bias = Vector::Constant(1, bias[1] - bias[0]);
  }

  Fitted fitted;
  if (training.wants_statistics()) fitted.statistics = keep(moments);
  fitted.predictor = Linear{weights, bias, columns.mean, classes == 2 ? Link::logistic : Link::softmax};
  Summary& summary = fitted.summary;
  summary.solver = "closed-form";
  summary.iterations = 1;
  summary.tolerance = options.tol;
  summary.certificate = {"relative-residual", inverse.residual};
  summary.converged = inverse.residual <= options.tol;
  summary.rank = inverse.rank;
  if (inverse.rank < d) {
    summary.warnings.push_back(fmt::format(
        "the covariance within the classes is singular (rank {} of {}): directions without spread "
        "are left out",
        inverse.rank, d));
    for (Index j = 0; j < d; ++j)
      if (s(j, j) == 0 && !columns.constant(j))
        summary.warnings.push_back(
            fmt::format("feature '{}' is constant within every class but differs between "
                        "them; it is left out",
                        feature_name(training, j)));
  }
  return fitted;
}

}  // namespace discern
