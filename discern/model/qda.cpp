#include "discern/model/qda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/linear_parts.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/column_moments.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
Fitted fit(const QdaOptions& options, const Training& training) {
  const Index d = training.source.cols(), classes = training.classes;
  check_matrix_size(d * static_cast<Index>(std::ceil(std::sqrt(static_cast<double>(classes)))),
                    "quadratic discriminant analysis");
  const ColumnSummary columns = fold(training.source, ColumnMoments(d), training.monitor).result();
  check_spread(training, columns.deviation);
  const ClassMoments moments =
      fold(training.source, ClassMoments(classes, d, ClassMoments::Scatter::per_class, columns.mean),
           training.monitor);
  Quadratic quadratic;
  quadratic.means = moments.means().rowwise() + columns.mean.transpose();
  quadratic.bias.resize(classes);
  const double weight = moments.weights().sum();
  double residual = 0;
  for (Index k = 0; k < classes; ++k) {
    const double own = moments.weights()[k];
    const std::string& name = training.class_names[static_cast<std::size_t>(k)];
    if (own <= static_cast<double>(d))
      throw Error(Code::data,
                  fmt::format("class '{}' is too small for a covariance of its own: {} rows for {} features",
                              name, own, d));
    Eigen::MatrixXd s = moments.scatter(k) / (own - 1);
    s = s.selfadjointView<Eigen::Lower>();
    const auto whiten = whitening(s);
    if (!whiten)
      throw Error(Code::data,
                  fmt::format("class '{}' has a singular covariance (weight {}, {} features): its "
                              "features are constant or depend on each other",
                              name, own, d));
    residual =
        std::max(residual, (*whiten * s * whiten->transpose() - Eigen::MatrixXd::Identity(d, d)).norm() /
                               std::sqrt(static_cast<double>(d)));
    quadratic.bias[k] = whiten->diagonal().array().log().sum() + std::log(own / weight);
    quadratic.whiten.push_back(*whiten);
  }
  Fitted fitted;
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
