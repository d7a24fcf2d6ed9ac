// Columns at a glance: exact quartiles, histograms, and what a column says of a target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "discern/base/random.hpp"
#include "discern/stats/summary/column_summary.hpp"

namespace discern::summary_test {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

DescribedColumn described(std::vector<double> values, const Answers& answers = {}) {
  return summarise_numbers(values, answers);
}

TEST(Summary, QuartilesInterpolateBetweenNeighboursAsInR) {
  // quantile(c(4, 1, 3, 2), c(.25, .5, .75)) of R is 1.75, 2.5, 3.25.
  const DescribedColumn column = described({4, none, 1, 3, 2});
  ASSERT_TRUE(column.numbers);
  EXPECT_EQ(column.missing, 1);
  EXPECT_EQ(column.distinct, 4);
  EXPECT_DOUBLE_EQ(column.numbers->min, 1);
  EXPECT_DOUBLE_EQ(column.numbers->q1, 1.75);
  EXPECT_DOUBLE_EQ(column.numbers->median, 2.5);
  EXPECT_DOUBLE_EQ(column.numbers->q3, 3.25);
  EXPECT_DOUBLE_EQ(column.numbers->max, 4);
  EXPECT_DOUBLE_EQ(column.numbers->mean, 2.5);
  EXPECT_DOUBLE_EQ(column.numbers->deviation, std::sqrt(5.0 / 3));
  EXPECT_TRUE(column.numbers->whole);
}

TEST(Summary, ZerosStandBetweenNegativeAndPositiveNumbers) {
  const DescribedColumn column = described({0, 3, -2, 0, 0, -7, 0.5, 0});
  EXPECT_EQ(column.distinct, 5);
  EXPECT_EQ(column.numbers->zeros, 4);
  EXPECT_FALSE(column.numbers->whole);
  EXPECT_DOUBLE_EQ(column.numbers->min, -7);
  EXPECT_DOUBLE_EQ(column.numbers->q1, -0.5);
  EXPECT_DOUBLE_EQ(column.numbers->median, 0);
  EXPECT_DOUBLE_EQ(column.numbers->max, 3);
}

// Long columns are sorted by the digits of their bits, short ones by comparing.
TEST(Summary, LongColumnsOfAnyNumbersAreInOrder) {
  Random random(9);
  std::vector<double> values;
  for (int i = 0; i < 30000; ++i) {
    const double size = std::pow(10.0, std::floor(random.uniform(-300, 300)));
    values.push_back(i % 5 == 0   ? 0
                     : i % 5 == 1 ? std::floor(random.uniform(-9, 9))
                                  : size * random.normal());
  }
  std::vector<double> sorted = values, taken = values;
  std::sort(sorted.begin(), sorted.end());
  const DescribedColumn column = summarise_numbers(taken, {});
  EXPECT_EQ(taken, sorted);
  EXPECT_EQ(column.numbers->min, sorted.front());
  EXPECT_EQ(column.numbers->max, sorted.back());
  EXPECT_EQ(column.distinct, std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

TEST(Summary, WholeNumbersInASmallRangeHaveABinEach) {
  const Histogram histogram = described({1, 2, 2, 4, 4, 4}).numbers->histogram;
  EXPECT_EQ(histogram.counts, (std::vector<Index>{1, 2, 0, 3}));
  EXPECT_DOUBLE_EQ(histogram.low, 0.5);
  EXPECT_DOUBLE_EQ(histogram.high, 4.5);
}

TEST(Summary, HistogramsHoldEveryValueOfAnyRange) {
  constexpr double huge = std::numeric_limits<double>::max();
  for (const std::vector<double>& values : {std::vector<double>{0.5, 0.25, 99.5},
                                            {-huge, huge, 0.5},
                                            {1e-300, 3e-300},
                                            {7.5, 7.5},
                                            {1e15, 1e15 + 1}}) {
    const DescribedColumn column = described(values);
    Index total = 0;
    for (const Index count : column.numbers->histogram.counts) total += count;
    EXPECT_EQ(total, static_cast<Index>(values.size()));
    EXPECT_LE(column.numbers->histogram.counts.size(), static_cast<std::size_t>(histogram_bins));
    EXPECT_GE(column.numbers->histogram.counts.back(), 1);
  }
}

TEST(Summary, AColumnWithoutAValueHasNoNumbers) {
  const DescribedColumn column = described({none, none}, {.classes = {0, 1}, .class_count = 2});
  EXPECT_TRUE(column.empty());
  EXPECT_FALSE(column.numbers);
  EXPECT_FALSE(column.association);
  EXPECT_EQ(column.missing, 2);
}

TEST(Summary, TextsAreCountedTheMostFrequentFirst) {
  const DescribedColumn column =
      summarise_texts(std::vector<std::int32_t>{2, 0, 2, -1, 1, 2}, {"a", "b", "c", "d"}, {});
  EXPECT_EQ(column.missing, 1);
  EXPECT_EQ(column.distinct, 3);
  ASSERT_EQ(column.levels.size(), 3U);
  EXPECT_EQ(column.levels[0].name, "c");
  EXPECT_EQ(column.levels[0].rows, 3);
  EXPECT_EQ(column.levels[1].name, "a");
}

// The AUC is the share of pairs that are in order, counted one by one.
TEST(Summary, AucIsTheShareOfPairsInOrder) {
  Random random(3);
  std::vector<double> values;
  Answers answers{.class_count = 2};
  for (int i = 0; i < 200; ++i) {
    values.push_back(i % 17 == 0 ? none : std::floor(10 * random.normal()));
    answers.classes.push_back(i % 13 == 0 ? -1 : static_cast<std::int32_t>(random.below(2)));
  }
  for (const Index positive : {Index{0}, Index{1}}) {
    answers.positive = positive;
    double wins = 0, pairs = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j) {
        if (answers.classes[i] != positive || answers.classes[j] != 1 - positive) continue;
        if (values[i] != values[i] || values[j] != values[j]) continue;
        ++pairs;
        wins += values[i] > values[j] ? 1 : values[i] == values[j] ? 0.5 : 0;
      }
    const DescribedColumn column = described(values, answers);
    ASSERT_TRUE(column.association);
    EXPECT_NEAR(*column.association, wins / pairs, 1e-12);
    // Sorting class by class leaves the rest of the summary as it is.
    EXPECT_EQ(column.distinct, described(values).distinct);
    EXPECT_DOUBLE_EQ(column.numbers->median, described(values).numbers->median);
    EXPECT_DOUBLE_EQ(column.numbers->q3, described(values).numbers->q3);
  }
}

TEST(Summary, EtaSquaredIsTheAdjustedShareOfVariance) {
  // Between the groups 13.5, within 4; 1 - 4 / 17.5 * 5 / 4.
  const std::vector<double> values{1, 2, 3, 4, 5, 6, none, 100};
  const std::vector<std::int32_t> groups{0, 0, 0, 1, 1, 1, 1, -1};
  EXPECT_NEAR(*eta_squared(values, groups, 2), 1 - 4 / 17.5 * 5 / 4, 1e-12);
  EXPECT_DOUBLE_EQ(*eta_squared(std::vector<double>{1, 2, 1, 2}, std::vector<std::int32_t>{0, 0, 1, 1}, 2),
                   0);
  EXPECT_FALSE(eta_squared(std::vector<double>{1, 2}, std::vector<std::int32_t>{0, 0}, 1));
  EXPECT_FALSE(eta_squared(std::vector<double>{1, 1, 1}, std::vector<std::int32_t>{0, 1, 1}, 2));
}

// Chi squared from expected counts, then Bergsma's formulas.
TEST(Summary, CramersVIsThatOfTheTableOfCounts) {
  const double table[2][3] = {{10, 20, 30}, {25, 10, 5}};
  std::vector<std::int32_t> levels{-1, 0}, classes{0, -1};
  double n = 0, row[2] = {}, col[3] = {}, chi = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      n += table[i][j], row[i] += table[i][j], col[j] += table[i][j];
      for (int k = 0; k < table[i][j]; ++k) levels.push_back(i + 1), classes.push_back(j);
    }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      const double due = row[i] * col[j] / n;
      chi += (table[i][j] - due) * (table[i][j] - due) / due;
    }
  const double phi = chi / n - 2 / (n - 1), r = 2 - 1 / (n - 1), k = 3 - 4 / (n - 1);
  EXPECT_NEAR(*cramers_v(levels, 3, classes, 3), std::sqrt(phi / (std::min(r, k) - 1)), 1e-12);
}

TEST(Summary, CramersVOfIdentifiersIsNothingAndOfACopyIsOne) {
  std::vector<std::int32_t> unique, classes;
  for (std::int32_t i = 0; i < 50; ++i) unique.push_back(i), classes.push_back(i % 3);
  EXPECT_DOUBLE_EQ(*cramers_v(unique, 50, classes, 3), 0);
  EXPECT_NEAR(*cramers_v(classes, 3, classes, 3), 1, 1e-12);
  EXPECT_FALSE(cramers_v(std::vector<std::int32_t>(50, 0), 1, classes, 3));
}

TEST(Summary, PearsonsCorrelationLeavesMissingPairsOut) {
  EXPECT_NEAR(*pearson(std::vector<double>{1, 2, 3, none, 9}, std::vector<double>{2, 4, 7, 5, none}),
              // cor(c(1, 2, 3), c(2, 4, 7)) of R
              0.99339926779878285, 1e-12);
  EXPECT_FALSE(pearson(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace discern::summary_test
