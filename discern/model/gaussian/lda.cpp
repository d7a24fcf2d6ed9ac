#include "discern/model/gaussian/lda.hpp"

#include <fmt/format.h>

#include <cmath>

#include "discern/base/error.hpp"
#include "discern/model/gaussian/few_rows.hpp"
#include "discern/model/gaussian/shrinkage.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

// What the rows tell of the classes, and the part of the fit that takes time.
struct Solved {
  Vector class_weights;
  ColumnSummary columns;
  Eigen::MatrixXd means;         // features x classes, about the grand mean
  SemidefiniteSolution inverse;  // S^-1 m_k
  Vector diagonal;               // of S
  Statistics statistics = {};
};

void check_degrees(double weight, Index classes, const Shrinkage& shrinkage, Divisor divisor) {
  const bool unbiased = shrinkage.rule == Shrinkage::Rule::none && divisor == Divisor::unbiased;
  if (unbiased && weight <= static_cast<double>(classes))
    throw Error(Code::data, fmt::format("{} rows in {} classes leave nothing to estimate a covariance from",
                                        weight, classes));
}

// False where the rows are not few, or S has to be formed for its digits.
bool solve_rows(const Shrinkage& shrinkage, Divisor divisor, const Training& training, Solved& solved) {
  if (!fewer_rows_than_features(training)) return false;
  ClassRows rows = class_rows(training, ClassRows::About::class_means);
  check_spread(training, rows.columns.deviation);
  check_degrees(rows.columns.weight, training.classes, shrinkage, divisor);
  RowSolution found = solve_among_rows(rows, shrinkage, divisor, training.monitor);
  if (!found.solved) return false;
  solved.class_weights = std::move(rows.weights);
  solved.columns = std::move(rows.columns);
  solved.means = rows.means.transpose();
  solved.inverse = std::move(found.inverse);
  solved.diagonal = std::move(found.diagonal);
  return true;
}

void solve_features(const Shrinkage& shrinkage, Divisor divisor, const Training& training, Solved& solved) {
  const Index d = training.source.cols(), classes = training.classes;
  const double matrices = shrinkage.per_class() ? static_cast<double>(classes) : 1;
  check_matrix_size(d * static_cast<Index>(std::ceil(std::sqrt(matrices))), "linear discriminant analysis");
  const ClassMoments moments =
      class_moments(training.source, classes,
                    shrinkage.per_class() ? ClassMoments::Scatter::per_class : ClassMoments::Scatter::pooled,
                    training.monitor, training.before);
  solved.class_weights = moments.weights();
  solved.columns = moments.columns();
  check_spread(training, solved.columns.deviation);
  check_degrees(moments.weights().sum(), classes, shrinkage, divisor);
  const Eigen::MatrixXd s = covariance_within(shrinkage, divisor, moments, training);
  // Everything about the grand mean, which becomes the predictor's centre.
  const Eigen::VectorXd center = solved.columns.mean - moments.shift();
  solved.means = (moments.means().rowwise() - center.transpose()).transpose();
  solved.inverse = solve_semidefinite(s, solved.means);
  solved.diagonal = s.diagonal();
  if (training.wants_statistics()) solved.statistics = keep(moments);
}

}  // namespace

Fitted fit(const Lda& options, const Training& training) {
  const Index d = training.source.cols(), classes = training.classes;
  const Shrinkage shrinkage = parse_shrinkage(options.shrinkage);
  if (training.wants_statistics() && shrinkage.rule == Shrinkage::Rule::ledoit_wolf)
    throw Error(Code::usage,
                "`shrinkage` ledoit-wolf needs all rows at once: it leaves no statistics to continue from; "
                "`shrinkage` oas does");
  Solved solved;
  if (!solve_rows(shrinkage, options.divisor, training, solved))
    solve_features(shrinkage, options.divisor, training, solved);
  const SemidefiniteSolution& inverse = solved.inverse;
  Matrix weights = inverse.x.transpose();
  Vector bias = log_priors(options.priors, solved.class_weights, training);
  for (Index k = 0; k < classes; ++k) bias[k] -= 0.5 * solved.means.col(k).dot(inverse.x.col(k));
  if (classes == 2) {
    weights = Matrix(weights.row(1) - weights.row(0));
    bias = Vector::Constant(1, bias[1] - bias[0]);
  }

  Fitted fitted;
  fitted.statistics = solved.statistics;
  fitted.predictor =
      Linear{weights, bias, solved.columns.mean, classes == 2 ? Link::logistic : Link::softmax};
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
      if (solved.diagonal[j] == 0 && !solved.columns.constant(j))
        summary.warnings.push_back(
            fmt::format("feature '{}' is constant within every class but differs between "
                        "them; it is left out",
                        feature_name(training, j)));
  }
  return fitted;
}

}  // namespace discern
