#include "discern/stats/class_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/stats/fold.hpp"

namespace discern::class_sums_test {
namespace {

// Rows (2, 0, 1), (0, 3, 0), (4, 0, last), (0, 0, 5) of the classes 0, 1, 0, 1.
Features rows(double last) {
  return SparseMatrix<double>{Buffer<double>(std::vector<double>{2, 1, 3, 4, last, 5}),
                              Buffer<std::uint32_t>(std::vector<std::uint32_t>{0, 2, 1, 0, 2, 2}),
                              Buffer<std::int64_t>(std::vector<std::int64_t>{0, 2, 3, 5, 6}), 4, 3};
}

ClassSums sums(double last, bool counts, std::vector<double> weights = {}) {
  const Features x = rows(last);
  Targets targets;
  targets.labels = {0, 1, 0, 1};
  targets.weights = std::move(weights);
  return fold(MemorySource(x, targets), ClassSums(2, 3, counts));
}

TEST(ClassSums, AreWeightedSumsOfTheColumns) {
  const ClassSums plain = sums(7, true), weighted = sums(7, true, {1, 2, 0, 0.5});
  EXPECT_EQ(plain.sums(), (RowMajor(2, 3) << 6, 0, 8, 0, 3, 5).finished());
  EXPECT_EQ(plain.weights(), Eigen::Vector2d(2, 2));
  EXPECT_TRUE(plain.whole() && plain.positive());
  EXPECT_EQ(plain.highest(), 7);
  EXPECT_EQ(weighted.sums(), (RowMajor(2, 3) << 2, 0, 1, 0, 6, 2.5).finished());
  EXPECT_EQ(weighted.weights(), Eigen::Vector2d(1, 2.5));
}

TEST(ClassSums, TellWhatTheNumbersAre) {
  EXPECT_FALSE(sums(0.5, true).whole());
  EXPECT_TRUE(sums(0.5, false).positive());
  EXPECT_EQ(sums(0.5, false).sums()(0, 2), 1.5);
  EXPECT_FALSE(sums(-1, false).positive());
  EXPECT_FALSE(sums(1e200, false).positive());
  EXPECT_FALSE(sums(1e-200, false).positive());
}

// So many columns that a fold would have two lanes, and no class half of the rows.
TEST(ClassSums, ClassByClassAreThoseOfAFold) {
  Random random(3);
  constexpr Index count = 3000, columns = 200000, classes = 6;
  std::vector<double> values;
  std::vector<std::uint32_t> places;
  std::vector<std::int64_t> starts{0};
  Targets targets;
  for (Index i = 0; i < count; ++i) {
    for (Index j = static_cast<Index>(random.below(1000)); j < columns;
         j += 1 + static_cast<Index>(random.below(40000))) {
      values.push_back(static_cast<double>(1 + random.below(9)));
      places.push_back(static_cast<std::uint32_t>(j));
    }
    starts.push_back(static_cast<std::int64_t>(values.size()));
    targets.labels.push_back(static_cast<std::int32_t>(random.below(classes - 1)));  // none of the last
    targets.weights.push_back(static_cast<double>(random.below(3)));
  }
  const Features x =
      SparseMatrix<double>{Buffer<double>(std::move(values)), Buffer<std::uint32_t>(std::move(places)),
                           Buffer<std::int64_t>(std::move(starts)), count, columns};
  const MemorySource source(x, targets);
  const ClassSums by_class = class_sums(source, classes, true, {});
  const ClassSums folded = fold(source, ClassSums(classes, columns, true));
  EXPECT_EQ(by_class.sums(), folded.sums());
  EXPECT_EQ(by_class.weights(), folded.weights());
  EXPECT_EQ(by_class.highest(), 9);
  EXPECT_TRUE(by_class.whole() && by_class.positive());
  EXPECT_THROW(class_sums(source, classes, true, [](const Progress&) { return false; }), Error);
}

TEST(ClassSums, MergedPartsEqualTheWhole) {
  ClassSums whole = sums(7, true);
  const ClassSums again = whole, empty(2, 3, true);
  whole.merge(empty);
  EXPECT_EQ(whole.sums(), again.sums());
  ClassSums from_nothing = empty;
  from_nothing.merge(again);
  from_nothing.merge(again);
  EXPECT_EQ(from_nothing.sums(), 2 * again.sums());
  EXPECT_EQ(from_nothing.weights(), 2 * again.weights());
  whole.merge(sums(0.5, true));
  EXPECT_FALSE(whole.whole());
}

}  // namespace
}  // namespace discern::class_sums_test
