// Covariances of fewer rows than features, from the products of the rows with one another: with the rows
// sqrt(s_i) (x_i - m)' of Z (n x d), the scatter Z'Z has the eigenvalues of Z Z' = U L U', which is n x n,
// and the eigenvectors Z'U L^(-1/2). Nothing of d x d is made: 400 rows of 10,304 features take 33 MB where
// their scatter takes 850, and a second where its eigenvectors take an hour. As with the scatter, the digits
// lost are those of the square of the condition number.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "discern/model/gaussian/shrinkage.hpp"
#include "discern/model/shape/training.hpp"
#include "discern/stats/block.hpp"
#include "discern/stats/symmetric.hpp"

namespace discern {

// Whether a fit is made from its rows: there are fewer of them than features, they fit into memory, all
// classes have some, and no statistics are wanted, which are those of the features.
bool fewer_rows_than_features(const Training& training);

// All rows, dense, in memory.
struct ClassRows {
  enum class About { mean, class_means };

  RowMajor rows;  // n x d: sqrt(s_i) (x_i - m), or less the mean of the class
  std::vector<std::int32_t> labels;
  Vector row_weights;     // s_i
  Vector roots;           // sqrt(s_i)
  Vector weights;         // of the classes
  RowMajor means;         // classes x d: m_k - m
  ColumnSummary columns;  // with m as mean

  Index classes() const { return means.rows(); }
  // Of values z_i of the rows, sqrt(s_i) times what belongs to row i: the means of the classes.
  RowMajor class_means(const RowMajor& z) const;
  // ... and what is left of the values without them.
  RowMajor within(const RowMajor& z) const;
};
ClassRows class_rows(const Training& training, ClassRows::About about);

// The products Z Z' of rows with one another. Throws Code::interrupted when the monitor asks to stop.
Eigen::MatrixXd row_products(const RowMajor& rows, const Monitor& monitor);

// How many eigenvalues, largest first, of a matrix of `size` x `size` are more than rounding.
Index rank_of(const Vector& eigenvalues, Index size);

// S x = m for the covariance S within the classes of rows about the means of their classes, as
// SemidefiniteFactor solves it: S is brought to a unit diagonal, and directions in which it is zero get no
// part of x. Uses up the rows. `diagonal` is that of S. With shrinkage S has a part Delta on its diagonal
// besides the rows A,
//
//   (A'A + Delta)^-1 = Delta^-1/2 (I - B'(I + B B')^-1 B) Delta^-1/2,     B = A Delta^-1/2
//
// It is not solved, and only the diagonal is there, where Delta is so small beside it that this would lose its
// digits.
struct RowSolution {
  bool solved = false;
  Vector diagonal;
  SemidefiniteSolution inverse;
};
RowSolution solve_among_rows(ClassRows& rows, const Shrinkage& shrinkage, Divisor divisor,
                             const Monitor& monitor);

}  // namespace discern
