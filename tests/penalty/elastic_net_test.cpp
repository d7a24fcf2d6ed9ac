#include "discern/penalty/elastic_net.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace discern::elastic_net_test {
namespace {

// A number from -range to range in steps of a thousandth of it.
double drawn(double range) { return range * *rc::gen::inRange(-1000, 1001) / 1000; }
ElasticNet drawn_penalty() {
  const double l1 = std::fabs(drawn(3)), l2 = std::fabs(drawn(2));
  return {*rc::gen::arbitrary<bool>() ? l1 : 0.0, *rc::gen::arbitrary<bool>() ? l2 : 0.0};
}

RC_GTEST_PROP(ElasticNet, StepMinimisesTheModelPlusThePenalty, ()) {
  const ElasticNet penalty = drawn_penalty();
  const double at = drawn(4), slope = drawn(5), curvature = 0.01 + std::fabs(drawn(3));
  const auto model = [&](double u) {
    return slope * (u - at) + 0.5 * curvature * (u - at) * (u - at) + penalty.value(u);
  };
  const double best = penalty.step(at, slope, curvature);
  const double value = model(best), rounding = 1e-12 * (1 + std::fabs(value));
  RC_ASSERT(model(0) >= value - rounding);
  for (int k = -100; k <= 100; ++k) {
    RC_ASSERT(model(0.1 * k) >= value - rounding);
    RC_ASSERT(model(best + 1e-4 * k) >= value - rounding);
  }
}

RC_GTEST_PROP(ElasticNet, ResidualIsZeroExactlyAtTheMinimumOfALine, ()) {
  // The loss is a line with this slope: its sum with the penalty is least at u if and only if the residual is
  // zero there.
  const ElasticNet penalty = drawn_penalty();
  const double slope = drawn(5), u = *rc::gen::arbitrary<bool>() ? drawn(4) : 0.0;
  const auto total = [&](double v) { return slope * v + penalty.value(v); };
  const double residual = penalty.residual(u, slope), step = 1e-7;
  const double fall = (total(u) - total(u - (residual > 0 ? step : -step))) / step;
  if (residual == 0)
    for (int k = -100; k <= 100; ++k) RC_ASSERT(total(u + 0.05 * k) >= total(u) - 1e-12);
  else
    RC_ASSERT(std::fabs(fall - std::fabs(residual)) < 1e-5);
}

TEST(ElasticNet, ResidualVanishesWhereTheStepStays) {
  for (const ElasticNet penalty : {ElasticNet{0, 0.5}, ElasticNet{1, 0}, ElasticNet{1, 0.5}})
    for (const double at : {-2.0, -0.1, 0.0, 0.4, 3.0})
      for (const double slope : {-3.0, -0.6, 0.0, 0.9, 1.1}) {
        const double u = penalty.step(at, slope, 2.0);
        EXPECT_NEAR(penalty.residual(u, slope + 2.0 * (u - at)), 0, 1e-14);
      }
}

TEST(ElasticNet, SmallWeightsBecomeExactlyZero) {
  EXPECT_EQ((ElasticNet{1, 0}.step(0.4, 0.0, 2.0)), 0.0);
  EXPECT_EQ((ElasticNet{1, 0}.step(1.0, 0.0, 2.0)), 0.5);
  EXPECT_EQ((ElasticNet{0, 2}.step(1.0, 0.0, 2.0)), 0.5);
}

}  // namespace
}  // namespace discern::elastic_net_test
