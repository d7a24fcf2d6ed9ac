#include "discern/evaluate/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "discern/base/error.hpp"

namespace discern::folds_test {
namespace {

using Rows = std::vector<Index>;

// Classes of 7, 20 and 33 rows, mixed.
FoldRows labelled() {
  FoldRows rows{60, {}, {}};
  for (int i = 0; i < 60; ++i) rows.labels.push_back(i % 8 == 1 && i < 56 ? 0 : i % 3 == 0 ? 1 : 2);
  return rows;
}

Index count_of(const FoldRows& rows, const Rows& some, std::int32_t label) {
  return std::count_if(some.begin(), some.end(),
                       [&](Index i) { return rows.labels[static_cast<std::size_t>(i)] == label; });
}

std::string refusal(const FoldRows& rows, const FoldOptions& options, Code code = Code::usage) {
  try {
    make_folds(rows, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.message();
  }
  return "no error";
}

TEST(Folds, TestEveryRowOnceARepeatAndTrainOnTheOthers) {
  const Folds folds = make_folds(labelled(), {.folds = 7, .repeats = 3});
  ASSERT_EQ(folds.count(), 21);
  ASSERT_EQ(folds.per_repeat(), 7);
  for (Index r = 0; r < 3; ++r) {
    Rows tested;
    for (Index k = 7 * r; k < 7 * r + 7; ++k) {
      const Rows test = folds.test(k), train = folds.train(k);
      Rows both;
      std::merge(test.begin(), test.end(), train.begin(), train.end(), std::back_inserter(both));
      EXPECT_EQ(both.size(), 60u);
      EXPECT_EQ(std::set<Index>(both.begin(), both.end()).size(), 60u);
      tested.insert(tested.end(), test.begin(), test.end());
    }
    EXPECT_EQ(std::set<Index>(tested.begin(), tested.end()).size(), 60u);
  }
  EXPECT_NE(folds.test(0), folds.test(7));
}

TEST(Folds, DifferByAtMostOneRowOfAnyClassAndInAll) {
  const FoldRows rows = labelled();
  for (const Index count : {2, 5, 7, 11}) {
    const Folds folds = make_folds(rows, {.folds = count, .seed = 3});
    for (std::int32_t label = -1; label < 3; ++label) {
      Index least = 60, most = 0;
      for (Index k = 0; k < count; ++k) {
        const Rows test = folds.test(k);
        const Index n = label < 0 ? static_cast<Index>(test.size()) : count_of(rows, test, label);
        least = std::min(least, n);
        most = std::max(most, n);
      }
      EXPECT_LE(most - least, 1) << "class " << label << ", " << count << " folds";
    }
  }
}

TEST(Folds, OfAClassWithTwoRowsAreNeverTrainedWithoutIt) {
  FoldRows rows{20, std::vector<std::int32_t>(20, 0), {}};
  rows.labels[4] = rows.labels[17] = 1;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Folds folds = make_folds(rows, {.folds = 10, .seed = seed});
    for (Index k = 0; k < 10; ++k) EXPECT_GE(count_of(rows, folds.train(k), 1), 1);
  }
}

TEST(Folds, AreTheSameForASeedAndOthersForAnother) {
  const FoldRows rows = labelled();
  const auto first = [&](std::uint64_t seed) { return make_folds(rows, {.folds = 4, .seed = seed}).test(0); };
  EXPECT_EQ(first(5), first(5));
  EXPECT_NE(first(5), first(6));
}

TEST(Folds, KeepGroupsWholeAndClassesBalanced) {
  // 40 groups of 1 to 7 rows; a third of the groups is of class 1.
  FoldRows rows;
  for (std::int32_t g = 0; g < 40; ++g)
    for (int i = 0; i <= g % 7; ++i) {
      rows.groups.push_back(g);
      rows.labels.push_back(g % 3 == 0 ? 1 : 0);
      ++rows.count;
    }
  const Folds folds = make_folds(rows, {.folds = 5});
  std::set<Index> tested;
  for (Index k = 0; k < 5; ++k) {
    const Rows test = folds.test(k);
    std::set<std::int32_t> own, others;
    for (const Index i : test) own.insert(rows.groups[static_cast<std::size_t>(i)]);
    for (const Index i : folds.train(k)) others.insert(rows.groups[static_cast<std::size_t>(i)]);
    for (const std::int32_t g : own) EXPECT_FALSE(others.contains(g)) << "group " << g;
    tested.insert(test.begin(), test.end());
    const double share = static_cast<double>(count_of(rows, test, 1)) / static_cast<double>(test.size());
    const double all = static_cast<double>(std::count(rows.labels.begin(), rows.labels.end(), 1)) /
                       static_cast<double>(rows.count);
    EXPECT_NEAR(share, all, 0.1);
    EXPECT_NEAR(static_cast<double>(test.size()), static_cast<double>(rows.count) / 5, 4);
  }
  EXPECT_EQ(static_cast<Index>(tested.size()), rows.count);
}

// TimeSeriesSplit(3).split(range(11)) of scikit-learn 1.2.1: test 5-6, 7-8, 9-10 after 5, 7, 9 rows.
TEST(Folds, InTheOrderOfTimeTrainOnThePastAlone) {
  const Folds folds = make_folds({11, {}, {}}, {.folds = 3, .time_ordered = true});
  ASSERT_EQ(folds.count(), 3);
  EXPECT_EQ(folds.train(0), (Rows{0, 1, 2, 3, 4}));
  EXPECT_EQ(folds.test(0), (Rows{5, 6}));
  EXPECT_EQ(folds.train(1), (Rows{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(folds.test(1), (Rows{7, 8}));
  EXPECT_EQ(folds.test(2), (Rows{9, 10}));
}

TEST(Folds, LeavingOneOutTestsEachRowAlone) {
  const Folds folds = make_folds({4, {}, {}}, {.leave_one_out = true});
  ASSERT_EQ(folds.count(), 4);
  EXPECT_EQ(folds.test(2), Rows{2});
  EXPECT_EQ(folds.train(2), (Rows{0, 1, 3}));
}

TEST(Folds, RefuseWhatCannotBe) {
  EXPECT_EQ(refusal({10, {}, {}}, {.folds = 1}), "`folds`: expected 2 or more, got 1");
  EXPECT_EQ(refusal({10, {}, {}}, {.folds = 11}), "`folds`: expected at most 10 for 10 rows, got 11");
  EXPECT_EQ(refusal({10, {}, {}}, {.folds = 10, .time_ordered = true}),
            "`folds`: expected at most 9 for 10 rows, got 10");
  EXPECT_EQ(refusal({4, {}, {0, 1, 1, 0}}, {.folds = 3}),
            "`folds`: expected at most 2, the number of groups, got 3");
  EXPECT_EQ(refusal({4, {}, {0, 1, 1, 0}}, {.leave_one_out = true}),
            "`leave_one_out` and `group` exclude each other");
  EXPECT_EQ(refusal({4, {}, {}}, {.repeats = 2, .leave_one_out = true}),
            "`repeats`: there is only one way to leave one out");
  EXPECT_EQ(refusal({1, {}, {}}, {.leave_one_out = true}, Code::data),
            "found 1 row, expected 2 or more to leave one out");
}

TEST(Folds, ThinnedRowsAreNestedAndKeepTheSharesOfTheClasses) {
  const FoldRows rows = labelled();
  const Folds folds = make_folds(rows, {.folds = 3});
  const Rows train = folds.train(0);
  Rows before;
  for (const double share : {0.125, 0.25, 0.5, 1.0}) {
    const Rows some = thin_rows(train, rows, share, {});
    EXPECT_TRUE(std::includes(some.begin(), some.end(), before.begin(), before.end()));
    for (std::int32_t label = 0; label < 3; ++label)
      EXPECT_NEAR(static_cast<double>(count_of(rows, some, label)),
                  share * static_cast<double>(count_of(rows, train, label)), 1);
    before = some;
  }
  EXPECT_EQ(before, train);
  EXPECT_EQ(thin_rows({3, 4, 5, 6}, {10, {}, {}}, 0.5, {.time_ordered = true}), (Rows{5, 6}));
}

}  // namespace
}  // namespace discern::folds_test
