// Verdicts on linear separability. Every proof is checked again here, from the rows and by its definition.
#include "discern/model/separable/separability.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "discern/base/error.hpp"
#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/catalogue/class_separability.hpp"
#include "tests/support/fitting.hpp"
#include "tests/support/problems.hpp"

namespace discern::separability_test {
namespace {

using support::data_file;
using Sides = std::vector<std::int8_t>;

RowMajor matrix(const std::vector<std::vector<double>>& rows) {
  RowMajor m(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return m;
}

// The point that the shares of a class describe, in extended precision.
std::vector<long double> mean_of(const RowMajor& x, const std::vector<Share>& shares, long double& sum) {
  std::vector<long double> point(static_cast<std::size_t>(x.cols()));
  sum = 0;
  for (const Share& share : shares) {
    sum += share.share;
    for (Index j = 0; j < x.cols(); ++j)
      point[static_cast<std::size_t>(j)] += static_cast<long double>(share.share) * x(share.row, j);
  }
  return point;
}

void check_shares(const Separability& result, const RowMajor& x, const Sides& side, long double& distance) {
  long double sum = 0;
  const auto a = mean_of(x, result.positive, sum);
  EXPECT_NEAR(static_cast<double>(sum), 1, 1e-14);
  const auto b = mean_of(x, result.negative, sum);
  EXPECT_NEAR(static_cast<double>(sum), 1, 1e-14);
  for (const Share& share : result.positive) {
    EXPECT_GT(share.share, 0);
    EXPECT_EQ(side[static_cast<std::size_t>(share.row)], 1);
  }
  for (const Share& share : result.negative) {
    EXPECT_GT(share.share, 0);
    EXPECT_EQ(side[static_cast<std::size_t>(share.row)], -1);
  }
  distance = 0;
  for (std::size_t j = 0; j < a.size(); ++j) distance += (a[j] - b[j]) * (a[j] - b[j]);
  distance = std::sqrt(distance);
}

// Both proofs by their definitions, for margins in the units of x.
void check_proof(const Separability& result, const RowMajor& x, const Sides& side) {
  ASSERT_NE(result.verdict, Verdict::unproved);
  long double distance = 0;
  check_shares(result, x, side, distance);
  if (result.verdict == Verdict::not_separable) {
    EXPECT_LE(result.residual, 1e-13);
    EXPECT_LE(static_cast<double>(distance), 1e-12 * x.cwiseAbs().maxCoeff());
    return;
  }
  EXPECT_TRUE(result.converged);
  EXPECT_LE(result.gap, 1e-9);
  long double least = std::numeric_limits<long double>::infinity();
  const Linear& plane = result.plane;
  for (Index i = 0; i < x.rows(); ++i) {
    const int t = side[static_cast<std::size_t>(i)];
    if (t == 0) continue;
    long double g = plane.bias[0];
    for (Index j = 0; j < x.cols(); ++j)
      g += static_cast<long double>(plane.weights(0, j)) *
           (static_cast<long double>(x(i, j)) - (plane.center.size() > 0 ? plane.center[j] : 0.0));
    least = std::min(least, t * g);
  }
  EXPECT_GE(static_cast<double>(least), 1 - 1e-9);
  EXPECT_NEAR(static_cast<double>(least) / plane.weights.norm(), result.margin, 1e-9 * result.margin);
  // No plane has a margin of more than half the distance of two points of the hulls.
  EXPECT_NEAR(static_cast<double>(distance) / 2, result.margin, 1e-6 * result.margin);
}

Separability judge(const RowMajor& x, const Sides& side, const SeparabilityOptions& options = {}) {
  return separability(support::dense_features(x), side, options);
}

const std::vector<std::vector<double>> corners{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

TEST(Separability, OfXorIsRefutedByTheMiddleOfTheSquare) {
  const RowMajor x = matrix(corners);
  const Sides side{-1, 1, 1, -1};
  const Separability result = judge(x, side);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  check_proof(result, x, side);
  EXPECT_EQ(result.residual, 0);
  ASSERT_EQ(result.positive.size(), 2U);
  for (const Share& share : result.positive) EXPECT_DOUBLE_EQ(share.share, 0.5);
}

TEST(Separability, OfAndHasItsMarginByHand) {
  const RowMajor x = matrix(corners);
  const Sides side{-1, -1, -1, 1};
  const Separability result = judge(x, side);
  EXPECT_EQ(result.verdict, Verdict::separable);
  check_proof(result, x, side);
  EXPECT_NEAR(result.margin, std::sqrt(2.0) / 4, 1e-15);  // the plane x1 + x2 = 3/2
  EXPECT_NEAR(result.plane.weights(0, 0), 2, 1e-14);
  EXPECT_NEAR(result.plane.weights(0, 1), 2, 1e-14);
  EXPECT_NEAR(result.plane.bias_at_origin()[0], -3, 1e-14);
  // The mean of the two class means, (2/3, 2/3), has its foot at (3/4, 3/4); (0, 0) is farthest from it.
  EXPECT_NEAR(result.radius, 0.75 * std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(result.mistake_bound(), 9, 1e-12);
}

TEST(Separability, OfTheSamePointInBothClassesIsRefutedExactly) {
  const RowMajor x = matrix({{0.1, 7e9}, {3, 2e9}, {0.1, 7e9}, {5, 1e9}});
  const Sides side{1, 1, -1, -1};
  const Separability result = judge(x, side);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  EXPECT_EQ(result.residual, 0);
  check_proof(result, x, side);
}

TEST(Separability, OfOneSampleAClassIsHalfTheirDistance) {
  const RowMajor x = matrix({{1, 2, 3}, {4, 6, 3}});
  const Separability result = judge(x, {1, -1});
  check_proof(result, x, {1, -1});
  EXPECT_NEAR(result.margin, 2.5, 1e-15);
}

TEST(Separability, OfRowsThatAreAllTheSameIsRefuted) {
  const RowMajor x = matrix({{0.1, 2}, {0.1, 2}, {0.1, 2}});
  const Separability result = judge(x, {1, -1, -1});
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  EXPECT_EQ(result.residual, 0);
}

TEST(Separability, OfHullsThatOnlyTouchIsRefuted) {
  const RowMajor x = matrix({{0, 0}, {3, 0}, {1, 0}, {1, 5}, {2, 7}});
  const Sides side{1, 1, -1, -1, -1};
  const Separability result = judge(x, side);
  EXPECT_EQ(result.verdict, Verdict::not_separable);
  check_proof(result, x, side);
}

RowMajor random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  RowMajor x(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) x(i, j) = random.normal();
  return x;
}

Sides alternating(Index rows) {
  Sides side;
  for (Index i = 0; i < rows; ++i) side.push_back(i % 2 == 0 ? 1 : -1);
  return side;
}

TEST(Separability, OfMoreFeaturesThanSamplesIsGivenWithItsMargin) {
  const RowMajor x = random_matrix(20, 60, 1);
  const Separability result = judge(x, alternating(20));
  EXPECT_EQ(result.verdict, Verdict::separable);
  check_proof(result, x, alternating(20));
}

TEST(Separability, IsProvedForCloudsAtAnyDistance) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RowMajor x = random_matrix(60, 1 + static_cast<Index>(seed % 7), seed);
    const Sides side = alternating(60);
    for (Index i = 0; i < 60; i += 2) x(i, 0) += 0.25 * static_cast<double>(seed);
    check_proof(judge(x, side), x, side);
  }
}

// A plane with noise-free labels and a gap that shrinks until double precision ends.
TEST(Separability, FindsNarrowGaps) {
  for (const double gap : {1e-3, 1e-6, 1e-9}) {
    RowMajor x = random_matrix(200, 3, 5);
    Sides side;
    for (Index i = 0; i < x.rows(); ++i) {
      side.push_back(i % 2 == 0 ? 1 : -1);
      const double t = side.back();
      const double g = x(i, 0) + 2 * x(i, 1) - x(i, 2);
      x(i, 0) += t * (gap + std::fabs(g)) - g;
    }
    const Separability result = judge(x, side);
    ASSERT_EQ(result.verdict, Verdict::separable) << gap;
    EXPECT_GE(result.margin, gap / std::sqrt(6.0) * (1 - 1e-6));
  }
}

TEST(Separability, DoesNotDependOnUnitsAndTheStandardisedMarginNeither) {
  RowMajor x = random_matrix(30, 10, 3);
  for (Index i = 0; i < x.rows(); i += 2) x(i, 4) += 3;
  RowMajor other = x;
  for (Index j = 0; j < x.cols(); ++j)
    other.col(j) = other.col(j).array() * std::pow(10.0, static_cast<double>(2 * j - 9)) + std::pow(10.0, j);
  const Sides side = alternating(30);
  SeparabilityOptions options;
  options.standardize = true;
  const Separability a = judge(x, side, options), b = judge(other, side, options);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.verdict, Verdict::separable);
  EXPECT_NEAR(a.margin, b.margin, 1e-4 * a.margin);  // digits that the shift took
  EXPECT_TRUE(b.converged);
}

TEST(Separability, DenseEqualsSparseAndOneThreadEqualsMany) {
  for (const double shift : {0.0, 6.0}) {
    RowMajor x = random_matrix(9000, 6, 7);
    const Sides side = alternating(9000);
    for (Index i = 0; i < x.rows(); i += 2) x(i, 1) += shift * 2;
    x = x.unaryExpr([](double v) { return std::fabs(v) < 0.3 ? 0.0 : v; });
    const Separability dense = judge(x, side);
    const Separability sparse = separability(support::sparse_features(x), side);
    EXPECT_EQ(dense.verdict, shift > 0 ? Verdict::separable : Verdict::not_separable);
    EXPECT_EQ(sparse.verdict, dense.verdict);
    EXPECT_NEAR(sparse.margin, dense.margin, 1e-9);
    EXPECT_NEAR(sparse.radius, dense.verdict == Verdict::separable ? dense.radius : sparse.radius, 1e-9);
    check_proof(sparse, x, side);
    Separability one;
    with_threads(1, [&] { one = judge(x, side); });
    EXPECT_EQ(one.margin, dense.margin);
    EXPECT_TRUE(one.plane.weights == dense.plane.weights);
  }
}

TEST(Separability, ThroughTheOriginIsTheHullOfTheSignedSamples) {
  const RowMajor x = matrix({{1, 0}, {0, 1}, {-2, -2}});
  SeparabilityOptions options;
  options.bias = false;
  const Separability result = judge(x, {1, 1, -1}, options);
  EXPECT_EQ(result.verdict, Verdict::separable);
  EXPECT_NEAR(result.margin, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(result.plane.bias_at_origin()[0], 0);
  // On one side of the origin a bias is needed.
  const RowMajor line = matrix({{1}, {2}});
  EXPECT_EQ(judge(line, {1, -1}, options).verdict, Verdict::not_separable);
  options.augment = true;
  const Separability augmented = judge(line, {1, -1}, options);
  EXPECT_EQ(augmented.verdict, Verdict::separable);
  // The signed samples (1, 1) and (-2, -1): the line through them is 1/sqrt(13) from zero.
  EXPECT_NEAR(augmented.margin, 1 / std::sqrt(13.0), 1e-14);
  EXPECT_NEAR(augmented.radius, std::sqrt(5.0), 1e-14);
}

TEST(Separability, RefusesAClassWithoutRowsAndStopsWhenAsked) {
  const RowMajor x = matrix(corners);
  EXPECT_THROW(judge(x, {1, 1, 1, 1}), Error);
  EXPECT_THROW(judge(x, {1, 0, 0, 0}), Error);
  SeparabilityOptions options;
  options.monitor = [](const Progress&) { return false; };
  EXPECT_THROW(judge(x, {1, 1, -1, -1}, options), Error);
}

struct Known {
  std::string file, target, positive;  // against the rest
  bool separable;
};

// scipy 1.10.1, linprog(method="highs") on y (w.z + b) >= 1 with z-scores; where that is infeasible it found
// the multipliers of Gordan's alternative, with residuals below 1e-14.
TEST(Separability, AgreesWithLinearProgramming) {
  const std::vector<Known> known{{"iris.csv", "class", "setosa", true},
                                 {"iris.csv", "class", "versicolor", false},
                                 {"iris.csv", "class", "virginica", false},
                                 {"wine.csv", "class", "class_0", true},
                                 {"wine.csv", "class", "class_1", true},
                                 {"wine.csv", "class", "class_2", true},
                                 {"breast_cancer_wdbc.csv", "class", "", true},
                                 {"banknote.csv", "class", "", false},
                                 {"pima_tr.csv", "type", "", false},
                                 {"digits.csv", "class", "0", true},
                                 {"digits.csv", "class", "1", true},
                                 {"digits.csv", "class", "8", false}};
  for (const Known& one : known) {
    FitSettings settings;
    settings.target = one.target;
    const Table table = support::read_for(data_file(one.file), support::Request{.target = one.target});
    const ClassSeparability all = class_separability(table, settings, true);
    bool found = false;
    for (const PairSeparability& pair : all.pairs) {
      if (!one.positive.empty() && all.classes[static_cast<std::size_t>(pair.positive)] != one.positive)
        continue;
      found = true;
      EXPECT_EQ(pair.result.verdict, one.separable ? Verdict::separable : Verdict::not_separable)
          << one.file << ' ' << one.positive;
      if (one.separable) {
        EXPECT_LE(pair.result.gap, 1e-9) << one.file << ' ' << one.positive;
      }
    }
    EXPECT_TRUE(found) << one.file << ' ' << one.positive;
  }
}

TEST(ClassSeparability, JudgesEveryPairOrEachAgainstTheRest) {
  FitSettings settings;
  settings.target = "class";
  const Table table = support::read_for(data_file("iris.csv"), support::Request{});
  const ClassSeparability pairs = class_separability(table, settings, false);
  ASSERT_EQ(pairs.pairs.size(), 3U);
  EXPECT_EQ(pairs.pairs[0].positive_rows, 50);
  EXPECT_EQ(pairs.pairs[0].result.verdict, Verdict::separable);
  EXPECT_EQ(pairs.pairs[2].result.verdict, Verdict::not_separable);
  EXPECT_EQ(class_separability(table, settings, true).pairs[0].negative_rows, 100);
}

}  // namespace
}  // namespace discern::separability_test
