// Symmetric positive semidefinite systems: covariances and Hessians, which may be singular.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <optional>

#include "discern/data/row.hpp"

namespace discern {

struct SemidefiniteSolution {
  Eigen::MatrixXd x;
  Index rank = 0;       // of S
  double residual = 0;  // |S x - m| / |m| of the part of m that S reaches, in unit-diagonal scale
  bool regular = true;  // S has digits to spare
};

// S, factorised after its diagonal has been brought to one. When S is singular up to rounding, the directions
// in which it is zero get no part of a solution (the pseudo-inverse of the scaled S). Only the lower triangle
// of S is read.
class SemidefiniteFactor {
 public:
  // Zero is what is less than a share of the largest eigenvalue: `flat`, or more where rounding is.
  explicit SemidefiniteFactor(const Eigen::MatrixXd& s, double flat = 0);
  Index rank() const { return rank_; }
  bool regular() const { return regular_; }
  // S x = m, with one step of refinement where S is regular.
  SemidefiniteSolution solve(const Eigen::MatrixXd& m) const;
  // The directions in which S is zero, as columns of length one in unit-diagonal scale; none where S is
  // regular.
  Eigen::MatrixXd flat() const { return scale_.cwiseInverse().asDiagonal() * flat_; }

 private:
  Eigen::VectorXd scale_;
  Eigen::MatrixXd unit_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
  bool regular_ = true;
  Eigen::MatrixXd basis_, flat_;  // eigenvectors that S reaches, when it is not regular, and the others
  Eigen::VectorXd eigenvalues_;   // theirs
  Index rank_ = 0;
};

// The plain Cholesky factor of a symmetric positive definite matrix; compiled once, here, because Eigen's
// takes seconds in every file that uses it.
class Cholesky {
 public:
  explicit Cholesky(const Eigen::MatrixXd& s);
  bool regular() const { return factor_.info() == Eigen::Success; }
  Eigen::MatrixXd solve(const Eigen::MatrixXd& m) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& m) const;  // in half of the time of a matrix of one column
  double log_determinant() const;

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

// The same as SemidefiniteFactor for one right-hand side.
SemidefiniteSolution solve_semidefinite(const Eigen::MatrixXd& s, const Eigen::MatrixXd& m);

// The eigenvalues of a symmetric matrix, largest first, and the eigenvectors as columns. Only the lower
// triangle is read.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
Spectrum spectrum(const Eigen::MatrixXd& s);

// W with W' S W = I and as many columns as S has dimensions up to rounding. All of S is read.
Eigen::MatrixXd range_whitening(const Eigen::MatrixXd& s);

// The lower triangular A with A S A' = I, or nothing when S is singular up to rounding.
std::optional<Eigen::MatrixXd> whitening(const Eigen::MatrixXd& s);

}  // namespace discern
