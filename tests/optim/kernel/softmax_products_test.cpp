// Products with the single-precision copy of rows are those with the rows themselves, to single precision.
#include "discern/optim/kernel/softmax_products.hpp"

#include <gtest/gtest.h>

#include "discern/base/random.hpp"
#include "discern/base/threads.hpp"
#include "discern/optim/kernel/hessian_products.hpp"

namespace discern::softmax_products_test {
namespace {

using Eigen::VectorXd;

VectorXd random_vector(Index size, std::uint64_t seed) {
  Random random(seed);
  VectorXd v(size);
  for (double& u : v) u = 0.3 * random.normal();
  return v;
}

// Rows enough for a copy, of columns whose units differ, far from zero where they are dense.
class SoftmaxProblem {
 public:
  SoftmaxProblem(bool sparse, Index classes, bool bias = true, double weight = 0) {
    const Index rows = sparse ? 9000 : 20000, cols = sparse ? 500 : 37;
    Random random(3);
    if (sparse)
      x_ = sparse_rows(rows, cols, random);
    else
      x_ = dense_rows_of(rows, cols, random);
    for (Index i = 0; i < rows; ++i) {
      targets_.labels.push_back(static_cast<std::int32_t>(i % classes));
      if (weight > 0) targets_.weights.push_back(weight * (1 + random.uniform()));
    }
    problem_.source = &source_;
    problem_.loss = SoftmaxLoss{};
    problem_.scores = classes;
    problem_.bias = bias;
    problem_.scaling = fit_scaling(source_, {}, {});
    set_penalty(problem_, {.l2 = 0.3});
  }
  SoftmaxProblem(const SoftmaxProblem&) = delete;
  SoftmaxProblem& operator=(const SoftmaxProblem&) = delete;
  const Problem& problem() const { return problem_; }

 private:
  static Features dense_rows_of(Index rows, Index cols, Random& random) {
    DenseMatrix<double> x{Buffer<double>(rows * cols), rows, cols};
    for (Index i = 0; i < rows * cols; ++i)
      x.values[i] = std::exp2(static_cast<double>(i % cols)) * (1000 + random.normal());
    return x;
  }
  static Features sparse_rows(Index rows, Index cols, Random& random) {
    constexpr Index entries = 7;
    SparseMatrix<double> x{Buffer<double>(rows * entries), Buffer<std::uint32_t>(rows * entries),
                           Buffer<std::int64_t>(rows + 1), rows, cols};
    x.starts[0] = 0;
    for (Index i = 0; i < rows; ++i) {
      const Index some = entries - i % 3;  // even and odd numbers of entries
      x.starts[i + 1] = x.starts[i] + some;
      for (Index k = 0; k < some; ++k) {
        const Index place = x.starts[i] + k, step = cols / entries;
        x.columns[place] = static_cast<std::uint32_t>(k * step) +
                           static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(step)));
        x.values[place] = (1 + static_cast<double>(k)) * random.normal();
      }
    }
    return x;
  }

  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
};

void expect_products_of_the_function(const Problem& problem, double size = 1) {
  ASSERT_TRUE(SoftmaxProducts::worthwhile(problem));
  LinearFunction function(problem);
  function.evaluate(random_vector(function.size(), 1), {});
  SoftmaxProducts products(function, {});
  for (const std::uint64_t seed : {2, 3}) {
    VectorXd v = size * random_vector(function.size(), seed);
    if (!problem.bias) v.head(problem.scores).setZero();
    const VectorXd expected = function.hessian_times(v, nullptr, {});
    EXPECT_LT((products.times(v, {}) - expected).norm(), 1e-6 * expected.norm());
  }
}

// One vector of classes, two, three, four, and more than are multiplied together.
class SoftmaxProductsOf : public ::testing::TestWithParam<std::tuple<bool, Index>> {};

TEST_P(SoftmaxProductsOf, AreThoseOfTheFunction) {
  const auto [sparse, classes] = GetParam();
  expect_products_of_the_function(SoftmaxProblem(sparse, classes).problem());
}

TEST_P(SoftmaxProductsOf, AreSoWithoutABias) {
  const auto [sparse, classes] = GetParam();
  expect_products_of_the_function(SoftmaxProblem(sparse, classes, false).problem());
}

TEST_P(SoftmaxProductsOf, AreTheSameOnAnyNumberOfThreads) {
  const auto [sparse, classes] = GetParam();
  const SoftmaxProblem made(sparse, classes);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  const VectorXd v = random_vector(function.size(), 2);
  VectorXd one, three;
  with_threads(1, [&] { one = SoftmaxProducts(function, {}).times(v, {}); });
  with_threads(3, [&] { three = SoftmaxProducts(function, {}).times(v, {}); });
  EXPECT_EQ(one, three);
}

INSTANTIATE_TEST_SUITE_P(Classes, SoftmaxProductsOf,
                         ::testing::Combine(::testing::Bool(), ::testing::Values(3, 8, 10, 20, 26, 37)));

// Numbers that single precision does not hold.
TEST(SoftmaxProducts, DoNotDependOnTheSizeOfWeightsAndVectors) {
  for (const double size : {1e-60, 1e60}) {
    expect_products_of_the_function(SoftmaxProblem(false, 4, true, size).problem(), 1 / size);
    expect_products_of_the_function(SoftmaxProblem(true, 4, true, size).problem(), 1 / size);
  }
}

TEST(SoftmaxProducts, AreThoseThatNewtonTakesForAllCoordinates) {
  const SoftmaxProblem made(false, 5);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  const VectorXd v = random_vector(function.size(), 2);
  EXPECT_EQ(HessianProducts(function, Monitor{}).times(v, {}), SoftmaxProducts(function, {}).times(v, {}));
}

// A mean of a thousand deviations that no centre takes off.
TEST(SoftmaxProducts, AreLeftToTheRowsThemselvesFarFromZero) {
  SoftmaxProblem made(false, 5);
  Problem uncentred = made.problem();
  uncentred.scaling.center.setZero();
  LinearFunction function(uncentred);
  function.evaluate(VectorXd::Zero(function.size()), {});
  EXPECT_FALSE(SoftmaxProducts(function, {}).keeps_digits());
  const VectorXd v = random_vector(function.size(), 2);
  EXPECT_EQ(HessianProducts(function, Monitor{}).times(v, {}), function.hessian_times(v, nullptr, {}));
}

TEST(SoftmaxProducts, EndWhenTheMonitorSaysSo) {
  const SoftmaxProblem made(false, 3);
  LinearFunction function(made.problem());
  function.evaluate(random_vector(function.size(), 1), {});
  SoftmaxProducts products(function, {});
  const VectorXd v = random_vector(function.size(), 2);
  EXPECT_THROW(products.times(v, [](const Progress&) { return false; }), Error);
}

}  // namespace
}  // namespace discern::softmax_products_test
