#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "discern/loss/all.hpp"

namespace discern::losses_test {
namespace {

class EveryLoss : public ::testing::TestWithParam<NamedLoss> {};

INSTANTIATE_TEST_SUITE_P(List, EveryLoss, ::testing::ValuesIn(two_class_losses), [](const auto& test) {
  std::string name;
  for (const char c : test.param.name) name += c == '-' ? '_' : c;
  return name;
});

// Scores away from the kinks at margins 0 and 1.
constexpr double scores[] = {-30.0, -3.0, -0.6, -0.1, 0.2, 0.7, 1.5, 5.0, 20.0};

TEST_P(EveryLoss, SlopeIsTheDerivativeOfTheValue) {
  const NamedLoss& loss = GetParam();
  const double h = 1e-5;
  for (const double y : {-1.0, 1.0})
    for (const double g : scores) {
      const double slope = (loss.at(g + h, y).value - loss.at(g - h, y).value) / (2 * h);
      EXPECT_NEAR(loss.at(g, y).slope, slope, 1e-8 * std::max(1.0, std::fabs(slope))) << g << " " << y;
    }
}

TEST_P(EveryLoss, CurvatureIsTheDerivativeOfTheSlopeOrTheGaussNewtonBound) {
  const NamedLoss& loss = GetParam();
  const bool unit = loss.name == "tanh-unit" || loss.name == "logistic-unit";
  const double h = 1e-5;
  for (const double y : {-1.0, 1.0})
    for (const double g : scores) {
      const Derivatives at = loss.at(g, y);
      EXPECT_GE(at.curvature, 0);
      if (unit) {  // f'^2, with L' = (f - y) f' and L = 1/2 (f - y)^2, so L'^2 = 2 L f'^2
        EXPECT_NEAR(2 * at.value * at.curvature, at.slope * at.slope, 1e-12);
        continue;
      }
      const double curvature = (loss.at(g + h, y).slope - loss.at(g - h, y).slope) / (2 * h);
      EXPECT_NEAR(at.curvature, curvature, 1e-8) << g << " " << y;
    }
}

TEST_P(EveryLoss, StaysFiniteAndNonNegativeForHugeScores) {
  for (const double y : {-1.0, 1.0})
    for (const double g : {-1e100, -1e6, -1e3, 0.0, 1e3, 1e6, 1e100}) {
      const Derivatives at = GetParam().at(g, y);
      EXPECT_TRUE(std::isfinite(at.value) && std::isfinite(at.slope) && std::isfinite(at.curvature));
      EXPECT_GE(at.value, 0);
    }
}

TEST_P(EveryLoss, TreatsTheClassesAlike) {
  for (const double g : scores) EXPECT_EQ(GetParam().at(g, 1).value, GetParam().at(-g, -1).value) << g;
}

TEST(Losses, LogisticDividedByLog2AndTheHingesBoundTheMistakesFromAbove) {
  for (const double m : {-4.0, -1.0, -0.3, 0.0, 0.4, 0.9, 3.0}) {
    const double mistake = m < 0 ? 1 : 0;
    EXPECT_GE(LogisticLoss::at(m, 1).value / std::log(2.0), mistake);
    EXPECT_GE(HingeLoss::at(m, 1).value, mistake);
    EXPECT_GE(SquaredHingeLoss::at(m, 1).value, mistake);
    EXPECT_EQ(ZeroOneLoss::at(m, 1).value, mistake);
  }
}

TEST(Losses, LogisticWithTargetsOfOneAndMinusOneEqualsTheCrossEntropyOfZeroAndOne) {
  for (const double g : {-8.0, -1.0, 0.0, 0.5, 12.0}) {
    const double p = 1 / (1 + std::exp(-g));
    EXPECT_NEAR(LogisticLoss::at(g, 1).value, -std::log(p), 1e-14 * (1 + std::fabs(g)));
    EXPECT_NEAR(LogisticLoss::at(g, -1).value, -std::log1p(-p), 1e-9 * (1 + std::fabs(g)));
  }
}

TEST(Losses, LogisticIsExactForScoresOfAMillionAndBeyond) {
  for (const double g : {1e3, 1e6, 1e300}) {
    EXPECT_EQ(LogisticLoss::at(g, 1).value, 0.0);
    EXPECT_EQ(LogisticLoss::at(g, -1).value, g);
    EXPECT_EQ(LogisticLoss::at(-g, 1).slope, -1.0);
    EXPECT_EQ(LogisticLoss::at(g, 1).curvature, 0.0);
  }
}

TEST(Losses, SoftmaxOfTwoScoresEqualsTheLogisticLoss) {
  for (const double g : {-1e6, -2.0, 0.0, 3.5, 1e6}) {
    double both[2] = {0, g};
    EXPECT_NEAR(softmax_in_place(both, 2, 1), LogisticLoss::at(g, 1).value, 1e-15 * std::fabs(g));
    EXPECT_NEAR(both[1], sigmoid(g), 1e-15);
    EXPECT_NEAR(both[0] + both[1], 1.0, 1e-15);
  }
}

}  // namespace
}  // namespace discern::losses_test
