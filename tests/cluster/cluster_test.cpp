// k-means and Gaussian mixtures against their definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/cluster/kmeans.hpp"
#include "discern/cluster/mixture.hpp"
#include "tests/support/problems.hpp"

namespace discern::cluster_test {
namespace {

Points points_of(const RowMajor& values, const std::vector<double>& weights = {}, bool sparse = false) {
  const Features x = sparse ? support::sparse_features(values) : support::dense_features(values);
  Targets targets;
  targets.weights = weights;
  const MemorySource source(x, targets);
  Coordinates plain{{}, Eigen::VectorXd::Zero(values.cols()), Eigen::VectorXd::Ones(values.cols())};
  for (Index j = 0; j < values.cols(); ++j) plain.columns.push_back(j);
  return gather_points(source, plain, values.rows());
}

// Groups around corners of a cube, with some exact zeros.
RowMajor cloud(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  RowMajor values(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    const std::uint64_t corner = random.below(8);
    for (Index j = 0; j < cols; ++j)
      values(i, j) =
          random.below(5) == 0 ? 0.0 : random.normal() + (((corner >> (j % 3)) & 1U) != 0 ? 4.0 : 0.0);
  }
  return values;
}

double objective(const RowMajor& x, const RowMajor& centers) {
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i)
    sum += (centers.rowwise() - x.row(i)).rowwise().squaredNorm().minCoeff();
  return sum;
}

TEST(KMeans, TheObjectiveNeverRisesAndIsThatOfTheCentresGiven) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RowMajor values = cloud(700, 5, seed);
    const KMeans found = kmeans(points_of(values), {.centers = 12, .seed = seed, .tol = 0, .max_iter = 200});
    ASSERT_GT(found.iterations(), 3);
    for (std::size_t t = 1; t < found.objectives.size(); ++t)
      EXPECT_LE(found.objectives[t], found.objectives[t - 1] * (1 + 1e-12));
    EXPECT_NEAR(found.objective(), objective(values, found.centers), 1e-9 * found.objective());
    EXPECT_TRUE(found.converged);
    // At the end every centre is the mean of its points.
    RowMajor sums = RowMajor::Zero(12, 5);
    for (Index i = 0; i < values.rows(); ++i)
      sums.row(found.nearest[static_cast<std::size_t>(i)]) += values.row(i);
    for (Index k = 0; k < 12; ++k)
      EXPECT_LT((sums.row(k) / found.weight[k] - found.centers.row(k)).norm(), 1e-10);
  }
}

// The best of all partitions of nine points into three, by trying 3^9 of them.
double least_objective(const RowMajor& x, Index centers) {
  double least = std::numeric_limits<double>::infinity();
  const auto all = static_cast<Index>(std::pow(centers, x.rows()));
  for (Index code = 0; code < all; ++code) {
    RowMajor sums = RowMajor::Zero(centers, x.cols());
    Eigen::VectorXd count = Eigen::VectorXd::Zero(centers);
    Index rest = code;
    std::vector<Index> part;
    for (Index i = 0; i < x.rows(); ++i, rest /= centers) {
      part.push_back(rest % centers);
      sums.row(part.back()) += x.row(i);
      count[part.back()] += 1;
    }
    double value = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      const Index k = part[static_cast<std::size_t>(i)];
      value += (x.row(i) - sums.row(k) / count[k]).squaredNorm();
    }
    least = std::min(least, value);
  }
  return least;
}

TEST(KMeans, FindsTheBestPartitionOfAFewPoints) {
  const RowMajor values{{0, 0}, {0, 1}, {1, 0}, {9, 9}, {9, 8}, {8, 9}, {0, 9}, {1, 8}, {0, 8}};
  const double least = least_objective(values, 3);
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    EXPECT_NEAR(kmeans(points_of(values), {.centers = 3, .seed = seed, .tol = 0}).objective(), least, 1e-12);
}

TEST(KMeans, AWeightIsTheRowRepeatedAndTheOrderDoesNotMatter) {
  const RowMajor values = cloud(300, 4, 7);
  std::vector<double> weights;
  std::vector<Index> repeated;
  for (Index i = 0; i < values.rows(); ++i) {
    weights.push_back(static_cast<double>(1 + i % 3));
    for (Index t = 0; t <= i % 3; ++t) repeated.push_back(values.rows() - 1 - i);
  }
  std::reverse(weights.begin(), weights.end());
  RowMajor again(static_cast<Index>(repeated.size()), 4);
  for (std::size_t r = 0; r < repeated.size(); ++r)
    again.row(static_cast<Index>(r)) = values.row(repeated[r]);
  const KMeansOptions options{.centers = 9, .seed = 5};
  const KMeans a = kmeans(points_of(values, weights), options), b = kmeans(points_of(again), options);
  EXPECT_LT((a.centers - b.centers).cwiseAbs().maxCoeff(), 1e-10);
  const KMeans sparse = kmeans(points_of(values, weights, true), options);
  EXPECT_TRUE(a.centers == sparse.centers);
}

TEST(KMeans, OneThreadAndTwoGiveTheSameBits) {
  const Points points = points_of(cloud(30000, 6, 8));
  KMeans one, two;
  with_threads(1, [&] { one = kmeans(points, {.centers = 20, .seed = 3}); });
  with_threads(2, [&] { two = kmeans(points, {.centers = 20, .seed = 3}); });
  EXPECT_TRUE(one.centers == two.centers);
  EXPECT_EQ(one.objectives, two.objectives);
}

TEST(KMeans, FewerDifferentPointsThanCentresGiveOneCentreEach) {
  const RowMajor values{{1, 2}, {1, 2}, {3, 4}, {1, 2}, {5, 6}};
  const KMeans found = kmeans(points_of(values), {.centers = 10});
  EXPECT_EQ(found.centers.rows(), 3);
  EXPECT_EQ(found.objective(), 0);
  EXPECT_EQ(random_rows(points_of(values), 10, 1).size(), 3U);
}

// A centre far from all points has none; it goes where it is needed.
TEST(KMeans, ACentreWithoutPointsGoesToTheFarthestOne) {
  const RowMajor values{{0, 0}, {1, 0}, {0, 1}, {20, 20}};
  const KMeans found = lloyd(points_of(values), RowMajor{{0.5, 0.5}, {1000, 1000}}, {.tol = 0});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.objective(), 4.0 / 3, 1e-12);
}

TEST(KMeans, TheStartSpreadsOverTheGroups) {
  Random random(4);
  RowMajor values(500, 2);
  for (Index i = 0; i < 500; ++i)
    values.row(i) << static_cast<double>(i % 5) * 100 + random.normal(), random.normal();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    std::vector<Index> groups;
    for (const Index row : kmeans_start(points_of(values), 5, seed)) groups.push_back(row % 5);
    std::sort(groups.begin(), groups.end());
    EXPECT_EQ(groups, (std::vector<Index>{0, 1, 2, 3, 4}));
  }
}

// ---- mixtures

double log_likelihood(const RowMajor& x, const Mixture& mixture) {
  double sum = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    double density = 0;
    for (Index k = 0; k < mixture.shares.size(); ++k) {
      double product = mixture.shares[k];
      for (Index j = 0; j < x.cols(); ++j) {
        const double v = mixture.variances(k, j), z = x(i, j) - mixture.means(k, j);
        product *= std::exp(-z * z / (2 * v)) / std::sqrt(2 * std::numbers::pi * v);
      }
      density += product;
    }
    sum += std::log(density);
  }
  return sum / static_cast<double>(x.rows());
}

TEST(Mixture, TheLikelihoodNeverFallsAndIsThatOfTheMixtureGiven) {
  const RowMajor values = cloud(600, 3, 9);
  const Mixture mixture =
      fit_mixture(points_of(values), {.components = 6, .seed = 1, .tol = 1e-8, .max_iter = 300});
  ASSERT_GT(mixture.iterations(), 5);
  for (std::size_t t = 1; t < mixture.log_likelihoods.size(); ++t)
    EXPECT_GE(mixture.log_likelihoods[t], mixture.log_likelihoods[t - 1] - 1e-12);
  EXPECT_TRUE(mixture.converged);
  EXPECT_NEAR(mixture.log_likelihoods.back(), log_likelihood(values, mixture), 1e-9);
  EXPECT_NEAR(mixture.shares.sum(), 1, 1e-12);
}

TEST(Mixture, OneComponentIsTheMeanAndTheVariance) {
  const RowMajor values = cloud(200, 3, 10);
  const Mixture mixture = fit_mixture(points_of(values), {.components = 1});
  const Eigen::RowVectorXd mean = values.colwise().mean();
  EXPECT_LT((mixture.means.row(0) - mean).norm(), 1e-12);
  EXPECT_LT((mixture.variances.row(0) - (values.rowwise() - mean).cwiseAbs2().colwise().mean()).norm(),
            1e-11);
}

TEST(Mixture, ComponentsDoNotCollapseAndDensitiesOfAnySizeDo) {
  RowMajor values = cloud(60, 2, 11);
  for (Index i = 0; i < 30; ++i) values.row(i).setConstant(50);  // half of the points are one
  values(59, 0) = 1e4;
  const Mixture mixture = fit_mixture(points_of(values), {.components = 5, .seed = 2});
  EXPECT_TRUE(mixture.variances.allFinite() && mixture.means.allFinite());
  EXPECT_TRUE(std::isfinite(mixture.log_likelihoods.back()));
  for (Index j = 0; j < 2; ++j) {
    const double mean = values.col(j).mean(), variance = (values.col(j).array() - mean).square().mean();
    EXPECT_GE(mixture.variances.col(j).minCoeff(), variance_floor * variance * (1 - 1e-12));
  }
}

TEST(Mixture, OneThreadAndTwoGiveTheSameBits) {
  const Points points = points_of(cloud(9000, 4, 12));
  Mixture one, two;
  with_threads(1, [&] { one = fit_mixture(points, {.components = 5, .max_iter = 20}); });
  with_threads(2, [&] { two = fit_mixture(points, {.components = 5, .max_iter = 20}); });
  EXPECT_TRUE(one.means == two.means && one.variances == two.variances);
  EXPECT_EQ(one.log_likelihoods, two.log_likelihoods);
}

}  // namespace
}  // namespace discern::cluster_test
