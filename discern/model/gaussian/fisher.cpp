#include "discern/model/gaussian/fisher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "discern/base/error.hpp"
#include "discern/model/gaussian/few_rows.hpp"
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

double freedom_of(const Vector& class_weights) {
  const auto classes = static_cast<double>(class_weights.size());
  if (class_weights.sum() > classes) return class_weights.sum() - classes;
  throw Error(Code::data, fmt::format("{} rows in {} classes leave nothing to estimate a covariance from",
                                      class_weights.sum(), classes));
}

// The rows sqrt(n_k / (K - 1)) (m_k - m).
MatrixXd between_rows(const Vector& class_weights, const MatrixXd& means) {
  const auto classes = static_cast<double>(class_weights.size());
  return (class_weights / (classes - 1)).cwiseSqrt().asDiagonal() * means;
}

Scatters scatters(const ClassMoments& moments) {
  Scatters result;
  result.center = moments.columns().mean;
  result.freedom = freedom_of(moments.weights());
  const MatrixXd s = moments.scatter() / result.freedom;
  result.within = s.selfadjointView<Eigen::Lower>();
  const Eigen::RowVectorXd shift = (result.center - moments.shift()).transpose();
  result.means = moments.means().rowwise() - shift;
  result.between = between_rows(moments.weights(), result.means);
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

// The most components that there may be, of d features.
Index most_components(double freedom, Index d, std::optional<Index> wanted) {
  const Index most = freedom < static_cast<double>(d) ? std::max<Index>(1, static_cast<Index>(freedom)) : d;
  if (wanted.value_or(0) > most)
    throw Error(Code::usage,
                fmt::format("`principal`: expected at most {} (rows less classes, or features), got {}", most,
                            *wanted));
  return most;
}

// How many are taken, from all variances, largest first.
Index chosen_components(const Vector& variances, Index classes, Index most, std::optional<Index> wanted) {
  if (!wanted) return holding(variances, classes, most);
  return *wanted > 0 ? *wanted : most;
}

// W with W' S W = I, a column for each dimension that S has; through the principal components where rows are
// few or components are asked for.
MatrixXd whitened_basis(const Scatters& scatter, std::optional<Index> wanted, Index& principal) {
  const Index d = scatter.within.rows(), most = most_components(scatter.freedom, d, wanted);
  if (wanted.value_or(0) == 0 && most == d) return range_whitening(scatter.within);
  const auto classes = static_cast<double>(scatter.means.rows());
  const Spectrum all = spectrum(scatter.freedom * scatter.within +
                                (classes - 1) * scatter.between.transpose() * scatter.between);
  principal = chosen_components(all.values, scatter.means.rows(), most, wanted);
  const MatrixXd q = all.vectors.leftCols(principal);
  return q * range_whitening(q.transpose() * scatter.within * q);
}

void orient(const MatrixXd& means, Projection& projection) {
  for (Index c = 0; c < projection.components(); ++c) {
    auto v = projection.directions.row(c);
    Index largest = 0;
    v.cwiseAbs().maxCoeff(&largest);
    const double sign = means.rows() == 2 ? v.dot(means.row(1) - means.row(0)) : v[largest];
    if (sign < 0) v = -v;
  }
}

// The directions within the space of W, which has a column for each of its dimensions.
void find_directions(const MatrixXd& between_rows, const MatrixXd& w, Index components,
                     Projection& projection) {
  projection.rank = w.cols();
  if (projection.rank == 0)
    throw Error(Code::data,
                "no feature varies within the classes, and Fisher's criterion compares with that variation");
  const MatrixXd between = between_rows * w;
  const Spectrum found = spectrum(between.transpose() * between);
  Index count = std::min(between.rows() - 1, w.cols());
  const Vector ratios = found.values.head(count).cwiseMax(0.0);
  while (count > 1 && !(ratios[count - 1] > least_ratio * ratios[0])) --count;
  if (components > count)
    throw Error(Code::usage, fmt::format("`components`: expected at most {} ({} classes, rank {}), got {}",
                                         count, between.rows(), w.cols(), components));
  const Index kept = components > 0 ? components : count;
  projection.directions = (w * found.vectors.leftCols(kept)).transpose();
  projection.ratios = ratios.head(kept);
  projection.explained = ratios.head(kept) / std::max(ratios.sum(), 1e-300);
}

// What follows from the directions. `spread` gives V S V' of directions V, a row each.
template <class Spread>
void finish_projection(const MatrixXd& means, const MatrixXd& between, const Spread& spread,
                       Projection& projection) {
  orient(means, projection);
  const Index kept = projection.components();
  projection.means = means * projection.directions.transpose();
  projection.residual = (spread(projection.directions) - MatrixXd::Identity(kept, kept)).norm() /
                        std::sqrt(static_cast<double>(kept));
  if (means.rows() != 2) return;
  // The plain difference of the means as a direction.
  const Matrix difference = means.row(1) - means.row(0);
  const double length = spread(difference)(0, 0);
  if (!(length > 0)) return;
  projection.mean_difference = difference.row(0).transpose() / std::sqrt(length);
  projection.mean_difference_ratio = (between * projection.mean_difference).squaredNorm();
}

Projection project(const Scatters& scatter, const Fisher& options, std::optional<Index> wanted) {
  Projection projection;
  const MatrixXd w = whitened_basis(scatter, wanted, projection.principal);
  projection.center = scatter.center;
  find_directions(scatter.between, w, options.components, projection);
  const auto spread = [&](const Matrix& v) -> MatrixXd { return v * scatter.within * v.transpose(); };
  finish_projection(scatter.means, scatter.between, spread, projection);
  return projection;
}

// The same from the rows Z about their mean. With Z Z' = U L U' the principal components are Z'U L^(-1/2),
// and the rows have the coordinates U L^(1/2) in them.
Projection project(const ClassRows& rows, const Fisher& options, std::optional<Index> wanted,
                   const Monitor& monitor) {
  const Index d = rows.rows.cols();
  const double freedom = freedom_of(rows.weights);
  const Index most = most_components(freedom, d, wanted);
  const Spectrum all = spectrum(row_products(rows.rows, monitor));
  Projection projection;
  projection.principal = chosen_components(all.values, rows.classes(), most, wanted);
  projection.center = rows.columns.mean;
  const Index held = std::min(projection.principal, rank_of(all.values, d));
  const auto u = all.vectors.leftCols(held);
  const Vector root = all.values.head(held).cwiseSqrt();
  const RowMajor z = u * root.asDiagonal(), within = rows.within(z);
  const MatrixXd w = range_whitening(within.transpose() * within / freedom);
  find_directions(between_rows(rows.weights, rows.class_means(z)), w, options.components, projection);
  const Matrix of_rows = projection.directions * root.cwiseInverse().asDiagonal() * u.transpose();
  projection.directions = of_rows * rows.rows;
  const auto spread = [&](const Matrix& v) -> MatrixXd {
    const RowMajor scores = rows.within(rows.rows * v.transpose());
    return scores.transpose() * scores / freedom;
  };
  finish_projection(rows.means, between_rows(rows.weights, rows.means), spread, projection);
  return projection;
}

Linear rule(const Projection& projection, const Vector& log_prior) {
  const Matrix weights = projection.means * projection.directions;
  const Vector bias = log_prior - 0.5 * projection.means.rowwise().squaredNorm();
  if (bias.size() > 2) return {weights, bias, projection.center, Link::softmax};
  return {weights.row(1) - weights.row(0), Vector::Constant(1, bias[1] - bias[0]), projection.center,
          Link::logistic};
}

// Few rows go through principal components, which their products give. Rows of large weights are not few.
bool reduces_few_rows(const Training& training) {
  if (!fewer_rows_than_features(training)) return false;
  double weight = 0;
  Scratch scratch;
  for (Index k = 0; k < training.source.block_count(); ++k) {
    const Block block = training.source.block(k, scratch);
    for (Index i = 0; i < block.rows(); ++i) weight += block.weight(i);
  }
  return weight - static_cast<double>(training.classes) < static_cast<double>(training.source.cols());
}

}  // namespace

Fitted fit(const Fisher& options, const Training& training) {
  const Index d = training.source.cols();
  const auto wanted = wanted_components(options.principal, training.before != nullptr);
  Fitted fitted;
  Projection projection;
  Vector class_weights;
  if (reduces_few_rows(training)) {
    const ClassRows rows = class_rows(training, ClassRows::About::mean);
    check_spread(training, rows.columns.deviation);
    projection = project(rows, options, wanted, training.monitor);
    class_weights = rows.weights;
  } else {
    check_matrix_size(d, "Fisher's discriminant");
    const ClassMoments moments = class_moments(
        training.source, training.classes, ClassMoments::Scatter::pooled, training.monitor, training.before);
    check_spread(training, moments.columns().deviation);
    projection = project(scatters(moments), options, wanted);
    class_weights = moments.weights();
    if (training.wants_statistics()) fitted.statistics = keep(moments);
  }
  fitted.predictor = rule(projection, log_priors(options.priors, class_weights, training));
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
        d, class_weights.sum(), training.classes, projection.principal, projection.principal == 1 ? "" : "s",
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
