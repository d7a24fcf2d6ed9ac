// From the margins of machines to labels and probabilities: the decisions against their definitions, the
// probabilities against closed forms and another algorithm, and what must hold whatever the margins are.
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <cmath>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/loss/logistic.hpp"
#include "discern/multiclass/calibrate.hpp"
#include "discern/multiclass/codes.hpp"

namespace discern::combine_test {
namespace {

Reduction one_vs_one(Index classes, Combining combining) {
  Reduction reduction;
  reduction.strategy = Strategy::one_vs_one;
  reduction.combining = combining;
  reduction.code = one_vs_one_code(classes);
  return reduction;
}

Reduction one_vs_rest(Index classes, Combining combining) {
  Reduction reduction;
  reduction.strategy = Strategy::one_vs_rest;
  reduction.combining = combining;
  reduction.code = one_vs_rest_code(classes);
  return reduction;
}

Reduction by_codes(Index classes, Combining combining, CodeKind kind = CodeKind::exhaustive) {
  Reduction reduction;
  reduction.strategy = Strategy::output_codes;
  reduction.combining = combining;
  MulticlassOptions options;
  options.code = kind;
  reduction.code = output_code(options, classes, 1);
  return reduction;
}

// c_lk, from the lists.
double side(const Reduction& reduction, std::size_t machine, std::int32_t k) {
  const Sides& sides = reduction.code[machine];
  if (std::count(sides.positive.begin(), sides.positive.end(), k) > 0) return 1;
  if (sides.negative.empty() || std::count(sides.negative.begin(), sides.negative.end(), k) > 0) return -1;
  return 0;
}

Matrix random_margins(Index rows, Index machines, std::uint64_t seed) {
  Random random(seed);
  Matrix margins(rows, machines);
  for (Index i = 0; i < margins.size(); ++i) margins.data()[i] = 2 * random.normal();
  return margins;
}

TEST(Combine, PairsAreAllPairsAndTheFirstClassIsPositive) {
  const CodeMatrix code = one_vs_one_code(4);
  ASSERT_EQ(code.size(), 6U);
  EXPECT_EQ(code[3].positive, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(code[3].negative, (std::vector<std::int32_t>{2}));
}

TEST(Combine, OneVsRestByMaximumTakesTheLargestMargin) {
  const Matrix margins{{-1, -2, -0.5}, {1, 3, 2}, {1, 1, 0}};
  EXPECT_EQ(combine(one_vs_rest(3, Combining::max), margins, Link::none, 3).labels,
            (std::vector<std::int32_t>{2, 1, 0}));
}

TEST(Combine, OneVsRestUnanimouslyNeedsExactlyOnePositive) {
  const Matrix margins{{1, -2, -0.5}, {1, 3, -2}, {-1, -1, -3}, {-1, 0, -1}};
  EXPECT_EQ(combine(one_vs_rest(3, Combining::unanimous), margins, Link::none, 3).labels,
            (std::vector<std::int32_t>{0, undecided, undecided, 1}));
}

TEST(Combine, OneVsOneVotesAndTiesGoToTheLargerSum) {
  // Machines 0:1, 0:2, 1:2. A class with two wins; then three classes with one win each.
  const Matrix margins{{1, 1, -1}, {1, -1, 1}, {0.2, -2, 1}, {-3, 0.1, 0.1}};
  const Combined said = combine(one_vs_one(3, Combining::vote), margins, Link::none, 3);
  // Sums of the second row are all 0, so the first class; of the third -1.8, 0.8, 1; of the last 1 has two
  // wins.
  EXPECT_EQ(said.labels, (std::vector<std::int32_t>{0, 0, 2, 1}));
  EXPECT_EQ(combine(one_vs_one(3, Combining::unanimous), margins, Link::none, 3).labels,
            (std::vector<std::int32_t>{0, undecided, undecided, 1}));
  EXPECT_EQ(combine(one_vs_one(3, Combining::sum), margins, Link::none, 3).labels,
            (std::vector<std::int32_t>{0, 0, 2, 1}));
}

TEST(Combine, EveryDecisionIsItsDefinition) {
  for (const auto& reduction :
       {one_vs_one(5, Combining::vote), one_vs_one(5, Combining::sum), by_codes(5, Combining::vote),
        by_codes(5, Combining::sum), by_codes(8, Combining::sum, CodeKind::sparse)}) {
    const Index classes = reduction.strategy == Strategy::one_vs_one || reduction.machines() == 15 ? 5 : 8;
    const Matrix margins = random_margins(200, reduction.machines(), 3);
    const Combined said = combine(reduction, margins, Link::none, classes);
    for (Index i = 0; i < margins.rows(); ++i) {
      std::vector<std::pair<double, double>> value;  // what decides, and what breaks ties
      for (std::int32_t k = 0; k < classes; ++k) {
        double votes = 0, sum = 0, loss = 0;
        for (std::size_t l = 0; l < reduction.code.size(); ++l) {
          const double m = margins(i, static_cast<Index>(l)), c = side(reduction, l, k);
          votes += c * (m >= 0 ? 1 : -1);
          sum += c * m;
          loss += std::log(1 + std::exp(-c * m));  // log 2 where the class has no side
        }
        if (reduction.combining == Combining::vote)
          value.emplace_back(votes, sum);
        else
          value.emplace_back(reduction.strategy == Strategy::one_vs_one ? sum : -loss, 0);
      }
      EXPECT_EQ(said.labels[static_cast<std::size_t>(i)],
                std::max_element(value.begin(), value.end()) - value.begin());
    }
  }
}

TEST(Combine, HammingDecodingCorrectsAsManyMachinesAsTheCodePromises) {
  // Words of 15 machines at distance 8: any three of them may be wrong.
  const Reduction reduction = by_codes(5, Combining::vote);
  ASSERT_EQ(reduction.machines(), 15);
  EXPECT_EQ(least_distance(reduction.code, 5), 8);
  for (std::int32_t k = 0; k < 5; ++k)
    for (Index a = 0; a < 15; ++a)
      for (Index b = a; b < 15; ++b)
        for (Index c = b; c < 15; ++c) {
          Matrix margins(1, 15);
          for (Index l = 0; l < 15; ++l) margins(0, l) = side(reduction, static_cast<std::size_t>(l), k);
          for (const Index wrong : {a, b, c})
            margins(0, wrong) = -side(reduction, static_cast<std::size_t>(wrong), k);
          ASSERT_EQ(combine(reduction, margins, Link::none, 5).labels[0], k);
        }
}

TEST(Combine, CouplingRecoversProbabilitiesThatAgree) {
  const Vector p{{0.1, 0.4, 0.25, 0.2, 0.05}};
  Matrix margins(1, 10);
  Index l = 0;
  for (Index i = 0; i < 5; ++i)
    for (Index j = i + 1; j < 5; ++j) margins(0, l++) = std::log(p[i] / p[j]);
  const Combined said = combine(one_vs_one(5, Combining::vote), margins, Link::logistic, 5);
  EXPECT_LT((said.proba.row(0).transpose() - p).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(said.labels[0], 1);
}

// Wu, Lin and Weng 2004, algorithm 2: p_t <- (-sum_{j != t} Q_tj p_j + p'Qp) / Q_tt, normalised, in turn.
Vector coupled_in_turn(const Matrix& r) {
  const Index classes = r.rows();
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(classes, classes);
  for (Index i = 0; i < classes; ++i)
    for (Index j = 0; j < classes; ++j) {
      if (i == j) continue;
      q(i, i) += r(j, i) * r(j, i);
      q(i, j) = -r(j, i) * r(i, j);
    }
  Vector p = Vector::Constant(classes, 1.0 / static_cast<double>(classes));
  for (int round = 0; round < 10000; ++round)
    for (Index t = 0; t < classes; ++t) {
      p[t] = (p.dot(q * p) - (q.row(t).dot(p) - q(t, t) * p[t])) / q(t, t);
      p /= p.sum();
    }
  return p;
}

TEST(Combine, CouplingIsTheMinimumThatAnotherAlgorithmFinds) {
  const Matrix margins = random_margins(20, 6, 5);
  Reduction reduction = one_vs_one(4, Combining::unanimous);  // whose labels change nothing where undecided
  const Combined said = combine(reduction, margins, Link::logistic, 4);
  int compared = 0;
  for (Index n = 0; n < 20; ++n) {
    Matrix r = Matrix::Zero(4, 4);
    for (Index i = 0, l = 0; i < 4; ++i)
      for (Index j = i + 1; j < 4; ++j, ++l) {
        r(i, j) = sigmoid(margins(n, l));
        r(j, i) = sigmoid(-margins(n, l));
      }
    const Vector p = coupled_in_turn(r);
    Index best = 0;
    p.maxCoeff(&best);
    if (said.labels[static_cast<std::size_t>(n)] != undecided &&
        said.labels[static_cast<std::size_t>(n)] != best)
      continue;
    ++compared;
    EXPECT_LT((said.proba.row(n).transpose() - p).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_GE(compared, 18);
}

TEST(Combine, OneVsRestProbabilitiesAreTheMachinesDividedByTheirSum) {
  const Matrix margins{{1, -2, 0.5}};
  const Combined said = combine(one_vs_rest(3, Combining::max), margins, Link::logistic, 3);
  const double sum = sigmoid(1) + sigmoid(-2) + sigmoid(0.5);
  EXPECT_NEAR(said.proba(0, 0), sigmoid(1) / sum, 1e-15);
  EXPECT_NEAR(said.proba(0, 1), sigmoid(-2) / sum, 1e-15);
}

TEST(Combine, AVoteAgainstTheCouplingGivesTheNearestProbabilitiesThatAgree) {
  // Class 0 narrowly wins both of its pairs, class 1 beats class 2 by far.
  const Matrix margins{{0.01, 0.01, 5}};
  const Combined said = combine(one_vs_one(3, Combining::vote), margins, Link::logistic, 3);
  ASSERT_EQ(said.labels[0], 0);
  Matrix r = Matrix::Zero(3, 3);
  r(0, 1) = r(0, 2) = sigmoid(0.01);
  r(1, 0) = r(2, 0) = sigmoid(-0.01);
  r(1, 2) = sigmoid(5);
  r(2, 1) = sigmoid(-5);
  const Vector p = coupled_in_turn(r);
  ASSERT_GT(p[1], p[0]);
  EXPECT_NEAR(said.proba(0, 0), (p[0] + p[1]) / 2, 1e-9);
  EXPECT_NEAR(said.proba(0, 1), (p[0] + p[1]) / 2, 1e-9);
  EXPECT_NEAR(said.proba(0, 2), p[2], 1e-9);
  EXPECT_GT(said.proba(0, 0), said.proba(0, 1));
}

RC_GTEST_PROP(Combine, ProbabilitiesSumToOneAndAgreeWithTheLabelWhateverTheMargins, ()) {
  const Index classes = *rc::gen::inRange<Index>(3, 7);
  const auto which = *rc::gen::inRange(0, 8);
  const Reduction reduction = which == 0   ? one_vs_rest(classes, Combining::max)
                              : which == 1 ? one_vs_rest(classes, Combining::unanimous)
                              : which == 2 ? one_vs_one(classes, Combining::unanimous)
                              : which == 3 ? one_vs_one(classes, Combining::vote)
                              : which == 4 ? one_vs_one(classes, Combining::sum)
                              : which == 5 ? by_codes(classes, Combining::unanimous)
                              : which == 6 ? by_codes(classes, Combining::vote)
                                           : by_codes(classes, Combining::sum, CodeKind::sparse);
  Matrix margins(1, reduction.machines());
  for (Index l = 0; l < margins.cols(); ++l)
    margins(0, l) = *rc::gen::element(0.0, 1e-17, -1e-17, 1e-3, -1e-3, 1.0, -1.0, 2.5, -4.0, 40.0, -40.0,
                                      800.0, -800.0, 1e308, -1e308);
  const Combined said = combine(reduction, margins, Link::logistic, classes);
  RC_ASSERT(said.proba.allFinite());
  RC_ASSERT(said.scores.allFinite());
  RC_ASSERT(said.proba.minCoeff() >= 0.0);
  RC_ASSERT(std::fabs(said.proba.sum() - 1) < 1e-12);
  Index best = 0;
  said.proba.row(0).maxCoeff(&best);
  if (said.labels[0] != undecided) RC_ASSERT(best == said.labels[0]);
}

TEST(Codes, ExhaustiveOnesHaveAllSplitsAndTheirDistance) {
  for (Index classes = 3; classes <= 8; ++classes) {
    MulticlassOptions options;
    options.code = CodeKind::exhaustive;
    const CodeMatrix code = output_code(options, classes, 0);
    EXPECT_EQ(static_cast<Index>(code.size()), (1 << (classes - 1)) - 1);
    EXPECT_EQ(least_distance(code, classes), 1 << (classes - 2));
  }
}

TEST(Codes, RandomOnesComeFromTheSeedAndTellAllClassesApart) {
  for (const CodeKind kind : {CodeKind::dense, CodeKind::sparse}) {
    MulticlassOptions options;
    options.code = kind;
    const CodeMatrix code = output_code(options, 26, 7), again = output_code(options, 26, 7),
                     other = output_code(options, 26, 8);
    EXPECT_EQ(code.size(), kind == CodeKind::dense ? 48U : 71U);  // 10 and 15 times log2 26, rounded up
    EXPECT_GT(least_distance(code, 26), kind == CodeKind::dense ? 10 : 20);
    bool same = true, differs = false;
    for (std::size_t l = 0; l < code.size(); ++l) {
      EXPECT_FALSE(code[l].positive.empty());
      EXPECT_FALSE(code[l].negative.empty());
      EXPECT_EQ(kind == CodeKind::dense, code[l].positive.size() + code[l].negative.size() == 26);
      same = same && code[l].positive == again[l].positive && code[l].negative == again[l].negative;
      differs = differs || code[l].positive != other[l].positive;
    }
    EXPECT_TRUE(same);
    EXPECT_TRUE(differs);
  }
}

TEST(Codes, ImpossibleOnesAreRefused) {
  MulticlassOptions options;
  options.code = CodeKind::exhaustive;
  EXPECT_THROW(output_code(options, 12, 0), Error);
  options.code = CodeKind::dense;
  options.code_length = 2;
  EXPECT_THROW(output_code(options, 5, 0), Error);  // four words of two places
}

ScoredRows noisy_scores(std::uint64_t seed, bool weighted) {
  Random random(seed);
  ScoredRows rows;
  for (int i = 0; i < 300; ++i) {
    rows.scores.push_back(std::round(20 * random.normal()) / 10);  // with ties
    rows.positive.push_back(random.uniform() < sigmoid(1.5 * rows.scores.back() - 0.5));
    if (weighted) rows.weights.push_back(0.5 + random.uniform());
  }
  return rows;
}

TEST(Calibrate, PlattsCurveHasNoSlopeLeftInItsLikelihood) {
  for (const bool weighted : {false, true}) {
    const ScoredRows rows = noisy_scores(1, weighted);
    const Calibration curve = calibrate(CalibrationKind::platt, {rows});
    const auto weight = [&](std::size_t i) { return weighted ? rows.weights[i] : 1.0; };
    double positive = 0, negative = 0, level = 0, slope = 0;
    for (std::size_t i = 0; i < rows.scores.size(); ++i)
      (rows.positive[i] ? positive : negative) += weight(i);
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      const double target = rows.positive[i] ? (positive + 1) / (positive + 2) : 1 / (negative + 2);
      const double left = weight(i) * (target - sigmoid(curve.log_odds(0, rows.scores[i])));
      level += left;
      slope += left * rows.scores[i];
    }
    EXPECT_NEAR(level, 0, 1e-7);
    EXPECT_NEAR(slope, 0, 1e-7);
    EXPECT_NEAR(curve.slope[0], 1.5, 0.4);
  }
}

TEST(Calibrate, IsotonicIsTheMaxMinOfMeans) {
  const ScoredRows rows = noisy_scores(2, true);
  const Calibration curve = calibrate(CalibrationKind::isotonic, {rows});
  std::vector<double> levels = rows.scores;
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  double total = 0;
  for (const double weight : rows.weights) total += weight;
  const auto mean = [&](double low, double high) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < rows.scores.size(); ++i) {
      if (rows.scores[i] < low || rows.scores[i] > high) continue;
      weight += rows.weights[i];
      sum += rows.positive[i] ? rows.weights[i] : 0;
    }
    return sum / weight;
  };
  for (const double score : {levels[0], levels[5], levels[20], levels[levels.size() / 2], levels.back()}) {
    double value = 0;
    for (const double low : levels) {
      if (low > score) continue;
      double least = 1;
      for (const double high : levels)
        if (high >= score) least = std::min(least, mean(low, high));
      value = std::max(value, least);
    }
    value = std::clamp(value, 1 / (total + 2), 1 - 1 / (total + 2));
    EXPECT_NEAR(sigmoid(curve.log_odds(0, score)), value, 1e-12) << score;
  }
  EXPECT_EQ(curve.log_odds(0, -1e300), curve.log_odds(0, levels[0]));
  EXPECT_EQ(curve.log_odds(0, 1e300), curve.log_odds(0, levels.back()));
}

TEST(Calibrate, PartsHaveTheClassesInEqualShares) {
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 103; ++i) labels.push_back(i % 7 == 0 ? 2 : i % 2);
  const auto parts = stratified_parts(labels, 5, 3);
  EXPECT_EQ(parts, stratified_parts(labels, 5, 3));
  EXPECT_NE(parts, stratified_parts(labels, 5, 4));
  for (std::int32_t k = 0; k < 3; ++k) {
    std::vector<Index> count(5);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == k) ++count[static_cast<std::size_t>(parts[i])];
    EXPECT_LE(*std::max_element(count.begin(), count.end()) - *std::min_element(count.begin(), count.end()),
              1);
  }
}

}  // namespace
}  // namespace discern::combine_test
