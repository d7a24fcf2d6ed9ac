#include "discern/api/projection.hpp"

#include <gtest/gtest.h>

#include "tests/api/problems.hpp"

namespace discern::api_projection_test {
namespace {

using api_test::gaussian_problem;
using api_test::Sample;

// Along the directions the classes have unit covariance, and the components are uncorrelated within them.
TEST(Projection, MakesTheCovarianceWithinTheClassesTheIdentity) {
  const Sample sample = gaussian_problem(300, 4, 3);
  const ProjectionResult found = project(sample.x, sample.y);
  ASSERT_EQ(found.directions.rows(), 2);
  const Eigen::MatrixXd z = (sample.x.rowwise() - found.center.transpose()) * found.directions.transpose();
  Eigen::MatrixXd scatter = Eigen::MatrixXd::Zero(2, 2);
  for (Index i = 0; i < z.rows(); ++i) {
    const Eigen::VectorXd d = (z.row(i) - found.means.row(sample.y[static_cast<std::size_t>(i)])).transpose();
    scatter += d * d.transpose();
  }
  EXPECT_TRUE((scatter / (300 - 3)).isApprox(Eigen::MatrixXd::Identity(2, 2), 1e-9));
  EXPECT_GE(found.ratios[0], found.ratios[1]);
  EXPECT_NEAR(found.explained.sum(), 1, 1e-12);
}

TEST(Projection, HasAsManyComponentsAsAskedFor) {
  const Sample sample = gaussian_problem(300, 4, 3);
  EXPECT_EQ(project(sample.x, sample.y, {.components = 1}).directions.rows(), 1);
}

}  // namespace
}  // namespace discern::api_projection_test
