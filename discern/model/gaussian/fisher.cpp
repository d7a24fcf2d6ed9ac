#include "discern/model/gaussian/fisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/model/linear/linear_parts.hpp"
#include "discern/model/shape/priors.hpp"
#include "discern/stats/class_moments.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {
namespace {

using Eigen::MatrixXd;

// The share of the variance that the principal components hold where rows are few.
constexpr double held_share = 0.95;

// Ratios below this part of the largest are rounding.
constexpr double least_ratio = 1e-12;

struct Scatters {
  MatrixXd within;   // S
  MatrixXd between;  // classes x d: rows sqrt(n_k / (K - 1)) (m_k - m), so that B = between' between
  MatrixXd means;    // classes x d: m_k - m
  Vector center;     // m
  double freedom;    // n - K
};

Scatters scatters(const ClassMoments& moments) {
  const auto classes = static_cast<double>(moments.weights().size());
  Scatters result;
  result.center = moments.columns().mean;
  result.freedom = moments.weights().sum() - classes;
  if (!(result.freedom > 0))
    throw Error(Code::data, fmt::format("{} rows in {} classes leave nothing to estimate a covariance from",
                                        moments.weights().sum(), classes));
  const MatrixXd s = moments.scatter() / result.freedom;
  result.within = s.selfadjointView<Eigen::Lower>();
  const Eigen::RowVectorXd shift = (result.center - moments.shift()).transpose();
  result.means = moments.means().rowwise() - shift;
  result.between = (moments.weights() / (classes - 1)).cwiseSqrt().asDiagonal() * result.means;
  return result;
}

// What --principal asks for: a number, or 0 for `all`, the word of earlier model files, too, or nothing.
std::optional<Index> wanted_components(const std::string& principal, bool goes_on) {
  if (principal == "auto") return std::nullopt;
  if (principal == "all" || (principal == "0" && goes_on)) return 0;
  const double number = number_of(principal).value_or(0);
  if (!(number >= 1) || number != std::floor(number))
    throw Error(
        Code::usage,
        fmt::format("`principal`: expected auto, all or a whole number above 0, got '{}'", principal));
  return static_cast<Index>(std::min(number, 1e15));
}

// The fewest components that hold the share, at least one fewer than classes.
Index holding(const Vector& variances, Index classes, Index most) {
  const Vector sizes = variances.cwiseMax(0.0);
  const double enough = held_share * sizes.sum();
  Index count = 0;
  for (double held = 0; count < most && held < enough; ++count) held += sizes[count];
  return std::min(most, std::max({count, classes - 1, Index{1}}));
}

// W with W' S W = I, a column for each dimension that S has; through the principal components where rows are
// few or components are asked for.
MatrixXd whitened_basis(const Scatters& scatter, std::optional<Index> wanted, Index& principal) {
  const Index d = scatter.within.rows();
  const Index most =
      scatter.freedom < static_cast<double>(d) ? std::max<Index>(1, static_cast<Index>(scatter.freedom)) : d;
  if (wanted.value_or(0) > most)
    throw Error(Code::usage,
                fmt::format("`principal`: expected at most {} (rows less classes, or features), got {}", most,
                            *wanted));
  if (wanted.value_or(0) == 0 && most == d) return range_whitening(scatter.within);
  const auto classes = static_cast<double>(scatter.means.rows());
  const Spectrum all = spectrum(scatter.freedom * scatter.within +
                                (classes - 1) * scatter.between.transpose() * scatter.between);
  if (!wanted)
    principal = holding(all.values, scatter.means.rows(), most);
  else
    principal = *wanted > 0 ? *wanted : most;
  const MatrixXd q = all.vectors.leftCols(principal);
  return q * range_whitening(q.transpose() * scatter.within * q);
}

// The plain difference of two means as a direction.
void add_mean_difference(const Scatters& scatter, Projection& projection) {
  const Vector difference = (scatter.means.row(1) - scatter.means.row(0)).transpose();
  const double spread = difference.dot(scatter.within * difference);
  if (!(spread > 0)) return;
  projection.mean_difference = difference / std::sqrt(spread);
  projection.mean_difference_ratio = (scatter.between * projection.mean_difference).squaredNorm();
}

void orient(const Scatters& scatter, Projection& projection) {
  for (Index c = 0; c < projection.components(); ++c) {
    auto v = projection.directions.row(c);
    Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    const double sign =
        scatter.means.rows() == 2 ? v.dot(scatter.means.row(1) - scatter.means.row(0)) : v[largest];
    if (sign < 0) v = -v;
  }
}

Projection project(const Scatters& scatter, const Fisher& options, std::optional<Index> wanted) {
  Projection projection;
  const MatrixXd w = whitened_basis(scatter, wanted, projection.principal);
  projection.rank = w.cols();
  if (projection.rank == 0)
    throw Error(Code::data,
                "no feature varies within the classes, and Fisher's criterion compares with that variation");
  const MatrixXd between = scatter.between * w;
  const Spectrum found = spectrum(between.transpose() * between);
  Index count = std::min(scatter.means.rows() - 1, w.cols());
  const Vector ratios = found.values.head(count).cwiseMax(0.0);
  while (count > 1 && !(ratios[count - 1] > least_ratio * ratios[0])) --count;
  if (options.components > count)
    throw Error(Code::usage, fmt::format("`components`: expected at most {} ({} classes, rank {}), got {}",
                                         count, scatter.means.rows(), w.cols(), options.components));
  const Index kept = options.components > 0 ? options.components : count;
  projection.directions = (w * found.vectors.leftCols(kept)).transpose();
  orient(scatter, projection);
  projection.center = scatter.center;
  projection.ratios = ratios.head(kept);
  projection.explained = ratios.head(kept) / std::max(ratios.sum(), 1e-300);
  projection.means = scatter.means * projection.directions.transpose();
  projection.residual = (projection.directions * scatter.within * projection.directions.transpose() -
                         MatrixXd::Identity(kept, kept))
                            .norm() /
                        std::sqrt(static_cast<double>(kept));
  if (scatter.means.rows() == 2) add_mean_difference(scatter, projection);
  return projection;
}

Linear rule(const Projection& projection, const Vector& log_prior) {
  const Matrix weights = projection.means * projection.directions;
  const Vector bias = log_prior - 0.5 * projection.means.rowwise().squaredNorm();
  if (bias.size() > 2) return {weights, bias, projection.center, Link::softmax};
  return {weights.row(1) - weights.row(0), Vector::Constant(1, bias[1] - bias[0]), projection.center,
          Link::logistic};
}

}  // namespace

Fitted fit(const Fisher& options, const Training& training) {
  const Index d = training.source.cols();
  check_matrix_size(d, "Fisher's discriminant");
  const ClassMoments moments = class_moments(training.source, training.classes, ClassMoments::Scatter::pooled,
                                             training.monitor, training.before);
  check_spread(training, moments.columns().deviation);
  const auto wanted = wanted_components(options.principal, training.before != nullptr);
  const Projection projection = project(scatters(moments), options, wanted);

  Fitted fitted;
  if (training.wants_statistics()) fitted.statistics = keep(moments);
  fitted.predictor = rule(projection, log_priors(options.priors, moments.weights(), training));
  Summary& summary = fitted.summary;
  summary.solver = "closed-form";
  summary.iterations = 1;
  summary.tolerance = options.tol;
  summary.certificate = {"relative-residual", projection.residual};
  summary.converged = projection.residual <= options.tol;
  summary.rank = projection.rank;
  if (projection.principal > 0 && wanted.value_or(0) == 0)
    summary.warnings.push_back(fmt::format(
        "{} features and {} rows in {} classes: the rows were reduced to {} principal component{} first; {}",
        d, moments.weights().sum(), training.classes, projection.principal,
        projection.principal == 1 ? "" : "s",
        wanted ? "fewer do better on new rows as a rule"
               : "`principal` M sets how many, which cross-validation can choose"));
  else if (projection.rank < (projection.principal > 0 ? projection.principal : d))
    summary.warnings.push_back(
        fmt::format("the covariance within the classes is singular (rank {} of {}): directions without "
                    "spread are left out",
                    projection.rank, projection.principal > 0 ? projection.principal : d));
  fitted.projection = projection;
  return fitted;
}

}  // namespace discern
