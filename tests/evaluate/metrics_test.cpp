#include "discern/evaluate/metrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"

namespace discern::metrics_test {
namespace {

using Values = std::vector<double>;

// A row with its own memory.
struct Example {
  Index label;
  Index predicted;
  Values probabilities;
  Values scores;
  double weight = 1;
};

ClassificationScore score_of(Index classes, const std::vector<Example>& rows, Index positive = 1) {
  ClassificationScore score(classes, positive);
  for (const Example& row : rows)
    score.add({row.label, row.predicted, row.probabilities, row.scores, row.weight});
  return score;
}

// Probabilities and scores on a coarse grid, so that ties are frequent.
std::vector<Example> random_rows(Index classes, int count, std::uint64_t seed, bool weighted) {
  Random random(seed);
  std::vector<Example> rows;
  for (int i = 0; i < count; ++i) {
    Example row;
    row.label = static_cast<Index>(random.below(static_cast<std::uint64_t>(classes)));
    double sum = 0;
    for (Index k = 0; k < classes; ++k) {
      const double p = static_cast<double>(1 + random.below(5) + (k == row.label ? random.below(4) : 0));
      row.probabilities.push_back(p);
      sum += p;
    }
    for (double& p : row.probabilities) p /= sum;
    row.predicted =
        std::max_element(row.probabilities.begin(), row.probabilities.end()) - row.probabilities.begin();
    if (weighted) row.weight = random.uniform(0, 3);
    rows.push_back(row);
  }
  return rows;
}

// The definition, pair by pair.
double pairwise_auc(const std::vector<Example>& rows, Index positive) {
  double wins = 0, pairs = 0;
  for (const Example& a : rows) {
    if (a.label != positive) continue;
    for (const Example& b : rows) {
      if (b.label == positive) continue;
      const double p = a.probabilities[static_cast<std::size_t>(positive)];
      const double q = b.probabilities[static_cast<std::size_t>(positive)];
      wins += a.weight * b.weight * (p > q ? 1 : p == q ? 0.5 : 0);
      pairs += a.weight * b.weight;
    }
  }
  return wins / pairs;
}

void expect_same(const Metrics& a, const Metrics& b, double tolerance) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_NEAR(a.weight, b.weight, tolerance * a.weight);
  EXPECT_NEAR(*a.accuracy, *b.accuracy, tolerance);
  EXPECT_NEAR(*a.balanced_accuracy, *b.balanced_accuracy, tolerance);
  EXPECT_NEAR(*a.error, *b.error, tolerance);
  EXPECT_NEAR(*a.log_loss, *b.log_loss, tolerance);
  EXPECT_NEAR(*a.brier, *b.brier, tolerance);
  EXPECT_NEAR(*a.auc, *b.auc, tolerance);
  EXPECT_NEAR(*a.average_precision, *b.average_precision, 2 * tolerance);
  EXPECT_NEAR(*a.mcc, *b.mcc, 4 * tolerance);
  EXPECT_NEAR(*a.ece, *b.ece, tolerance);
  for (std::size_t i = 0; i < a.confusion.size(); ++i)
    EXPECT_NEAR(a.confusion[i], b.confusion[i], tolerance * a.weight);
  for (std::size_t k = 0; k < a.per_class.size(); ++k) {
    EXPECT_NEAR(*a.per_class[k].precision, *b.per_class[k].precision, tolerance);
    EXPECT_NEAR(*a.per_class[k].recall, *b.per_class[k].recall, tolerance);
    EXPECT_NEAR(*a.per_class[k].f1, *b.per_class[k].f1, tolerance);
    EXPECT_NEAR(a.per_class[k].support, b.per_class[k].support, tolerance * a.weight);
  }
}

std::string refusal(const JudgedRow& row, Index classes = 2) {
  try {
    ClassificationScore(classes).add(row);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::usage);
    return error.message();
  }
  return "no error";
}

// Four rows by hand: truth 0 0 1 1, predicted 0 1 1 1, P(1) = 0.2 0.6 0.6 0.9.
TEST(Metrics, OfTwoClassesAgreeWithTheHandComputedValues) {
  const Metrics m =
      score_of(
          2, {{0, 0, {0.8, 0.2}, {}}, {0, 1, {0.4, 0.6}, {}}, {1, 1, {0.4, 0.6}, {}}, {1, 1, {0.1, 0.9}, {}}})
          .result();
  EXPECT_EQ(m.rows, 4);
  EXPECT_EQ(m.weight, 4);
  EXPECT_EQ(*m.accuracy, 0.75);
  EXPECT_EQ(*m.error, 0.25);
  EXPECT_EQ(*m.balanced_accuracy, 0.75);
  EXPECT_EQ(m.confusion, (Values{1, 1, 0, 2}));
  EXPECT_EQ(*m.per_class[0].precision, 1);
  EXPECT_EQ(*m.per_class[0].recall, 0.5);
  EXPECT_DOUBLE_EQ(*m.per_class[0].f1, 2.0 / 3);
  EXPECT_EQ(m.per_class[0].support, 2);
  EXPECT_DOUBLE_EQ(*m.per_class[1].precision, 2.0 / 3);
  EXPECT_EQ(*m.per_class[1].recall, 1);
  EXPECT_EQ(*m.per_class[1].f1, 0.8);
  EXPECT_DOUBLE_EQ(*m.log_loss, -(std::log(0.8) + std::log(0.4) + std::log(0.6) + std::log(0.9)) / 4);
  EXPECT_DOUBLE_EQ(*m.brier, (0.04 + 0.36 + 0.16 + 0.01) / 4);
  EXPECT_EQ(*m.auc, (1 + 1 + 0.5 + 1) / 4);
  EXPECT_EQ(m.undecided, 0);
}

TEST(Metrics, OfThreeClassesUseTheSumOverClassesAndTheMacroAuc) {
  const std::vector<Example> rows{{0, 0, {0.5, 0.25, 0.25}, {}},
                                  {1, 0, {0.5, 0.25, 0.25}, {}},
                                  {1, 1, {0, 1, 0}, {}},
                                  {2, 1, {0.25, 0.5, 0.25}, {}}};
  const Metrics m = score_of(3, rows).result();
  EXPECT_EQ(*m.accuracy, 0.5);
  EXPECT_EQ(*m.balanced_accuracy, (1 + 0.5 + 0) / 3);
  EXPECT_EQ(m.confusion, (Values{1, 0, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(*m.per_class[2].precision, 0);  // never predicted
  EXPECT_EQ(*m.per_class[2].recall, 0);
  EXPECT_EQ(*m.per_class[2].f1, 0);
  // Row sums of squares: 0.25+0.0625+0.0625, 0.25+0.5625+0.0625, 0, 0.0625+0.25+0.5625.
  EXPECT_DOUBLE_EQ(*m.brier, (0.375 + 0.875 + 0 + 0.875) / 4);
  EXPECT_DOUBLE_EQ(*m.log_loss, -(std::log(0.5) + 3 * 0 + 2 * std::log(0.25)) / 4);
  // One against the rest: class 0 beats {0.5, 0, 0.25} with a tie, class 1, class 2 beats {0.25, 0.25, 0}.
  const double first = 2.5 / 3, second = (0.5 + 0 + 1 + 1) / 4, third = (0.5 + 0.5 + 1) / 3;
  EXPECT_DOUBLE_EQ(*m.auc, (first + second + third) / 3);
}

// Rows that another program can make, too: u = x / 2^31 of x <- (1103515245 x + 12345) mod 2^31.
struct Recipe {
  std::uint64_t x = 12345;
  double u() {
    x = (x * 1103515245 + 12345) % (std::uint64_t{1} << 31);
    return static_cast<double>(x) / 2147483648.0;
  }
  // Label floor(K u); for each k 1 + floor(8 u), and 4 more for the label when u < 0.8, divided by their sum;
  // weight (1 + floor(4 u)) / 2.
  std::vector<Example> rows(Index classes, int count, bool weighted) {
    std::vector<Example> all;
    for (int i = 0; i < count; ++i) {
      Example row{static_cast<Index>(u() * static_cast<double>(classes)), 0, {}, {}};
      double sum = 0;
      for (Index k = 0; k < classes; ++k) {
        double p = 1 + std::floor(8 * u());
        if (k == row.label && u() < 0.8) p += 4;
        row.probabilities.push_back(p);
        sum += p;
      }
      for (double& p : row.probabilities) p /= sum;
      row.predicted =
          std::max_element(row.probabilities.begin(), row.probabilities.end()) - row.probabilities.begin();
      const double weight = 0.5 + std::floor(4 * u()) / 2;
      if (weighted) row.weight = weight;
      all.push_back(row);
    }
    return all;
  }
};

// balanced_accuracy_score, average_precision_score (macro over the indicators of three classes),
// matthews_corrcoef, f1_score(average="macro"), log_loss and roc_auc_score(multi_class="ovr") of scikit-learn
// 1.9.1 on the rows of the recipe, 80 of two classes and then 90 of three, without and with sample_weight.
TEST(Metrics, AgreeWithScikitLearn) {
  const Values expected[4] = {{0.8111111111111111, 0.7995139640173381, 0.6204520273913622, 0.8100965342617503,
                               0.5131505062780042, 0.8739682539682541},
                              {0.8142570281124498, 0.7810067806951371, 0.6253202711089229, 0.8124734726487404,
                               0.5119400718363996, 0.8830823293172692},
                              {0.7656615240766712, 0.83273073570288, 0.6517577524813334, 0.7532614278376991,
                               0.7862810602773793, 0.8841618464514399},
                              {0.7808408067028756, 0.8437059667379883, 0.672362445330845, 0.7646864287154669,
                               0.7914120298936078, 0.8903779571309257}};
  for (const bool weighted : {false, true}) {
    Recipe recipe;
    for (const Index classes : {2, 3}) {
      const Metrics m = score_of(classes, recipe.rows(classes, classes == 2 ? 80 : 90, weighted)).result();
      const Values& they = expected[2 * (classes - 2) + (weighted ? 1 : 0)];
      EXPECT_NEAR(*m.balanced_accuracy, they[0], 1e-14);
      EXPECT_NEAR(*m.average_precision, they[1], 1e-14);
      EXPECT_NEAR(*m.mcc, they[2], 1e-14);
      EXPECT_NEAR(*m.macro_f1, they[3], 1e-14);
      EXPECT_NEAR(*m.log_loss, they[4], 1e-14);
      EXPECT_NEAR(*m.auc, they[5], 1e-14);
    }
  }
}

// calibration_curve(y, p, n_bins=10) of scikit-learn 1.9.1 on the first 80 rows of the recipe.
TEST(Metrics, TheCalibrationCurveIsThatOfScikitLearn) {
  const Metrics m = score_of(2, Recipe().rows(2, 80, false)).result();
  const Values share{
      0, 0, 0, 0.23076923076923078, 0.3076923076923077, 0.6666666666666666, 0.9090909090909091, 1, 0.5, 1};
  const Values probability{0.08333333333333333, 0.16383477633477636, 0.2660639360639361, 0.35917731087414345,
                           0.45766445721196847, 0.5687678001822738,  0.6560768108896451, 0.7486568986568987,
                           0.8732142857142856,  0.9209401709401709};
  ASSERT_EQ(m.calibration.size(), 10u);
  double off = 0;
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_NEAR(m.calibration[b].share, share[b], 1e-15);
    EXPECT_NEAR(m.calibration[b].probability, probability[b], 1e-15);
    off += m.calibration[b].weight / 80 * std::fabs(share[b] - probability[b]);
  }
  EXPECT_NEAR(*m.ece, off, 1e-14);
}

TEST(Metrics, OfThreeClassesAreCalibratedByTheirLikeliestClass) {
  const Metrics m = score_of(3, {{0, 0, {0.5, 0.25, 0.25}, {}}, {1, 0, {0.5, 0.25, 0.25}, {}, 3}}).result();
  ASSERT_EQ(m.calibration.size(), 1u);
  EXPECT_EQ(m.calibration[0].weight, 4);
  EXPECT_EQ(m.calibration[0].share, 0.25);
  EXPECT_EQ(*m.ece, 0.25);
}

// (0, 3.8416 / 13.8416) for none of ten: z^2 / (n + z^2) with z^2 = 3.841458820694124.
TEST(Metrics, TheErrorHasWilsonsInterval) {
  const Interval none = wilson_interval(0, 10), half = wilson_interval(0.5, 10);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 3.841458820694124 / 13.841458820694124, 1e-15);
  EXPECT_NEAR(half.low, 0.23659309, 1e-8);  // the ends solve (p - 0.5)^2 = z^2 p (1 - p) / 10
  EXPECT_NEAR(half.high, 1 - 0.23659309, 1e-8);
  for (const double p : {half.low, half.high})
    EXPECT_NEAR((p - 0.5) * (p - 0.5), 3.841458820694124 * p * (1 - p) / 10, 1e-15);
  const Metrics m = score_of(2, {{0, 0, {}, {}}, {1, 0, {}, {}}}).result();
  EXPECT_NEAR(m.error_interval->low, wilson_interval(0.5, 2).low, 1e-15);
}

TEST(Metrics, TheCorrelationOfConstantAndOfUndecidedAnswers) {
  EXPECT_EQ(*score_of(2, {{0, 0, {}, {}}, {1, 0, {}, {}}}).result().mcc, 0);
  EXPECT_EQ(*score_of(2, {{0, -1, {}, {}}, {1, -1, {}, {}}}).result().mcc, 0);
  EXPECT_FALSE(score_of(2, {{0, 0, {}, {}}, {0, 1, {}, {}}}).result().mcc);
  EXPECT_NEAR(*score_of(3, {{0, 0, {}, {}}, {1, 1, {}, {}}, {2, 2, {}, {}}}).result().mcc, 1, 1e-15);
  EXPECT_NEAR(*score_of(2, {{0, 1, {}, {}}, {1, 0, {}, {}}}).result().mcc, -1, 1e-15);
}

TEST(Metrics, AucIsTheShareOfPairsInOrderWithTiesCountedHalf) {
  for (const bool weighted : {false, true}) {
    const auto rows = random_rows(2, 400, 1, weighted);
    EXPECT_NEAR(*score_of(2, rows).result().auc, pairwise_auc(rows, 1), 1e-13);
    const auto many = random_rows(4, 400, 2, weighted);
    double mean = 0;
    for (Index k = 0; k < 4; ++k) mean += pairwise_auc(many, k) / 4;
    EXPECT_NEAR(*score_of(4, many).result().auc, mean, 1e-13);
  }
}

TEST(Metrics, AucRanksByScoresWhereThereAreNoProbabilities) {
  const std::vector<Example> one{
      {0, 0, {}, {-1.0}}, {1, 0, {}, {-0.5}}, {0, 1, {}, {2.0}}, {1, 1, {}, {2.0}}};
  const Metrics m = score_of(2, one).result();
  EXPECT_EQ(*m.auc, (1 + 0 + 1 + 0.5) / 4);
  EXPECT_FALSE(m.log_loss);
  EXPECT_FALSE(m.brier);
  const std::vector<Example> both{
      {0, 0, {}, {1, 0}}, {1, 0, {}, {0.5, 0}}, {0, 1, {}, {0, 2}}, {1, 1, {}, {1, 3}}};
  EXPECT_EQ(*score_of(2, both).result().auc, *m.auc);
}

TEST(Metrics, AucOfTwoClassesSeesScoresBehindProbabilitiesThatRoundedToOne) {
  const std::vector<Example> rows{{0, 1, {0, 1}, {40}}, {1, 1, {0, 1}, {50}}};
  EXPECT_EQ(*score_of(2, rows).result().auc, 1);
  EXPECT_EQ(*score_of(2, {{0, 1, {0, 1}, {}}, {1, 1, {0, 1}, {}}}).result().auc, 0.5);
}

TEST(Metrics, InfiniteScoresOfNaiveBayesRankToo) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Example> rows{{0, 0, {}, {-1, -inf}}, {1, 0, {}, {-inf, -inf}}, {1, 1, {}, {-inf, -1}}};
  EXPECT_EQ(*score_of(2, rows).result().auc, 1);
}

TEST(Metrics, ThePositiveClassMayBeTheFirst) {
  // One score a row speaks for the positive class; probabilities stay in class order.
  const std::vector<Example> rows{{0, 0, {}, {2}}, {1, 1, {}, {-1}}, {1, 0, {}, {0.5}}};
  EXPECT_EQ(*score_of(2, rows, 0).result().auc, 1);
  EXPECT_EQ(*score_of(2, rows, 1).result().auc, 0);
  const auto random = random_rows(2, 200, 3, true);
  const Metrics first = score_of(2, random, 0).result(), last = score_of(2, random, 1).result();
  EXPECT_NEAR(*first.brier, *last.brier, 1e-15);
  EXPECT_NEAR(*first.auc, pairwise_auc(random, 0), 1e-13);
}

TEST(Metrics, WeightTwoIsTheRowTwiceAndWeightZeroIsTheRowAbsent) {
  for (const Index classes : {2, 3}) {
    auto rows = random_rows(classes, 300, 4, false);
    std::vector<Example> copies;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].weight = static_cast<double>(i % 3);
      for (std::size_t c = 0; c < i % 3; ++c) {
        copies.push_back(rows[i]);
        copies.back().weight = 1;
      }
    }
    Metrics weighted = score_of(classes, rows).result(), repeated = score_of(classes, copies).result();
    EXPECT_EQ(weighted.rows, 200);
    EXPECT_EQ(repeated.rows, 300);
    EXPECT_EQ(weighted.confusion, repeated.confusion);
    EXPECT_EQ(*weighted.accuracy, *repeated.accuracy);
    EXPECT_EQ(*weighted.auc, *repeated.auc);
    weighted.rows = repeated.rows;
    expect_same(weighted, repeated, 1e-15);
  }
}

TEST(Metrics, MergeOfPartsIsTheWhole) {
  for (const bool weighted : {false, true}) {
    const auto rows = random_rows(3, 5000, 5, weighted);
    const Metrics whole = score_of(3, rows).result();
    ClassificationScore merged(3);
    for (std::size_t first = 0; first < rows.size(); first += 700) {
      const std::size_t last = std::min(rows.size(), first + 700);
      merged.merge(
          score_of(3, {rows.begin() + static_cast<Index>(first), rows.begin() + static_cast<Index>(last)}));
    }
    const Metrics parts = merged.result();
    expect_same(whole, parts, weighted ? 1e-15 : 2e-16);
    EXPECT_EQ(*whole.auc, *parts.auc);
    if (!weighted) {
      EXPECT_EQ(whole.confusion, parts.confusion);
    }
  }
}

TEST(Metrics, MergeKeepsWeightsWhenOnlyOnePartHasThem) {
  auto rows = random_rows(2, 100, 6, false);
  rows.back().weight = 3;
  const std::vector<Example> plain(rows.begin(), rows.end() - 1), last(rows.end() - 1, rows.end());
  ClassificationScore ahead = score_of(2, plain), behind = score_of(2, last);
  ahead.merge(score_of(2, last));
  behind.merge(score_of(2, plain));
  EXPECT_EQ(*ahead.result().auc, *score_of(2, rows).result().auc);
  EXPECT_EQ(*behind.result().auc, *score_of(2, rows).result().auc);
}

TEST(Metrics, OfPerfectConstantAndInvertedPredictors) {
  std::vector<Example> perfect, constant, inverted;
  for (int i = 0; i < 100; ++i) {
    const Index y = i % 4 == 0 ? 1 : 0;
    const double p = static_cast<double>(y);
    perfect.push_back({y, y, {1 - p, p}, {}});
    constant.push_back({y, 0, {0.75, 0.25}, {}});
    inverted.push_back({y, 1 - y, {p, 1 - p}, {}});
  }
  const Metrics good = score_of(2, perfect).result();
  EXPECT_EQ(*good.accuracy, 1);
  EXPECT_EQ(*good.auc, 1);
  EXPECT_EQ(*good.log_loss, 0);
  EXPECT_EQ(*good.brier, 0);
  const Metrics flat = score_of(2, constant).result();
  EXPECT_EQ(*flat.accuracy, 0.75);
  EXPECT_EQ(*flat.balanced_accuracy, 0.5);
  EXPECT_EQ(*flat.auc, 0.5);
  EXPECT_EQ(*flat.brier, 0.25 * 0.75);
  EXPECT_NEAR(*flat.log_loss, -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-15);
  const Metrics bad = score_of(2, inverted).result();
  EXPECT_EQ(*bad.accuracy, 0);
  EXPECT_EQ(*bad.error, 1);
  EXPECT_EQ(*bad.auc, 0);
  EXPECT_EQ(*bad.brier, 1);
  EXPECT_NEAR(*bad.log_loss, 744.44, 0.01);  // -log of the smallest positive double
}

TEST(Metrics, LogLossLeavesEveryPositiveProbabilityAsItIs) {
  const Metrics m = score_of(2, {{1, 0, {1, 1e-300}, {}}}).result();
  EXPECT_DOUBLE_EQ(*m.log_loss, 300 * std::log(10));
}

TEST(Metrics, OfAClassThatDoesNotOccurAreEmpty) {
  const Metrics m = score_of(3, {{0, 0, {0.8, 0.1, 0.1}, {}}, {1, 2, {0.2, 0.3, 0.5}, {}}}).result();
  EXPECT_FALSE(m.per_class[2].recall);
  EXPECT_EQ(*m.per_class[2].precision, 0);
  EXPECT_EQ(*m.per_class[2].f1, 0);
  EXPECT_EQ(*m.per_class[1].precision, 0);
  EXPECT_EQ(*m.balanced_accuracy, 0.5);
  EXPECT_EQ(*m.auc, 1);
  const Metrics silent = score_of(3, {{0, 0, {}, {}}, {1, 1, {}, {}}}).result();
  EXPECT_FALSE(silent.per_class[2].precision);
  EXPECT_FALSE(silent.per_class[2].f1);
  EXPECT_FALSE(silent.auc);
  EXPECT_FALSE(score_of(2, {{1, 1, {0.2, 0.8}, {}}}).result().auc);
}

TEST(Metrics, OfNoRowsAreEmpty) {
  const Metrics m = score_of(2, {{1, 1, {0.5, 0.5}, {}, 0}}).result();
  EXPECT_EQ(m.rows, 0);
  EXPECT_FALSE(m.accuracy || m.error || m.balanced_accuracy || m.log_loss || m.brier || m.auc);
}

TEST(Metrics, ProbabilitiesThatOneRowLacksAreMissingForAll) {
  const Metrics m = score_of(2, {{1, 1, {0.2, 0.8}, {}}, {0, 0, {}, {}}}).result();
  EXPECT_FALSE(m.log_loss || m.brier || m.auc);
  EXPECT_EQ(*m.accuracy, 1);
  ClassificationScore merged = score_of(2, {{1, 1, {0.2, 0.8}, {}}, {0, 0, {0.5, 0.5}, {}}});
  merged.merge(score_of(2, {{0, 0, {}, {}}}));
  EXPECT_FALSE(merged.result().log_loss || merged.result().auc);
}

TEST(Metrics, UndecidedRowsCountAsErrorsOfTheirClass) {
  const Metrics m = score_of(2, {{0, 0, {}, {}}, {0, -1, {}, {}, 2}, {1, 1, {}, {}}}).result();
  EXPECT_EQ(m.undecided, 2);
  EXPECT_EQ(*m.accuracy, 0.5);
  EXPECT_EQ(*m.error, 0.5);
  EXPECT_EQ(m.per_class[0].support, 3);
  EXPECT_DOUBLE_EQ(*m.per_class[0].recall, 1.0 / 3);
  EXPECT_EQ(*m.per_class[0].precision, 1);
  EXPECT_EQ(m.confusion, (Values{1, 0, 0, 1}));
  EXPECT_EQ(*m.accuracy_decided, 1);
  EXPECT_EQ(m.per_class[0].undecided, 2);
  EXPECT_EQ(m.per_class[1].undecided, 0);
}

TEST(Metrics, WithoutAnyDecisionThereIsNoAccuracyOfTheDecided) {
  const Metrics m = score_of(2, {{0, -1, {}, {}}, {1, -1, {}, {}}}).result();
  EXPECT_EQ(*m.accuracy, 0);
  EXPECT_EQ(*m.error, 1);
  EXPECT_FALSE(m.accuracy_decided);
}

TEST(Metrics, RefusesRowsThatCannotBe) {
  const Values three{0.2, 0.3, 0.5}, broken{0.5, std::nan("")};
  EXPECT_EQ(refusal({.label = 2, .predicted = 0}), "a label is 2, expected 0 to 1");
  EXPECT_EQ(refusal({.label = -1, .predicted = 0}), "a label is -1, expected 0 to 1");
  EXPECT_EQ(refusal({.label = 0, .predicted = 2}), "a predicted class is 2, expected -1 to 1");
  EXPECT_EQ(refusal({.weight = -1}), "a sample weight is -1, expected a finite number of 0 or more");
  EXPECT_EQ(refusal({.weight = std::nan("")}),
            "a sample weight is nan, expected a finite number of 0 or more");
  EXPECT_EQ(refusal({.probabilities = three}), "a row has 3 probabilities, which does not fit 2 classes");
  EXPECT_EQ(refusal({.scores = three}, 4), "a row has 3 scores, which does not fit 4 classes");
  EXPECT_EQ(refusal({.scores = broken}), "one of the scores of a row is not a number");
  EXPECT_THROW(ClassificationScore(1), Error);
  EXPECT_THROW(ClassificationScore(2, 2), Error);
  EXPECT_THROW(ClassificationScore(2).merge(ClassificationScore(3)), Error);
}

TEST(CompensatedSum, KeepsWhatPlainAdditionLoses) {
  CompensatedSum sum, tail;
  sum.add(1e16);
  for (int i = 0; i < 10; ++i) tail.add(1);
  sum.merge(tail);
  sum.add(1);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 11);
  sum.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

RegressionScore regression(const Values& targets, const Values& predictions, const Values& weights = {}) {
  RegressionScore score;
  for (std::size_t i = 0; i < targets.size(); ++i)
    score.add(targets[i], predictions[i], weights.empty() ? 1 : weights[i]);
  return score;
}

TEST(RegressionMetrics, AgreeWithTheHandComputedValues) {
  // Errors 1, 0, -2; the target has mean 3 and spread 4 + 0 + 4.
  const RegressionMetrics m = regression({1, 3, 5}, {0, 3, 7}).result();
  EXPECT_EQ(m.rows, 3);
  EXPECT_EQ(m.sum_of_squares, 5);
  EXPECT_DOUBLE_EQ(*m.rmse, std::sqrt(5.0 / 3));
  EXPECT_EQ(*m.mae, 1);
  EXPECT_EQ(*m.r2, 1 - 5.0 / 8);
}

TEST(RegressionMetrics, WeightTwoIsTheRowTwiceAndWeightZeroIsTheRowAbsent) {
  const RegressionMetrics weighted = regression({1, 3, 5, 9}, {0, 3, 7, 1}, {1, 2, 1, 0}).result();
  const RegressionMetrics repeated = regression({1, 3, 3, 5}, {0, 3, 3, 7}).result();
  EXPECT_EQ(weighted.rows, 3);
  EXPECT_EQ(weighted.weight, repeated.weight);
  EXPECT_EQ(*weighted.rmse, *repeated.rmse);
  EXPECT_EQ(*weighted.mae, *repeated.mae);
  EXPECT_DOUBLE_EQ(*weighted.r2, *repeated.r2);
}

TEST(RegressionMetrics, MergeOfPartsIsTheWholeEvenFarFromZero) {
  Random random(7);
  Values targets, predictions, weights;
  for (int i = 0; i < 10000; ++i) {
    targets.push_back(1e8 + random.normal());
    predictions.push_back(targets.back() + 0.5 * random.normal());
    weights.push_back(random.uniform());
  }
  const RegressionMetrics whole = regression(targets, predictions, weights).result();
  RegressionScore merged;
  for (Index first = 0; first < 10000; first += 1234) {
    const Index last = std::min<Index>(10000, first + 1234);
    const auto part = [&](const Values& v) { return Values(v.begin() + first, v.begin() + last); };
    merged.merge(regression(part(targets), part(predictions), part(weights)));
  }
  const RegressionMetrics parts = merged.result();
  EXPECT_NEAR(*parts.rmse, *whole.rmse, 1e-15);
  EXPECT_NEAR(*parts.mae, *whole.mae, 1e-15);
  EXPECT_NEAR(*parts.r2, *whole.r2, 1e-9);
  EXPECT_NEAR(*whole.r2, 0.75, 0.02);
}

TEST(RegressionMetrics, TheMeanAsPredictionExplainsNothingAndAConstantTargetHasNoR2) {
  EXPECT_EQ(*regression({1, 2, 3}, {2, 2, 2}).result().r2, 0);
  const RegressionMetrics constant = regression({0.1, 0.1, 0.1}, {0.1, 0.2, 0.1}).result();
  EXPECT_FALSE(constant.r2);
  EXPECT_GT(*constant.rmse, 0);
  EXPECT_FALSE(RegressionScore().result().rmse);
}

TEST(RegressionMetrics, RefusesWhatIsNotFinite) {
  EXPECT_THROW(RegressionScore().add(std::nan(""), 1), Error);
  EXPECT_THROW(RegressionScore().add(1, std::numeric_limits<double>::infinity()), Error);
  EXPECT_THROW(RegressionScore().add(1, 1, -1), Error);
}

}  // namespace
}  // namespace discern::metrics_test
