#include "discern/model/lda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/linear_parts.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
Fitted fit(const LdaOptions& options, const Training& training) {
  const Index d = training.source.cols(), classes = training.classes;
  check_matrix_size(d, "linear discriminant analysis");
  const ColumnSummary columns = fold(training.source, ColumnMoments(d), training.monitor).result();
  check_spread(training, columns.deviation);
  const ClassMoments moments =
      fold(training.source, ClassMoments(classes, d, ClassMoments::Scatter::pooled, columns.mean),
           training.monitor);
  const double weight = moments.weights().sum();
  if (weight <= static_cast<double>(classes))
    throw Error(Code::data, fmt::format("{} rows in {} classes leave nothing to estimate a covariance from",
                                        weight, classes));
  const Eigen::MatrixXd s = moments.scatter() / (weight - static_cast<double>(classes));

  // Everything about the grand mean, which becomes the predictor's centre.
  const Eigen::MatrixXd means = moments.means().transpose();  // d x classes
  const SemidefiniteSolution inverse = solve_semidefinite(s, means);
  Matrix weights = inverse.x.transpose();
  Vector bias(classes);
  for (Index k = 0; k < classes; ++k)
    bias[k] = -0.5 * means.col(k).dot(inverse.x.col(k)) + std::log(moments.weights()[k] / weight);
  if (classes == 2) {
    weights = Matrix(weights.row(1) - weights.row(0));
    bias = Vector::Constant(1, bias[1] - bias[0]);
  }

  Fitted fitted;
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
