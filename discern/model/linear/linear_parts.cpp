#include "discern/model/linear/linear_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "discern/base/error.hpp"
#include "discern/stats/coordinates.hpp"
#include "discern/stats/fold.hpp"
#include "discern/stats/ordinary_values.hpp"

namespace discern {

Scaling fit_scaling(const Training& training, bool center) {
  Scaling scaling =
      fit_scaling(training.source, {center, training.standardize, training.indicator}, training.monitor);
  check_spread(training, scaling.scale);
  if (training.columns == nullptr) return scaling;
  for (Index j = 0; j < scaling.scale.size(); ++j)
    if (training.standardizes(j) && !training.columns->constant(j)) {
      const double unit = training.columns->deviation[j] / scaling.scale[j];
      scaling.penalty[j] = unit * unit;
    }
  return scaling;
}

Scaling unit_scaling(const Training& training, bool center) {
  const auto values = fold(training.source, OrdinaryValues(), training.monitor);
  if (!values.all()) fit_scaling(training, center);
  const Index d = training.source.cols();
  Scaling scaling;
  if (center && !training.source.sparse()) scaling.center.setZero(d);
  scaling.scale.setOnes(d);
  scaling.penalty.setOnes(d);
  scaling.weight = values.weight();
  return scaling;
}

void check_spread(const Training& training, const Eigen::VectorXd& deviation) {
  check_spread(deviation, [&](Index j) { return feature_name(training, j); });
}

Linear unscale(const Scaling& scaling, const Matrix& u, const Vector& bias, Link link) {
  Linear linear{u, bias, scaling.at_zero(), link};
  linear.weights.array().rowwise() /= scaling.scale.transpose().array();
  return linear;
}

Matrix rescale(const Scaling& scaling, const Linear& linear) {
  Matrix point(1 + linear.features(), linear.scores());
  point.row(0) = linear.bias_at_origin().transpose();
  if (scaling.at_zero().size() > 0) point.row(0) += (linear.weights * scaling.at_zero()).transpose();
  point.bottomRows(linear.features()) = (linear.weights * scaling.scale.asDiagonal()).transpose();
  return point;
}

Link link_of(const Loss& loss) {
  if (std::holds_alternative<SoftmaxLoss>(loss)) return Link::softmax;
  return std::holds_alternative<LogisticLoss>(loss) ? Link::logistic : Link::none;
}

std::string without_weights(const std::vector<std::int32_t>& classes, const Training& training) {
  constexpr std::size_t most_named = 20;
  std::string names;
  for (std::size_t n = 0; n < std::min(classes.size(), most_named); ++n) {
    const auto k = static_cast<std::size_t>(classes[n]);
    const std::string name = k < training.class_names.size() ? training.class_names[k] : fmt::format("{}", k);
    names += fmt::format("{}'{}'", n > 0 ? ", " : "", name);
  }
  if (classes.size() > most_named) names += fmt::format(" and {} more", classes.size() - most_named);
  return fmt::format("interrupted before {} of {} classes had weights ({}): no row is assigned to {}",
                     classes.size(), training.classes, names, classes.size() == 1 ? "it" : "them");
}

void check_matrix_size(Index size, std::string_view what) {
  // Two lanes of the fold, their sum, a scaled copy and its factor.
  const double bytes = 5 * 8.0 * static_cast<double>(size) * static_cast<double>(size);
  if (bytes > 8e9)
    throw Error(Code::memory,
                fmt::format("{} needs {} x {} matrices of {:.1f} GB, and the limit is 8 GB; leave out "
                            "features with `features` or `ignore`",
                            what, size, size, bytes / 1e9));
}

void check_rows_size(Index rows, Index columns, std::string_view what) {
  // Up to four lanes of the fold, their sum, a scaled copy, its transpose and the basis of its rows.
  const double bytes = 8 * 8.0 * static_cast<double>(rows) * static_cast<double>(columns);
  if (bytes > 8e9)
    throw Error(Code::memory,
                fmt::format("{} needs {} x {} matrices of {:.1f} GB, and the limit is 8 GB; leave out "
                            "features with `features` or `ignore`, or take another `solver`",
                            what, rows, columns, bytes / 1e9));
}

std::string feature_name(const Training& training, Index j) {
  if (training.feature_names.empty()) return fmt::format("x{}", j + 1);
  return training.feature_names[static_cast<std::size_t>(j)];
}

std::string stopped_short(const Minimum& minimum, Index max_iter) {
  if (minimum.iterations >= max_iter)
    return fmt::format(
        "not converged: stopped at the limit of {} iterations with a certificate of {:.2g}; raise `max_iter` "
        "or `tol`",
        max_iter, minimum.certificate);
  return fmt::format(
      "not converged: no further progress is possible in double precision: the certificate stays at {:.2g}",
      minimum.certificate);
}

std::string rank_warning(Index rank, Index features, std::string_view given) {
  return fmt::format("the features are linearly dependent (rank {} of {}): the weights are not unique, {}",
                     rank, features, given);
}

}  // namespace discern
