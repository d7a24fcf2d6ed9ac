// A factor that is kept while rows and columns come and go.
#include "discern/stats/updated_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "discern/base/random.hpp"

namespace discern::updated_cholesky_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd numbers(Random& random, Index rows, Index cols) {
  MatrixXd x(rows, cols);
  for (double& value : x.reshaped()) value = random.normal();
  return x;
}

TEST(UpdatedCholesky, SolvesAsANewFactorDoesWhateverCameAndWent) {
  Random random(1);
  const MatrixXd z = numbers(random, 60, 40), h = z.transpose() * z;
  UpdatedCholesky factor;
  std::vector<bool> in(40, true);
  for (int round = 0; round < 50; ++round) {
    for (int flip = 0; flip < round % 7; ++flip) {
      const auto at = static_cast<std::size_t>(random.below(40));
      in[at] = !in[at];
    }
    std::vector<Index> indices;
    for (Index j = 0; j < 40; ++j)
      if (in[static_cast<std::size_t>(j)]) indices.push_back(j);
    ASSERT_TRUE(factor.cover(h, indices));
    const std::vector<Index>& order = factor.order();
    ASSERT_EQ(order.size(), indices.size());
    const VectorXd right = numbers(random, static_cast<Index>(order.size()), 1);
    const VectorXd exact = MatrixXd(h(order, order)).llt().solve(right);
    EXPECT_LT((factor.solve(right) - exact).norm(), 1e-9 * exact.norm()) << round;
  }
}

TEST(UpdatedCholesky, RefusesAPartThatIsSingular) {
  Random random(2);
  MatrixXd z = numbers(random, 20, 5);
  z.col(4) = z.col(0) + z.col(1);
  const MatrixXd h = z.transpose() * z;
  UpdatedCholesky factor;
  EXPECT_TRUE(factor.cover(h, {0, 1, 2, 3}));
  EXPECT_FALSE(factor.cover(h, {0, 1, 2, 3, 4}));
  EXPECT_TRUE(factor.cover(h, {1, 2, 3, 4}));
}

}  // namespace
}  // namespace discern::updated_cholesky_test
