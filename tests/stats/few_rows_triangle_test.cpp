// Least squares of fewer rows than columns, against the decompositions of the whole matrix.
#include <gtest/gtest.h>

#include <Eigen/QR>

#include "discern/base/random.hpp"
#include "discern/stats/triangle.hpp"

namespace discern::few_rows_triangle_test {
namespace {

using Matrix = Dense<double>;

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Matrix a(rows, columns);
  for (Index i = 0; i < a.size(); ++i) a.data()[i] = random.normal();
  return a;
}

TEST(FewRowsTriangle, LeastNormIsThatOfTheWholeMatrix) {
  for (const bool dependent : {false, true})
    for (const bool in_units : {false, true}) {
      Matrix a = random_matrix(12, 15, 1);
      if (dependent) {
        a.row(11) = a.row(3) - 2 * a.row(4);
        a.col(14) = a.col(2);
      }
      const Matrix y = a * random_matrix(15, 3, 2);
      Matrix units(15, 1);
      for (Index j = 0; j < 15; ++j) units(j, 0) = 1 + 0.3 * static_cast<double>(j);
      const Matrix some = in_units ? units : Matrix();
      const auto few = least_norm_of_few_rows<double>(a, y, 1e-12, some);
      const auto whole = least_norm<double>(a, y, 1e-12, 0, some);
      EXPECT_EQ(few.rank, dependent ? 11 : 12);
      EXPECT_EQ(few.rank, whole.rank);
      EXPECT_LT((few.x - whole.x).norm(), 1e-11 * whole.x.norm()) << dependent << in_units;
      EXPECT_LT((a * few.x - y).norm(), 1e-12 * y.norm());
    }
}

TEST(FewRowsTriangle, RidgeIsThatOfTheStackedRows) {
  const Matrix a = random_matrix(12, 15, 3), y = random_matrix(12, 2, 4);
  for (const double size : {1e-4, 1.0, 1e3}) {
    Matrix units(15, 1);
    for (Index j = 0; j < 15; ++j) units(j, 0) = size * (1 + 0.3 * static_cast<double>(j));
    Matrix stacked = Matrix::Zero(27, 15), right = Matrix::Zero(27, 2);
    stacked.topRows(12) = a;
    stacked.bottomRows(15) = units.col(0).asDiagonal();
    right.topRows(12) = y;
    const Matrix expected = Eigen::HouseholderQR<Matrix>(stacked).solve(right);
    EXPECT_LT((ridge_of_few_rows<double>(a, y, units) - expected).norm(), 1e-11 * expected.norm()) << size;
  }
}

TEST(FewRowsTriangle, HasNoRowsOfZeros) {
  Features x = DenseMatrix<double>{Buffer<double>(40), 4, 10};
  Random random(5);
  for (Index i = 0; i < 40; ++i) std::get<DenseMatrix<double>>(x).values.data()[i] = random.normal();
  const Targets targets{{0, 1, 0, 1}, {}, {}};
  const MemorySource source(x, targets);
  const Design design{&source, true, {}, 10, 0, [](const Block&, Index, double*) {}};
  Triangle<double> triangle(design);
  Scratch scratch;
  triangle.add(source.block(0, scratch));
  EXPECT_EQ(triangle.rows().rows(), 4);
  EXPECT_EQ(triangle.result().rows(), 11);
  EXPECT_EQ(triangle.result().topRows(4), triangle.rows());
  // As many more as make it full, twice.
  const Matrix more = random_matrix(200, 11, 6);
  const Matrix gram = triangle.rows().transpose() * triangle.rows() + more.transpose() * more;
  triangle.push(more);
  EXPECT_LT((triangle.result().transpose() * triangle.result() - gram).norm(), 1e-12 * gram.norm());
}

}  // namespace
}  // namespace discern::few_rows_triangle_test
