// What the preconditioner knows of sparse features: that they are not centred.
#include "discern/optim/solver/preconditioner.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "discern/base/random.hpp"

namespace discern::preconditioner_test {
namespace {

using Eigen::VectorXd;

// Zeros and positive numbers, which no two features have in common more often than chance would have it: the
// columns of a Hadamard matrix. Centred they are orthogonal, so that their means alone tie them together.
class IndependentFeatures {
 public:
  IndependentFeatures(bool bias, double l2_of_bias) {
    constexpr Index rows = 1024, cols = 450;
    SparseMatrix<double> x{Buffer<double>(rows * cols), Buffer<std::uint32_t>(rows * cols),
                           Buffer<std::int64_t>(rows + 1), rows, cols};
    Index count = 0;
    for (Index i = 0; i < rows; ++i) {
      x.starts[i] = count;
      for (Index j = 0; j < cols; ++j) {
        if (std::popcount(static_cast<std::uint64_t>(i & (j + 1))) % 2 == 1) continue;
        x.columns[count] = static_cast<std::uint32_t>(j);
        x.values[count++] = 1 + 0.1 * static_cast<double>(j % 7);
      }
      targets_.labels.push_back(i % 3 == 0);
    }
    x.starts[rows] = count;
    x_ = std::move(x);
    problem_.source = &source_;
    problem_.loss = LogisticLoss{};
    problem_.bias = bias;
    problem_.scaling = fit_scaling(source_, {.bias = false, .indicator = {}}, {});
    set_penalty(problem_, {.l2 = 1e-3});
    problem_.l2[0] = l2_of_bias;
  }
  IndependentFeatures(const IndependentFeatures&) = delete;
  IndependentFeatures& operator=(const IndependentFeatures&) = delete;
  const Problem& problem() const { return problem_; }

 private:
  Features x_;
  Targets targets_;
  MemorySource source_{x_, targets_};
  Problem problem_;
};

// |M^-1 H v - v| / |v| for a v in which all features move together.
double error_of(const Problem& problem, bool centers) {
  LinearFunction function(problem);
  function.evaluate(VectorXd::Zero(problem.size()), {});
  const VectorXd diagonal = function.hessian_diagonal({});
  const VectorXd sums = centers ? function.transposed_times(function.curvature(), {}) : VectorXd();
  const Preconditioner m(function, diagonal, sums, 20, {});
  VectorXd v = diagonal.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  if (!problem.bias) v[0] = 0;
  return (m.solve(function.hessian_times(v, nullptr, {})) - v).norm() / v.norm();
}

TEST(Preconditioner, TiesSparseFeaturesThroughTheirMeans) {
  // A free bias, penalties of all sizes, no bias.
  for (const double l2 : {0.0, 1.0, 1e3, 1e6}) {
    const IndependentFeatures made(true, l2);
    ASSERT_TRUE(Preconditioner::centers(made.problem(), 400));
    EXPECT_LT(error_of(made.problem(), true), 1e-6) << l2;
  }
  const IndependentFeatures without(false, 0);
  EXPECT_LT(error_of(without.problem(), true), 1e-6);
}

TEST(Preconditioner, KnowsNothingOfTiesWithoutTheMeans) {
  const IndependentFeatures made(true, 0);
  EXPECT_GT(error_of(made.problem(), false), 0.5);
}

TEST(Preconditioner, DoesNotCentreWhatHasNoDigitsLeftThen) {
  const IndependentFeatures made(false, 0);
  Problem far = made.problem();
  EXPECT_TRUE(Preconditioner::centers(far, 400));
  EXPECT_FALSE(Preconditioner::centers(far, 450));  // one block holds them all
  far.scaling.far = true;
  EXPECT_FALSE(Preconditioner::centers(far, 400));
}

// Entries of any sign and size, many to a row.
TEST(Preconditioner, IsSymmetricAndPositive) {
  constexpr Index rows = 4096, cols = 450, entries = 9;
  Random random(5);
  SparseMatrix<double> x{Buffer<double>(rows * entries), Buffer<std::uint32_t>(rows * entries),
                         Buffer<std::int64_t>(rows + 1), rows, cols};
  Targets targets;
  for (Index i = 0; i < rows; ++i) {
    x.starts[i] = i * entries;
    for (Index k = 0; k < entries; ++k) {
      x.columns[i * entries + k] =
          static_cast<std::uint32_t>(50 * k) + static_cast<std::uint32_t>(50 * random.uniform());
      x.values[i * entries + k] = static_cast<double>(k) - 2 + random.normal();
    }
    targets.labels.push_back(random.uniform() < 0.5);
  }
  x.starts[rows] = rows * entries;
  const Features features = std::move(x);
  const MemorySource source(features, targets);
  for (const bool bias : {true, false}) {
    Problem problem;
    problem.source = &source;
    problem.loss = LogisticLoss{};
    problem.bias = bias;
    problem.scaling = fit_scaling(source, {.bias = false, .indicator = {}}, {});
    set_penalty(problem, {.l2 = 0.1, .bias = bias});
    LinearFunction function(problem);
    VectorXd point(problem.size()), v(problem.size());
    for (double& u : point) u = 0.1 * random.normal();
    for (double& u : v) u = random.normal();
    if (!bias) point[0] = v[0] = 0;
    function.evaluate(point, {});
    const Preconditioner m(function, function.hessian_diagonal({}),
                           function.transposed_times(function.curvature(), {}), 50, {});
    const VectorXd mv = m.solve(v), mp = m.solve(point);
    EXPECT_NEAR(point.dot(mv), v.dot(mp), 1e-10 * point.norm() * mv.norm());
    EXPECT_GT(v.dot(mv), 0);
    EXPECT_GT(point.dot(mp), 0);
  }
}

}  // namespace
}  // namespace discern::preconditioner_test
