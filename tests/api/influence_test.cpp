#include "discern/api/influence.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "tests/api/problems.hpp"

namespace discern::api_influence_test {
namespace {

using api_test::gaussian_problem;
using api_test::refusal;
using api_test::Sample;

// h_i = z_i' (Z'Z)^-1 z_i with z = [1 x].
TEST(ApiInfluence, HasTheLeveragesOfTheHatMatrix) {
  const Sample sample = gaussian_problem();
  const Eigen::VectorXd y = sample.x.col(0) * 2 - sample.x.col(1);
  std::vector<double> numbers(y.data(), y.data() + y.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += std::sin(static_cast<double>(i));
  const FittedModel model = fit_regression(LeastSquares{}, sample.x, numbers);
  const InfluenceResult found = influence_regression(model, sample.x, numbers);
  Eigen::MatrixXd z(sample.x.rows(), 1 + sample.x.cols());
  z << Eigen::VectorXd::Ones(sample.x.rows()), sample.x;
  const Eigen::VectorXd hat = (z * (z.transpose() * z).inverse()).cwiseProduct(z).rowwise().sum();
  EXPECT_TRUE(found.leverage.isApprox(hat, 1e-8));
  EXPECT_NEAR(found.parameters, 5, 1e-9);
}

TEST(ApiInfluence, OfARowWithoutWeightIsNotThere) {
  const Sample sample = gaussian_problem();
  std::vector<double> weights(sample.y.size(), 1.0);
  weights[3] = 0;
  const FittedModel model = fit(Logistic{}, sample.x, sample.y, {.sample_weight = weights});
  const InfluenceResult found = influence(model, sample.x, sample.y, weights);
  EXPECT_TRUE(std::isnan(found.leverage[3]));
  EXPECT_GT(found.leverage[4], 0);
}

TEST(ApiInfluence, RefusesOtherRowsAndOtherModels) {
  const Sample sample = gaussian_problem(), other = gaussian_problem(150, 4, 2, 9);
  const FittedModel model = fit(Logistic{}, sample.x, sample.y);
  EXPECT_NE(refusal([&] { influence(model, other.x, other.y); }).find("rows of the fit"), std::string::npos);
  const FittedModel lda = fit(Lda{}, sample.x, sample.y);
  EXPECT_NE(refusal([&] { influence(lda, sample.x, sample.y); }).find("this is lda"), std::string::npos);
}

}  // namespace
}  // namespace discern::api_influence_test
