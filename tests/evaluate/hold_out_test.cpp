// Rows set aside: how many, from which classes, whole groups, the last in time.
#include "discern/evaluate/hold_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"

namespace discern::hold_out_test {
namespace {

FoldRows sample(Index count) {
  FoldRows rows{count, {}, {}};
  Random random(1);
  for (Index i = 0; i < count; ++i) {
    rows.labels.push_back(random.uniform() < 0.1 ? 2 : static_cast<std::int32_t>(random.below(2)));
    rows.groups.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(count / 8))));
  }
  return rows;
}

std::vector<double> counts(const FoldRows& rows, const std::vector<Index>& part) {
  std::vector<double> result(3);
  for (const Index i : part) ++result[static_cast<std::size_t>(rows.labels[static_cast<std::size_t>(i)])];
  return result;
}

std::vector<Index> everything(Index count) {
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back(i);
  return rows;
}

TEST(HoldOut, TakesExactlySoManyRowsInTheirOrder) {
  for (const Index test : {1, 37, 99}) {
    const auto part = hold_out({100, {}, {}}, test, 5);
    EXPECT_EQ(static_cast<Index>(part.size()), test);
    EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
    EXPECT_TRUE(std::adjacent_find(part.begin(), part.end()) == part.end());
  }
}

TEST(HoldOut, DependsOnTheSeedAndOnNothingElse) {
  const FoldRows rows = sample(200);
  EXPECT_EQ(hold_out(rows, 50, 3), hold_out(rows, 50, 3));
  EXPECT_NE(hold_out(rows, 50, 3), hold_out(rows, 50, 4));
  EXPECT_NE(hold_out({200, {}, {}}, 50, 3), hold_out({200, {}, {}}, 50, 4));
}

TEST(HoldOut, EveryClassGivesItsShareToARow) {
  FoldRows rows = sample(500);
  rows.groups.clear();
  const auto all = counts(rows, everything(500));
  for (const Index test : {10, 125, 250, 493}) {
    const auto part = hold_out(rows, test, 7);
    ASSERT_EQ(static_cast<Index>(part.size()), test);
    const auto held = counts(rows, part);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_LT(std::abs(held[c] - all[c] * static_cast<double>(test) / 500), 1) << test << ' ' << c;
  }
}

TEST(HoldOut, GroupsStayWholeAndThePartIsAboutAsLargeAsWanted) {
  FoldRows rows = sample(800);
  for (const bool stratified : {false, true}) {
    FoldRows known = rows;
    if (!stratified) known.labels.clear();
    const auto part = hold_out(known, 200, 7);
    EXPECT_NEAR(static_cast<double>(part.size()), 200, 15);
    std::set<std::int32_t> inside;
    std::set<Index> held(part.begin(), part.end());
    for (const Index i : part) inside.insert(rows.groups[static_cast<std::size_t>(i)]);
    for (Index i = 0; i < 800; ++i) {
      const bool group_inside = inside.count(rows.groups[static_cast<std::size_t>(i)]) > 0;
      EXPECT_EQ(held.count(i) > 0, group_inside) << i;
    }
    if (!stratified) continue;
    const auto all = counts(rows, everything(800)), of_part = counts(rows, part);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(of_part[c] / all[c], 0.25, 0.05) << c;
  }
}

TEST(HoldOut, TwoGroupsAreOneForEachPart) {
  const auto part = hold_out({5, {}, {0, 0, 0, 0, 1}}, 1, 0);
  EXPECT_EQ(part, std::vector<Index>{4});
  EXPECT_THROW(hold_out({3, {}, {0, 0, 0}}, 1, 0), Error);
}

TEST(HoldOut, TheLastInTimeAreTheTestAndATimeIsOnOneSide) {
  EXPECT_EQ(hold_out_last({5, 1, 4, 2, 3}, 2), (std::vector<Index>{0, 2}));
  // Two rows are wanted; the nearest cut that divides no time is before the three of time 2.
  EXPECT_EQ(hold_out_last({1, 2, 1, 2, 2, 1}, 2), (std::vector<Index>{1, 3, 4}));
  EXPECT_THROW(hold_out_last({1, 1, 1}, 1), Error);
}

TEST(HoldOut, RefusesAPartThatLeavesNothing) {
  EXPECT_THROW(hold_out({3, {}, {}}, 3, 0), Error);
  EXPECT_THROW(hold_out({3, {}, {}}, 0, 0), Error);
  EXPECT_THROW(hold_out({1, {}, {}}, 1, 0), Error);
}

}  // namespace
}  // namespace discern::hold_out_test
