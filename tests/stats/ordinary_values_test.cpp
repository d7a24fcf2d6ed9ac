#include "discern/stats/ordinary_values.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "discern/stats/fold.hpp"
#include "tests/support/problems.hpp"

namespace discern::ordinary_values_test {
namespace {

RowMajor many_with(double value) {
  RowMajor x = RowMajor::Constant(5000, 3, -2.5);
  x(4321, 1) = value;
  return x;
}

bool ordinary(const Features& x) { return fold(MemorySource(x, Targets{}), OrdinaryValues()).all(); }

TEST(OrdinaryValues, AreZeroOrOfASizeWhoseSquaresAreFarFromTheLimits) {
  for (const double value : {0.0, -0.0, 1e-100, -1e-100, 1e100, -1e100, 3.0})
    EXPECT_TRUE(ordinary(support::dense_features(many_with(value)))) << value;
}

TEST(OrdinaryValues, OneOtherAmongManyIsSeenDenseAndSparse) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {1e-101, -1e-101, 5e-324, 1e101, -1e101, infinity, -infinity,
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(ordinary(support::dense_features(many_with(value)))) << value;
    EXPECT_FALSE(ordinary(support::sparse_features(many_with(value)))) << value;
  }
}

TEST(OrdinaryValues, TheSampleWeightsAreSummedUp) {
  const Features x = support::dense_features(many_with(1));
  Targets targets;
  EXPECT_EQ(fold(MemorySource(x, targets), OrdinaryValues()).weight(), 5000);
  targets.weights.assign(5000, 0.25);
  targets.weights[17] = 3;
  EXPECT_EQ(fold(MemorySource(x, targets), OrdinaryValues()).weight(), 4999 * 0.25 + 3);
}

}  // namespace
}  // namespace discern::ordinary_values_test
