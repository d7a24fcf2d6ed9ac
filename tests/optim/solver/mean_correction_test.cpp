// Dividing by a Hessian that the means of the features tie together, against the matrix itself.
#include "discern/optim/solver/mean_correction.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "discern/base/random.hpp"

namespace discern::mean_correction_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Tied {
  MatrixXd h;
  VectorXd sums, diagonal, l2;
};

// Features with these sums, C diagonal, a bias first where there is one.
Tied tied(bool bias, double weight, double l2_of_bias) {
  constexpr Index size = 7;
  Random random(4);
  Tied made{MatrixXd::Zero(size, size), VectorXd::Zero(size), {}, VectorXd::Constant(size, 0.3)};
  VectorXd m(size);
  for (Index j = 0; j < size; ++j) {
    m[j] = 1 + random.uniform();
    made.h(j, j) = 1 + random.uniform() + made.l2[j];
  }
  if (bias) {
    made.l2[0] = l2_of_bias;
    made.h(0, 0) = l2_of_bias;
    m[0] = 1;
  }
  made.h += weight * m * m.transpose();
  made.sums = weight * m;
  made.diagonal = made.h.diagonal();
  return made;
}

void expect_inverse(const Tied& made, bool bias, double weight, const VectorXd& mask) {
  VectorXd centered = made.diagonal;
  const MeanCorrection all(made.sums, weight, bias, made.l2, centered);
  ASSERT_TRUE(all.any());
  MeanCorrection means = all.among(mask);
  const auto inverse = [&](const VectorXd& r) -> VectorXd { return r.cwiseQuotient(centered); };
  means.set_inverse(inverse);
  VectorXd r = VectorXd::LinSpaced(mask.size(), -1, 2).cwiseProduct(mask);
  const VectorXd z = means.solve(r, inverse);
  // Nothing leaves the coordinates of the mask, and among them H z = r.
  EXPECT_EQ(z.cwiseProduct(mask), z);
  EXPECT_LT(((made.h * z).cwiseProduct(mask) - r).norm(), 1e-9 * r.norm());
}

TEST(MeanCorrection, DividesByTheHessianOfFeaturesThatAreNotCentred) {
  for (const double weight : {0.5, 200.0})
    for (const double l2_of_bias : {0.0, 1.0, 1e6})
      expect_inverse(tied(true, weight, l2_of_bias), true, weight, VectorXd::Ones(7));
  expect_inverse(tied(false, 200, 0), false, 200, VectorXd::Ones(7));
}

TEST(MeanCorrection, DividesByItAmongSomeCoordinates) {
  VectorXd mask = VectorXd::Ones(7);
  mask[3] = mask[5] = 0;
  expect_inverse(tied(true, 20, 2), true, 20, mask);
  expect_inverse(tied(false, 20, 0), false, 20, mask);
  mask[0] = 0;  // the bias is held, too
  expect_inverse(tied(true, 20, 2), true, 20, mask);
}

TEST(MeanCorrection, IsNoneWhereNoRowIsCurved) {
  VectorXd diagonal = VectorXd::Ones(3);
  const MeanCorrection none(VectorXd::Zero(3), 0, true, VectorXd::Ones(3), diagonal);
  EXPECT_FALSE(none.any());
  EXPECT_EQ(diagonal, VectorXd::Ones(3));
}

}  // namespace
}  // namespace discern::mean_correction_test
