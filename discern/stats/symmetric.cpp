#include "discern/stats/symmetric.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

namespace discern {
namespace {

// Pivots of a unit-diagonal matrix above this leave at least half of the digits.
constexpr double safe_pivot = 1e-6;

Eigen::VectorXd unit_scale(const Eigen::MatrixXd& s) {
  Eigen::VectorXd scale = s.diagonal().cwiseMax(0.0).cwiseSqrt();
  for (Index j = 0; j < scale.size(); ++j)
    if (!(scale[j] > 0)) scale[j] = 1;
  return scale;
}

Eigen::MatrixXd unit_diagonal(const Eigen::MatrixXd& s, const Eigen::VectorXd& scale) {
  Eigen::MatrixXd full = s.selfadjointView<Eigen::Lower>();
  return scale.cwiseInverse().asDiagonal() * full * scale.cwiseInverse().asDiagonal();
}

// Eigenvalues up to this are rounding.
double flatness(const Eigen::VectorXd& eigenvalues) {
  return eigenvalues.maxCoeff() * 1e-14 * static_cast<double>(eigenvalues.size());
}

bool keeps_digits(const Eigen::LLT<Eigen::MatrixXd>& cholesky) {
  return cholesky.info() == Eigen::Success && cholesky.matrixLLT().diagonal().minCoeff() > safe_pivot;
}

}  // namespace

SemidefiniteFactor::SemidefiniteFactor(const Eigen::MatrixXd& s, double flat)
    : scale_(unit_scale(s)),
      unit_(unit_diagonal(s, scale_)),
      cholesky_(unit_),
      flat_(s.rows(), 0),
      rank_(s.rows()) {
  regular_ = keeps_digits(cholesky_);
  if (regular_) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(unit_);
  const double zero = std::max(flatness(eigen.eigenvalues()), flat * eigen.eigenvalues().maxCoeff());
  rank_ = (eigen.eigenvalues().array() > zero).count();
  flat_ = eigen.eigenvectors().leftCols(s.rows() - rank_);
  basis_ = eigen.eigenvectors().rightCols(rank_);
  eigenvalues_ = eigen.eigenvalues().tail(rank_);
}

SemidefiniteSolution SemidefiniteFactor::solve(const Eigen::MatrixXd& m) const {
  const Eigen::MatrixXd right = scale_.cwiseInverse().asDiagonal() * m;
  SemidefiniteSolution solution{{}, rank_, 0, regular_};
  Eigen::MatrixXd reached = right;
  if (regular_) {
    solution.x = cholesky_.solve(right);
    solution.x += cholesky_.solve(right - unit_ * solution.x);
  } else {
    const Eigen::MatrixXd coordinates = basis_.transpose() * right;
    solution.x = basis_ * (eigenvalues_.cwiseInverse().asDiagonal() * coordinates);
    reached = basis_ * coordinates;
  }
  const double size = reached.norm();
  solution.residual = size > 0 ? (unit_ * solution.x - reached).norm() / size : 0;
  solution.x = scale_.cwiseInverse().asDiagonal() * solution.x;
  return solution;
}

Cholesky::Cholesky(const Eigen::MatrixXd& s) : factor_(s) {}
Eigen::MatrixXd Cholesky::solve(const Eigen::MatrixXd& m) const { return factor_.solve(m); }
Eigen::VectorXd Cholesky::solve(const Eigen::VectorXd& m) const { return factor_.solve(m); }
double Cholesky::log_determinant() const { return 2 * factor_.matrixLLT().diagonal().array().log().sum(); }

SemidefiniteSolution solve_semidefinite(const Eigen::MatrixXd& s, const Eigen::MatrixXd& m) {
  return SemidefiniteFactor(s).solve(m);
}

Spectrum spectrum(const Eigen::MatrixXd& s) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(s);
  return {eigen.eigenvalues().reverse(), eigen.eigenvectors().rowwise().reverse()};
}

Eigen::MatrixXd range_whitening(const Eigen::MatrixXd& s) {
  if (const auto whole = whitening(s)) return whole->transpose();
  const Eigen::VectorXd scale = unit_scale(s);
  const Spectrum unit = spectrum(unit_diagonal(s, scale));
  const Index rank = (unit.values.array() > flatness(unit.values)).count();
  return scale.cwiseInverse().asDiagonal() * unit.vectors.leftCols(rank) *
         unit.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

// S = D C D with unit diagonal C = L L', so A = L^-1 D^-1.
std::optional<Eigen::MatrixXd> whitening(const Eigen::MatrixXd& s) {
  if (!(s.diagonal().minCoeff() > 0)) return std::nullopt;
  const Eigen::VectorXd scale = unit_scale(s);
  const Eigen::LLT<Eigen::MatrixXd> cholesky(unit_diagonal(s, scale));
  if (!keeps_digits(cholesky)) return std::nullopt;
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(s.rows(), s.rows());
  cholesky.matrixL().solveInPlace(inverse);
  return inverse * scale.cwiseInverse().asDiagonal();
}

}  // namespace discern
