#include "discern/cluster/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "discern/cluster/kmeans.hpp"
#include "discern/cluster/last_fold.hpp"
#include "discern/stats/column_moments.hpp"

namespace discern {
namespace {

// log(P_k N_k(x)) = a_k + x . b_k + x^2 . c_k
struct LogDensities {
  Eigen::RowVectorXd a;
  RowMajor b, c;
};

LogDensities log_densities(const Mixture& mixture) {
  LogDensities log;
  log.c = -0.5 * mixture.variances.cwiseInverse();
  log.b = mixture.means.cwiseQuotient(mixture.variances);
  const auto spread = (2 * std::numbers::pi * mixture.variances.array()).log().rowwise().sum();
  const auto offset = (mixture.means.array() * log.b.array()).rowwise().sum();
  log.a = (mixture.shares.array().max(1e-300).log() - 0.5 * (spread + offset)).matrix().transpose();
  return log;
}

// The E step and the sums of the M step in one pass.
class Expectation {
 public:
  explicit Expectation(const Mixture& mixture)
      : log_(log_densities(mixture)),
        weight_(Eigen::VectorXd::Zero(mixture.shares.size())),
        sums_(RowMajor::Zero(mixture.means.rows(), mixture.means.cols())),
        squares_(sums_) {}

  void add(const Block& block) {
    const auto x = matrix_of(block);
    for (Index first = 0; first < x.rows(); first += rows_at_once) {
      const Index count = std::min(rows_at_once, x.rows() - first);
      add_rows(block, first, x.middleRows(first, count));
    }
  }
  void merge(const Expectation& other) {
    log_likelihood_ += other.log_likelihood_;
    weight_ += other.weight_;
    sums_ += other.sums_;
    squares_ += other.squares_;
  }
  double bytes() const { return 16.0 * static_cast<double>(sums_.size()); }

  double log_likelihood() const { return log_likelihood_ / weight_.sum(); }
  // The M step; a component that no point belongs to stays as it is.
  void improve(Mixture& mixture, const Eigen::RowVectorXd& floor) const {
    mixture.shares = weight_ / weight_.sum();
    for (Index k = 0; k < weight_.size(); ++k) {
      if (!(weight_[k] > 0)) continue;
      mixture.means.row(k) = sums_.row(k) / weight_[k];
      mixture.variances.row(k) =
          (squares_.row(k) / weight_[k] - mixture.means.row(k).cwiseAbs2()).cwiseMax(floor);
    }
  }

 private:
  template <class X>
  void add_rows(const Block& block, Index first, const X& x) {
    const RowMajor squared = x.cwiseAbs2();
    RowMajor r = x * log_.b.transpose() + squared * log_.c.transpose();
    r.rowwise() += log_.a;
    for (Index i = 0; i < r.rows(); ++i) {
      const double s = block.weight(first + i), largest = r.row(i).maxCoeff();
      r.row(i) = (r.row(i).array() - largest).exp();
      const double sum = r.row(i).sum();
      log_likelihood_ += s * (largest + std::log(sum));
      r.row(i) *= s / sum;
    }
    weight_ += r.colwise().sum().transpose();
    sums_.noalias() += r.transpose() * x;
    squares_.noalias() += r.transpose() * squared;
  }

  LogDensities log_;
  double log_likelihood_ = 0;
  Eigen::VectorXd weight_;
  RowMajor sums_, squares_;
};

// The clusters as components.
Mixture from_clusters(const Points& points, const KMeans& clusters, const Eigen::RowVectorXd& floor) {
  Mixture mixture;
  const double total = clusters.weight.sum();
  mixture.shares = clusters.weight / total;
  mixture.means = clusters.centers;
  mixture.variances = RowMajor::Zero(clusters.centers.rows(), points.cols());
  for (Index i = 0; i < points.rows(); ++i) {
    const Index k = clusters.nearest[static_cast<std::size_t>(i)];
    mixture.variances.row(k) += points.weight(i) * (points.x.row(i) - mixture.means.row(k)).cwiseAbs2();
  }
  for (Index k = 0; k < mixture.means.rows(); ++k)
    if (clusters.weight[k] > 0) mixture.variances.row(k) /= clusters.weight[k];
  mixture.variances = mixture.variances.array().max(floor.replicate(mixture.means.rows(), 1).array());
  return mixture;
}

}  // namespace

Mixture fit_mixture(const Points& points, const MixtureOptions& options) {
  const PointSource source(points);
  const ColumnSummary columns = column_summary(source, options.monitor);
  Eigen::RowVectorXd floor = variance_floor * columns.deviation.cwiseAbs2().transpose();
  for (Index j = 0; j < floor.size(); ++j)
    if (!(floor[j] > 0)) floor[j] = 1;  // a constant column, which says nothing
  const KMeans clusters =
      kmeans(points, {.centers = options.components, .seed = options.seed, .monitor = options.monitor});
  Mixture mixture = from_clusters(points, clusters, floor);
  mixture.interrupted = clusters.interrupted;
  for (Index t = 0; t < options.max_iter && !mixture.converged; ++t) {
    const Expectation pass = last_fold(source, Expectation(mixture), options.monitor, mixture.interrupted);
    const double now = pass.log_likelihood();
    const bool settled = t > 0 && now - mixture.log_likelihoods.back() <= options.tol;
    mixture.log_likelihoods.push_back(now);
    if (mixture.interrupted) break;
    mixture.converged = settled;
    if (!mixture.converged) pass.improve(mixture, floor);
  }
  return mixture;
}

}  // namespace discern
