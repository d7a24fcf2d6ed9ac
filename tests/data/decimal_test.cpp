#include "discern/data/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "discern/base/random.hpp"

namespace discern::decimal_test {
namespace {

TEST(DecimalValue, IsTheDecimalAndNotItsRoundingToDouble) {
  EXPECT_EQ(decimal_value(0.1), 1.0L / 10);
  EXPECT_EQ(decimal_value(-6.860120914), -6860120914.0L / 1e9L);
  EXPECT_EQ(decimal_value(1.11111), 111111.0L / 1e5L);
  EXPECT_EQ(decimal_value(2.5e-7), 25.0L / 1e8L);
  EXPECT_EQ(decimal_value(123456.789e10), 123456.789e10L);
}

TEST(DecimalValue, KeepsWholeNumbersAndWhatItCannotImprove) {
  for (const double value :
       {0.0, -3.0, 9007199254740993.0, 1e300, 1e-300, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(decimal_value(value), static_cast<long double>(value));
  EXPECT_TRUE(std::isnan(decimal_value(std::numeric_limits<double>::quiet_NaN())));
}

TEST(DecimalValue, RoundsBackToTheSameDouble) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double value = random.normal() * std::pow(10.0, static_cast<double>(random.below(30)) - 15);
    EXPECT_EQ(static_cast<double>(decimal_value(value)), value);
  }
}

}  // namespace
}  // namespace discern::decimal_test
