// A mixture of Gaussians with diagonal covariances, by expectation maximisation:
//
//   p(x) = sum_k P_k prod_j N(x_j; m_kj, v_kj)
//
//   E   r_ik = P_k N_k(x_i) / p(x_i)
//   M   P_k = sum_i s_i r_ik / sum_i s_i,   m_k and v_k: mean and variance with the weights s_i r_ik
//
// in logarithms, so that densities of any size do. A variance is never below 1e-3 of the column's variance
// over all points (the M step under that bound, so the likelihood still never falls): components cannot
// collapse on a point, nor on a column that is constant among their points. It starts from the clusters of
// k-means.
//
// It ends when the mean log-likelihood of a point rises by less than `tol`, or with the components so far
// when the monitor stops it.
#pragma once

#include "discern/cluster/points.hpp"

namespace discern {

struct MixtureOptions {
  Index components = 8;
  std::uint64_t seed = 0;
  double tol = 1e-4;
  Index max_iter = 100;
  Monitor monitor = {};
};

struct Mixture {
  Eigen::VectorXd shares;               // P
  RowMajor means, variances;            // components x columns
  std::vector<double> log_likelihoods;  // mean over the points, at each iteration
  bool converged = false;
  bool interrupted = false;

  Index iterations() const { return static_cast<Index>(log_likelihoods.size()); }
};

constexpr double variance_floor = 1e-3;  // of the column's variance

Mixture fit_mixture(const Points& points, const MixtureOptions& options);

}  // namespace discern
