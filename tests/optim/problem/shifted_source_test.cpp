// Sparse rows with some features moved: what is stored, and what is not.
#include "discern/optim/problem/shifted_source.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"

namespace discern::shifted_source_test {
namespace {

using Eigen::VectorXd;

// Rows 2 x 4: [5 0 0 1] and [0 0 3 0].
const SparseMatrix<float> rows{Buffer<float>(std::vector<float>{5, 1, 3}),
                               Buffer<std::uint32_t>(std::vector<std::uint32_t>{0, 3, 2}),
                               Buffer<std::int64_t>(std::vector<std::int64_t>{0, 2, 3}), 2, 4};

TEST(ShiftedSource, TakesTheShiftOffZerosThatAreNotStoredToo) {
  const Features x = rows;
  const Targets targets{{1, 0}, {}, {2, 3}};
  const MemorySource source(x, targets);
  const ShiftedSource shifted(source, VectorXd{{4, 0, -1, 0}});
  Scratch scratch;
  const Block block = shifted.block(0, scratch);
  ASSERT_TRUE(is_sparse(block.x));
  EXPECT_EQ(std::get<SparseRows<double>>(block.x).row(0).size, 3);
  EXPECT_EQ(std::get<SparseRows<double>>(block.x).row(1).size, 2);
  RowMajor dense;
  dense_rows(block.x, {}, {}, dense);
  EXPECT_EQ(dense, (RowMajor{{1, 0, 1, 1}, {-4, 0, 4, 0}}));
  EXPECT_EQ(block.labels[0], 1);
  EXPECT_EQ(block.weight(1), 3);
  std::vector<long double> extended;
  shifted.extended(0, 2, extended);
  EXPECT_EQ(extended, (std::vector<long double>{1, 0, 1, 1, -4, 0, 4, 0}));
}

TEST(ShiftedSource, ReplacesTheCentreOfSparseRowsAlone) {
  const Features x = rows;
  const Targets targets{{1, 0}, {}, {}};
  const MemorySource source(x, targets);
  Problem problem;
  problem.source = &source;
  problem.scaling.center = VectorXd{{4, 0, 0, 0}};
  std::optional<ShiftedSource> shifted;
  shift_sparse_rows(problem, shifted);
  ASSERT_TRUE(shifted);
  EXPECT_EQ(problem.source, &*shifted);
  EXPECT_EQ(problem.scaling.center.size(), 0);
  EXPECT_EQ(problem.scaling.at_zero()[0], 4);

  const Features dense = DenseMatrix<double>{Buffer<double>(std::vector<double>{1, 2}), 2, 1};
  const MemorySource other(dense, targets);
  problem = Problem{};
  problem.source = &other;
  problem.scaling.center = VectorXd{{1.5}};
  shifted.reset();
  shift_sparse_rows(problem, shifted);
  EXPECT_FALSE(shifted);
  EXPECT_EQ(problem.source, &other);
  EXPECT_EQ(problem.scaling.at_zero()[0], 1.5);
}

// A feature of zeros and ones, 99.5 % of them ones, is far from zero; one of which half are is not.
TEST(ShiftedSource, IsForFeaturesFarFromZero) {
  ColumnSummary moments;
  moments.weight = 1000;
  moments.mean = VectorXd{{0.995, 0.5, 3, 1e9, -1e9}};
  moments.deviation = VectorXd{{std::sqrt(0.995 * 0.005), 0.5, 0, 1, 1}};
  moments.one_value = {false, false, true, false, false};
  const Scaling sparse = scaling_of(moments, true, {});
  EXPECT_EQ(sparse.center, (VectorXd{{0.995, 0, 0, 1e9, -1e9}}));
  EXPECT_EQ(scaling_of(moments, true, {false, false, {}}).center.size(), 0);
  EXPECT_EQ(scaling_of(moments, false, {}).center, moments.mean);
}

}  // namespace
}  // namespace discern::shifted_source_test
