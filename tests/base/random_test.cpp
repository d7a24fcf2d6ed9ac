#include "discern/base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace discern::random_test {
namespace {

// xoshiro256++ started from splitmix64(42), computed with an independent implementation in Python's
// integers. A change here breaks every seeded result of every user.
TEST(Random, GivesThePublishedSequence) {
  Random random(42);
  EXPECT_EQ(random.bits(), 0xd0764d4f4476689fULL);
  EXPECT_EQ(random.bits(), 0x519e4174576f3791ULL);
  EXPECT_EQ(random.bits(), 0xfbe07cfb0c24ed8cULL);
}

// From the same implementation: splitmix64 of splitmix64(42) + part. Neighbouring parts, and parts of
// neighbouring seeds, must not meet.
TEST(Random, PartsHaveSeedsOfTheirOwn) {
  EXPECT_EQ(seed_of_part(42, 0), 0x57e1faba65107204ULL);
  EXPECT_EQ(seed_of_part(42, 1), 0xfa4f945599f9054aULL);
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t part = 0; part < 300; ++part) seeds.insert(seed_of_part(seed, part));
  EXPECT_EQ(seeds.size(), 9000U);
}

TEST(Random, NormalHasTheRightMoments) {
  Random random(1);
  const int n = 200000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < n; ++i) {
    const double z = random.normal();
    sum += z;
    squares += z * z;
    fourths += z * z * z * z;
  }
  // Five standard errors: 1/sqrt(n), sqrt(2/n), sqrt(96/n).
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourths / n, 3, 5 * std::sqrt(96.0 / n));
}

TEST(Random, BelowIsUniform) {
  Random random(3);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[random.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 5 * std::sqrt(10000 * 6.0 / 7));
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  Random random(4);
  auto order = random.permutation(1000);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (std::int64_t i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(PortableMath, AgreesWithTheLibraryToTwoUlps) {
  Random random(5);
  for (int i = 0; i < 10000; ++i) {
    const double u = random.uniform() + 1e-12;
    EXPECT_NEAR(portable_log(u), std::log(u), 4.5e-16 * std::fmax(1.0, std::fabs(std::log(u))));
    const double angle = random.uniform(-100, 100);
    const auto [sine, cosine] = portable_sin_cos(angle);
    EXPECT_NEAR(sine, std::sin(angle), 4.5e-16);
    EXPECT_NEAR(cosine, std::cos(angle), 4.5e-16);
  }
}

}  // namespace
}  // namespace discern::random_test
