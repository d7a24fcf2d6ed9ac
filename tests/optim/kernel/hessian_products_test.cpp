// Products with the copy of sparse rows are those with the rows themselves, to single precision.
#include "discern/optim/kernel/hessian_products.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/solver/newton_cg.hpp"

namespace discern::hessian_products_test {
namespace {

using Eigen::VectorXd;

// Enough rows for a copy to be made, five entries each, the first features more often than the last.
class SparseProblem {
 public:
  // `weight`: of every other row, where not all have the same.
  SparseProblem(Index cols, bool bias, double weight = 1, Index rows = 8 * 2048) {
    constexpr Index entries = 5;
    Random random(3);
    SparseMatrix<double> x{Buffer<double>(rows * entries), Buffer<std::uint32_t>(rows * entries),
                           Buffer<std::int64_t>(rows + 1), rows, cols};
    x.starts[0] = 0;
    for (Index i = 0; i < rows; ++i) {
      for (Index k = 0; k < entries; ++k) {  // one of each fifth of the features
        const double u = random.uniform();
        const Index place = i * entries + k;
        x.columns[place] = static_cast<std::uint32_t>(k * cols / entries) +
                           static_cast<std::uint32_t>(u * u * static_cast<double>(cols / entries));
        x.values[place] = (1 + static_cast<double>(k)) * random.normal();
      }
      x.starts[i + 1] = (i + 1) * entries;
      targets_.labels.push_back(i % 3 == 0);
      if (weight != 1) targets_.weights.push_back(i % 2 == 0 ? weight : 1);
    }
    x_ = std::move(x);
    problem_.source = &source_;
    problem_.bias = bias;
    problem_.scaling = fit_scaling(source_, {}, {});
    set_penalty(problem_, {.l2 = 0.3});
  }
  SparseProblem(const SparseProblem&) = delete;
  SparseProblem& operator=(const SparseProblem&) = delete;
  const Problem& problem() const { return problem_; }

 private:
  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
};

VectorXd random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  VectorXd v(size);
  for (double& u : v) u = 0.3 * random.normal();
  return v;
}

// More features than numbers of 16 bits have, and fewer.
class ProductsOfACopy : public ::testing::TestWithParam<Index> {};

TEST_P(ProductsOfACopy, AreThoseOfTheFunction) {
  for (const bool bias : {true, false}) {
    const SparseProblem made(GetParam(), bias);
    LinearFunction function(made.problem());
    function.evaluate(random_vector(function.size(), 1), {});
    HessianProducts products(function, Monitor{});
    const VectorXd v = random_vector(function.size(), 2), expected = function.hessian_times(v, nullptr, {});
    EXPECT_LT((products.times(v, {}) - expected).norm(), 1e-6 * expected.norm());
    const VectorXd diagonal = function.hessian_diagonal({});
    EXPECT_LT((products.diagonal({}) - diagonal).norm(), 1e-6 * diagonal.norm());
    const VectorXd sums = function.transposed_times(function.curvature(), {});
    EXPECT_LT((products.sums({}) - sums).norm(), 1e-6 * sums.norm());
  }
}

// Numbers that single precision does not hold.
TEST_P(ProductsOfACopy, AreSoWhateverTheSizeOfTheCurvatureAndOfTheVector) {
  const SparseProblem made(GetParam(), true);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  const RowMajor curvature = function.curvature();
  for (const double size : {1e-60, 1e-40, 1e40, 1e100}) {
    function.set_curvature(size * curvature);
    HessianProducts products(function, Monitor{});
    const VectorXd v = random_vector(function.size(), 2) / size,
                   expected = function.hessian_times(v, nullptr, {});
    EXPECT_LT((products.times(v, {}) - expected).norm(), 1e-6 * expected.norm()) << size;
    const VectorXd diagonal = function.hessian_diagonal({});
    EXPECT_LT((products.diagonal({}) - diagonal).norm(), 1e-6 * diagonal.norm()) << size;
  }
}

TEST_P(ProductsOfACopy, OnSomeCoordinatesAreTheirPartOfTheWhole) {
  const SparseProblem made(GetParam(), false);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  std::vector<Index> some(static_cast<std::size_t>(function.size() / 3));
  for (std::size_t k = 0; k < some.size(); ++k) some[k] = 3 * static_cast<Index>(k) + 2;
  HessianProducts products(function, {1, 2, 5}, {});
  for (const std::vector<Index>& coordinates : {std::vector<Index>{1, 2, 5}, some}) {
    products.restrict_to(coordinates, {});
    const VectorXd v = random_vector(static_cast<Index>(coordinates.size()), 2);
    VectorXd whole = VectorXd::Zero(function.size());
    whole(coordinates) = v;
    const VectorXd expected = function.hessian_times(whole, nullptr, {})(coordinates);
    EXPECT_LT((products.times(v, {}) - expected).norm(), 1e-6 * expected.norm());
  }
}

TEST_P(ProductsOfACopy, GiveValueAndGradientToSixDigits) {
  for (const bool bias : {true, false})
    for (const bool hinge : {true, false}) {
      SparseProblem made(GetParam(), bias);
      Problem problem = made.problem();
      if (hinge) problem.loss = SquaredHingeLoss{};
      LinearFunction function(problem), rough(problem);
      HessianProducts products(rough, Monitor{});
      const VectorXd point = random_vector(function.size(), 1);
      const Evaluation expected = function.evaluate(point, {});
      ASSERT_TRUE(products.has_single_copy());
      const Evaluation found = products.evaluate_single(rough, point, {});
      EXPECT_NEAR(found.value, expected.value, 1e-6 * expected.value);
      EXPECT_LT((found.gradient - expected.gradient).norm(), 1e-6 * expected.gradient.norm());
      EXPECT_LT((rough.scores() - function.scores()).norm(), 1e-6 * function.scores().norm());
      EXPECT_LT((rough.curvature() - function.curvature()).norm(), 1e-3 * function.curvature().norm());
    }
}

TEST_P(ProductsOfACopy, GlanceAtRowsOfAnyWeight) {
  SparseProblem made(GetParam(), true, 1e60);
  LinearFunction function(made.problem()), rough(made.problem());
  HessianProducts products(rough, Monitor{});
  const VectorXd point = random_vector(function.size(), 1);
  const Evaluation expected = function.evaluate(point, {}),
                   found = products.evaluate_single(rough, point, {});
  EXPECT_NEAR(found.value, expected.value, 1e-6 * expected.value);
  EXPECT_LT((found.gradient - expected.gradient).norm(), 1e-6 * expected.gradient.norm());
}

TEST(NewtonCg, ReportsWhatItsLastPointHasToTheLastDigit) {
  const SparseProblem made(4000, true);
  for (const double tol : {0.3, 1e-3, 1e-9})
    for (const Index most : {Index{1}, Index{2}, Index{100}}) {
      LinearFunction function(made.problem()), again(made.problem());
      const Minimum found =
          newton_cg(function, VectorXd::Zero(function.size()), {.tol = tol, .max_iter = most, .monitor = {}});
      const Evaluation there = again.evaluate(found.point, {});
      EXPECT_EQ(found.value, there.value) << tol << " " << most;
      EXPECT_EQ(found.converged, found.certificate <= tol) << tol << " " << most;
    }
}

TEST_P(ProductsOfACopy, AreTheSameOnAnyNumberOfThreads) {
  const SparseProblem made(GetParam(), true);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  const VectorXd v = random_vector(function.size(), 2);
  VectorXd one, three;
  with_threads(1, [&] { one = HessianProducts(function, Monitor{}).times(v, {}); });
  with_threads(3, [&] { three = HessianProducts(function, Monitor{}).times(v, {}); });
  EXPECT_EQ(one, three);
}

// Fewer blocks than lanes leave some lanes without rows.
TEST_P(ProductsOfACopy, OfAFewBlocksAreThoseOfTheFunction) {
  for (const Index rows : {3 * 2048, 3 * 2048 + 5, 5 * 2048}) {
    const SparseProblem made(GetParam(), true, 1, rows);
    LinearFunction function(made.problem()), again(made.problem());
    const VectorXd point = random_vector(function.size(), 1), v = random_vector(function.size(), 2);
    function.evaluate(point, {});
    HessianProducts products(function, Monitor{});
    EXPECT_EQ(products.has_single_copy(), rows > 3 * 2048);
    const VectorXd expected = function.hessian_times(v, nullptr, {});
    for (int twice = 0; twice < 2; ++twice)
      EXPECT_LT((products.times(v, {}) - expected).norm(), 1e-6 * expected.norm()) << rows;
    if (!products.has_single_copy()) continue;
    const Evaluation exact = again.evaluate(point, {}),
                     single = products.evaluate_single(function, point, {});
    EXPECT_NEAR(single.value, exact.value, 1e-6 * exact.value);
    EXPECT_LT((single.gradient - exact.gradient).norm(), 1e-5 * exact.gradient.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Features, ProductsOfACopy, ::testing::Values(1000, 70000));

// Indicators of which each group sums to one, and rows of two classes whose weights are twelve orders apart:
// what rounds the gradient at zero is not to become a step in directions that the penalty alone holds.
TEST(NewtonCg, StartsExactlyWhereOnlyThePenaltyHoldsSomeDirections) {
  constexpr Index rows = 8 * 2048, groups = 10, levels = 20;
  Random random(8);
  SparseMatrix<double> x{Buffer<double>(rows * groups), Buffer<std::uint32_t>(rows * groups),
                         Buffer<std::int64_t>(rows + 1), rows, groups * levels};
  Targets targets;
  for (Index i = 0; i < rows; ++i) {
    x.starts[i] = i * groups;
    double score = 0;
    for (Index k = 0; k < groups; ++k) {
      const auto level = static_cast<std::uint32_t>(levels * random.uniform());
      x.columns[i * groups + k] = static_cast<std::uint32_t>(k * levels) + level;
      x.values[i * groups + k] = 1;
      score += k == 0 ? (level < 10 ? 2.0 : -2.0) : 0.0;
    }
    targets.labels.push_back(score + random.normal() > 0);
    targets.weights.push_back(targets.labels.back() == 1 ? 1e6 : 1e-6);
  }
  x.starts[rows] = rows * groups;
  const Features features = std::move(x);
  const MemorySource source(features, targets);
  Problem problem;
  problem.source = &source;
  problem.loss = SquaredHingeLoss{};
  problem.scaling = fit_scaling(source, {}, {});
  set_penalty(problem, {.l2 = 0.1});
  LinearFunction function(problem);
  SolverOptions options;
  const Minimum found = newton_cg(function, VectorXd::Zero(problem.size()), options);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, 20);
}

}  // namespace
}  // namespace discern::hessian_products_test
